// SPDX-License-Identifier: MIT
#include "check/tp_blame.h"

#include "core/tp_list.h"
#include "check/tp_poison.h"
#include "core/tp_tag.h"

// Completes [record] and hands it over.
static void raise_fault(const struct tp_fault_record *record)
{
  tp_fault_record = *record;
  if (record->pool) tp_fault_record.name = record->pool->name;
  tp_fault_record.magic = TP_FAULT_MAGIC;
  tp_fault_record.frame = tp_clock_now;
  tp_fault(&tp_fault_record);
  tp_port_trap();
}

static uint32_t offset_of(const struct tp_pool *pool, const void *address)
{
  return (uint32_t)((uintptr_t)address - (uintptr_t)pool->storage);
}

void tp_blame_free(const struct tp_pool *pool, const void *object)
{
  struct tp_fault_record record = {
      .kind = TP_FAULT_FOREIGN, .pool = pool, .address = object,
      .caller = TP_CALLER};
  uint32_t offset = offset_of(pool, object);
  if ((uintptr_t)object >= (uintptr_t)pool->storage &&
      offset < (uint32_t)pool->capacity * pool->stride) {
    record.slot = offset / pool->stride + 1;
    record.offset = offset % pool->stride;
    record.kind = record.offset ? TP_FAULT_INTERIOR : TP_FAULT_DOUBLE_FREE;
  }
  raise_fault(&record);
}

void *tp_blame_link(const tp_word_t *words, const struct tp_pool *pool)
{
  struct tp_fault_record record = {
      .kind = TP_FAULT_LINK, .pool = pool, .address = words,
      .slot = (uint32_t)tp_slot_of(pool, words),
      .found = words[0], .caller = TP_CALLER};
  record.expected = tp_list_expected(pool->tag[0]);
  raise_fault(&record);
  return NULL;
}

void *tp_blame_tag(const tp_word_t *words, const struct tp_pool *pool)
{
  uint32_t slot = (uint32_t)tp_slot_of(pool, words);
  struct tp_fault_record record = {
      .kind = TP_FAULT_TAG, .pool = pool, .address = words, .slot = slot,
      .found = pool->tag[slot], .expected = pool->tag[slot] - TP_LIVE,
      .caller = TP_CALLER};
  raise_fault(&record);
  return NULL;
}

static void blame_poison(const struct tp_pool *pool, const tp_word_t *words,
                         const void *caller)
{
  uint32_t word = 1;
  while (words[word] == TP_POISON) word++;
  struct tp_fault_record record = {
      .kind = TP_FAULT_POISON, .pool = pool, .address = words,
      .slot = (uint32_t)tp_slot_of(pool, words), .offset = word * 4,
      .found = words[word], .expected = TP_POISON, .caller = caller};
  raise_fault(&record);
}

void tp_blame_zone(const struct tp_pool *pool, const tp_word_t *words,
                   const void *caller)
{
  const tp_word_t *damaged = words - pool->zone / 4;
  while (*damaged == TP_RED_WORD) {
    damaged++;
    if (damaged == words) damaged += tp_poison_words(pool);
  }
  struct tp_fault_record record = {
      .kind = TP_FAULT_RED_ZONE, .pool = pool, .address = words,
      .slot = (uint32_t)tp_slot_of(pool, words),
      .offset = (uint32_t)((uintptr_t)damaged - (uintptr_t)words),
      .found = *damaged, .expected = TP_RED_WORD, .caller = caller};
  raise_fault(&record);
}

void tp_blame_bytes(const struct tp_pool *pool, const tp_word_t *words,
                    const void *caller)
{
  if (tp_zone_damage(pool, words)) tp_blame_zone(pool, words, caller);
  blame_poison(pool, words, caller);
}

void tp_blame_full(const struct tp_pool *pool, const void *caller)
{
  struct tp_fault_record record = {
      .kind = TP_FAULT_FULL, .pool = pool, .expected = pool->capacity,
      .found = pool->capacity + 1u, .caller = caller};
  raise_fault(&record);
}

void tp_blame_slot(enum tp_fault_kind kind, const struct tp_pool *pool,
                   uint32_t slot, uint32_t offset, uint32_t found,
                   uint32_t expected, const void *caller)
{
  struct tp_fault_record record = {
      .kind = kind, .pool = pool, .address = tp_slot_words(pool, slot),
      .slot = slot, .offset = offset, .found = found, .expected = expected,
      .caller = caller};
  raise_fault(&record);
}

void tp_blame_misuse(enum tp_fault_kind kind, const char *name,
                     const void *address, uint32_t found, uint32_t expected,
                     const void *caller)
{
  struct tp_fault_record record = {
      .kind = kind, .name = name, .address = address, .found = found,
      .expected = expected, .caller = caller};
  raise_fault(&record);
}
