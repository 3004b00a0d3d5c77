// SPDX-License-Identifier: MIT
#include "check/tp_blame.h"

#include "check/tp_poison.h"
#include "core/tp_list.h"
#include "core/tp_tag.h"

// The record is written a field at a time, and read by whoever comes after the
// reset: nothing here is a struct that a compiler clears or copies by a call.
typedef volatile struct tp_fault_record record_t;

// Begins the record: what is not written by the caller is 0.
static record_t *begin(enum tp_fault_kind kind, const char *name,
                       const void *address, tp_site_t site)
{
  record_t *record = &tp_fault_record;
  record->magic = 0;
  record->kind = kind;
  record->name = name;
  record->pool = NULL;
  record->slot = 0;
  record->address = address;
  record->offset = 0;
  record->expected = 0;
  record->found = 0;
  record->caller = tp_port_caller(site);
  record->frame = tp_clock_now;
  return record;
}

// The same for [pool], one of its slots lying at [words].
static record_t *begin_slot(enum tp_fault_kind kind, const struct tp_pool *pool,
                            const tp_word_t *words, tp_site_t site)
{
  record_t *record = begin(kind, pool->name, words, site);
  record->pool = pool;
  record->slot = (uint32_t)tp_slot_of(pool, words);
  return record;
}

// Hands a complete record over.
TP_NORETURN static void hand_over(record_t *record)
{
  record->magic = TP_FAULT_MAGIC;
  tp_fault(&tp_fault_record);
  tp_port_trap();
}

TP_NORETURN static void differs(record_t *record, uint32_t found,
                                uint32_t expected)
{
  record->found = found;
  record->expected = expected;
  hand_over(record);
}

// Divides bit by bit: ARMv6-M would call a library for it. [slot] counts from
// 1; what is left of [offset] is the offset within the slot.
static uint32_t slot_at(const struct tp_pool *pool, uint32_t *offset)
{
  uint32_t slot = 1;
  for (uint32_t bit = 15; bit-- > 0;) {
    uint32_t bytes = (uint32_t)pool->stride << bit;
    if (*offset < bytes) continue;
    *offset -= bytes;
    slot += 1u << bit;
  }
  return slot;
}

void tp_blame_free(const struct tp_pool *pool, const void *object,
                   tp_site_t site)
{
  uint32_t offset = (uint32_t)((uintptr_t)object - (uintptr_t)pool->storage);
  record_t *record = begin(TP_FAULT_FOREIGN, pool->name, object, site);
  record->pool = pool;
  if ((uintptr_t)object >= (uintptr_t)pool->storage &&
      offset < (uint32_t)pool->capacity * pool->stride) {
    record->slot = slot_at(pool, &offset);
    record->offset = offset;
    record->kind = offset ? TP_FAULT_INTERIOR : TP_FAULT_DOUBLE_FREE;
  }
  hand_over(record);
}

void *tp_blame_link(const tp_word_t *words, const struct tp_pool *pool,
                    tp_site_t site)
{
  differs(begin_slot(TP_FAULT_LINK, pool, words, site), words[0],
          tp_list_expected(pool->tag[0]));
}

void tp_blame_tag(const tp_word_t *words, const struct tp_pool *pool,
                  tp_site_t site)
{
  uint32_t tag = pool->tag[tp_slot_of(pool, words)];
  differs(begin_slot(TP_FAULT_TAG, pool, words, site), tag, tag - TP_LIVE);
}

TP_NORETURN static void blame_poison(const struct tp_pool *pool,
                                     const tp_word_t *words, tp_site_t site)
{
  record_t *record = begin_slot(TP_FAULT_POISON, pool, words, site);
  uint32_t word = 1;
  while (words[word] == TP_POISON) word++;
  record->offset = word * 4;
  differs(record, words[word], TP_POISON);
}

void tp_blame_zone(const struct tp_pool *pool, const tp_word_t *words,
                   tp_site_t site)
{
  record_t *record = begin_slot(TP_FAULT_RED_ZONE, pool, words, site);
  const tp_word_t *damaged = words - pool->zone / 4;
  while (*damaged == TP_RED_WORD) {
    damaged++;
    if (damaged == words) damaged += tp_poison_words(pool);
  }
  record->offset = (uint32_t)((uintptr_t)damaged - (uintptr_t)words);
  differs(record, *damaged, TP_RED_WORD);
}

void tp_blame_bytes(const struct tp_pool *pool, const tp_word_t *words,
                    tp_site_t site)
{
  if (tp_zone_damage(pool, words)) tp_blame_zone(pool, words, site);
  blame_poison(pool, words, site);
}

void tp_blame_full(const struct tp_pool *pool, tp_site_t site)
{
  record_t *record = begin(TP_FAULT_FULL, pool->name, NULL, site);
  record->pool = pool;
  differs(record, pool->capacity + 1u, pool->capacity);
}

void tp_blame_slot(enum tp_fault_kind kind, const struct tp_pool *pool,
                   uint32_t slot, uint32_t offset, uint32_t found,
                   uint32_t expected, tp_site_t site)
{
  record_t *record = begin_slot(kind, pool, tp_slot_words(pool, slot), site);
  record->slot = slot;
  record->offset = offset;
  differs(record, found, expected);
}

void tp_blame_misuse(enum tp_fault_kind kind, const char *name,
                     const void *address, uint32_t found, uint32_t expected,
                     tp_site_t site)
{
  differs(begin(kind, name, address, site), found, expected);
}
