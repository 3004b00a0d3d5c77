// SPDX-License-Identifier: MIT
#include "check/tp_check.h"

#include "check/tp_alike.h"

TP_ALIKE_THERE("tp_pools_c", "the_library");
TP_ALIKE_LIBRARY();

struct tp_fault_record tp_fault_record
    __attribute__((section(".noinit.tp_fault")));
uint32_t tp_clock_now;

static const char *const names[] = {
    [TP_FAULT_NONE] = "none",
    [TP_FAULT_FOREIGN] = "foreign",
    [TP_FAULT_INTERIOR] = "interior",
    [TP_FAULT_DOUBLE_FREE] = "double-free",
    [TP_FAULT_LINK] = "link",
    [TP_FAULT_TAG] = "tag",
    [TP_FAULT_POISON] = "poison",
    [TP_FAULT_RED_ZONE] = "red-zone",
    [TP_FAULT_FULL] = "full",
    [TP_FAULT_INVARIANT] = "invariant",
    [TP_FAULT_HANDLE_POOL] = "handle-pool",
    [TP_FAULT_ORDER] = "order",
    [TP_FAULT_MARK] = "mark",
    [TP_FAULT_SIZE] = "size",
    [TP_FAULT_LARGE] = "large",
    [TP_FAULT_CHILD] = "child",
    [TP_FAULT_PIN] = "pin",
    [TP_FAULT_LOCK] = "lock",
    [TP_FAULT_SCENE] = "scene",
    [TP_FAULT_RETAIN] = "retain",
    [TP_FAULT_IN_USE] = "in-use",
    [TP_FAULT_CHUNK] = "chunk",
    [TP_FAULT_CLOSED] = "closed",
#if TIDEPOOL_SANITIZE
    [TP_FAULT_DEAD] = "dead",
    [TP_FAULT_BESIDE] = "beside",
    [TP_FAULT_METADATA] = "metadata",
    [TP_FAULT_NULL_PAGE] = "null-page",
    [TP_FAULT_UNLOCKED] = "unlocked",
    [TP_FAULT_UNWRITTEN] = "unwritten",
    [TP_FAULT_DEVICE] = "device",
#endif
    [TP_FAULT_CONTEXT] = "context",
    [TP_FAULT_GUARD] = "guard",
    [TP_FAULT_LENT] = "lent",
};

const char *tp_fault_name(uint32_t kind)
{
  const uint32_t kinds = sizeof names / sizeof names[0];
  return kind < kinds && names[kind] ? names[kind] : "unknown";
}

// Not inlined: across files the compiler takes this one for the application's.
TP_NOINLINE __attribute__((weak)) void tp_fault(
    const struct tp_fault_record *record)
{
  (void)record;
  tp_port_trap();
}

// Begins the record of a fault of [pool], if it is one's: what is not written
// here is 0.
static tp_record_t *begin(enum tp_fault_kind kind, const struct tp_pool *pool,
                          const void *address, tp_site_t site)
{
  tp_record_t *record = &tp_fault_record;
  record->magic = 0;
  record->kind = kind;
  record->name = pool ? pool->name : NULL;
  record->pool = pool;
  record->slot = 0;
  record->address = address;
  record->offset = 0;
  record->expected = 0;
  record->found = 0;
  record->caller = tp_port_caller(site);
  record->frame = tp_clock_now;
  return record;
}

static uintptr_t offset_of(const struct tp_pool *pool, const void *address)
{
  return (uintptr_t)address - (uintptr_t)pool->storage;
}

// Divides bit by bit: ARMv6-M would call a library for it. [slot] counts from
// 1; what is left of [offset] is the offset within the slot.
static uint32_t slot_at(const struct tp_pool *pool, uintptr_t *offset)
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

tp_record_t *tp_raise_begin(enum tp_fault_kind kind, const struct tp_pool *pool,
                            const tp_word_t *words, tp_site_t site)
{
  tp_record_t *record = begin(kind, pool, words, site);
  uintptr_t offset = offset_of(pool, words);
  record->slot = slot_at(pool, &offset);
  return record;
}

// Hands a complete record over.
TP_NORETURN static void hand_over(tp_record_t *record)
{
  record->magic = TP_FAULT_MAGIC;
  tp_hook_fault(record);
  tp_fault(&tp_fault_record);
  tp_port_trap();
}

void tp_raise_end(tp_record_t *record, uint32_t found, uint32_t expected)
{
  record->found = found;
  record->expected = expected;
  hand_over(record);
}

void tp_raise_free(const struct tp_pool *pool, const void *object,
                   tp_site_t site)
{
  tp_record_t *record = begin(TP_FAULT_FOREIGN, pool, object, site);
  uintptr_t offset = offset_of(pool, object);
  if (offset < (uint32_t)pool->capacity * pool->stride) {
    record->slot = slot_at(pool, &offset);
    record->offset = (uint32_t)offset;
    record->kind = offset ? TP_FAULT_INTERIOR : TP_FAULT_DOUBLE_FREE;
  }
  hand_over(record);
}

TP_NORETURN static void raise_poison(const struct tp_pool *pool,
                                     const tp_word_t *words, tp_site_t site)
{
  tp_record_t *record = tp_raise_begin(TP_FAULT_POISON, pool, words, site);
  const tp_word_t *damaged = words;
  if (!tp_any_links_outside(pool)) damaged++;
  while (*damaged == TP_POISON) damaged++;
  record->offset = (uint32_t)((uintptr_t)damaged - (uintptr_t)words);
  tp_raise_end(record, *damaged, TP_POISON);
}

void tp_raise_zone(const struct tp_pool *pool, const tp_word_t *words,
                   tp_site_t site)
{
  tp_record_t *record = tp_raise_begin(TP_FAULT_RED_ZONE, pool, words, site);
  const tp_word_t *behind = tp_poison_end(pool, words);
  const tp_word_t *damaged = behind - pool->stride / 4u;
  const tp_word_t *end = damaged + pool->zone / 4u;
  while (*damaged == TP_RED_WORD) {
    if (++damaged == end) damaged = behind;
  }
  record->offset = (uint32_t)((uintptr_t)damaged - (uintptr_t)words);
  tp_raise_end(record, *damaged, TP_RED_WORD);
}

void tp_raise_bytes(const struct tp_pool *pool, const tp_word_t *words,
                    tp_site_t site)
{
  if (tp_zone_damage(pool, words)) tp_raise_zone(pool, words, site);
  raise_poison(pool, words, site);
}

void tp_raise_full(const struct tp_pool *pool, tp_site_t site)
{
  tp_record_t *record = begin(TP_FAULT_FULL, pool, NULL, site);
  tp_raise_end(record, pool->capacity + 1u, pool->capacity);
}

void tp_raise_slot(enum tp_fault_kind kind, const struct tp_pool *pool,
                   uint32_t slot, uint32_t offset, uint32_t found,
                   uint32_t expected, tp_site_t site)
{
  uintptr_t storage = (uintptr_t)pool->storage;
  uintptr_t address = storage - pool->stride + (uintptr_t)slot * pool->stride;
  tp_record_t *record = begin(kind, pool, (const void *)address, site);
  record->slot = slot;
  record->offset = offset;
  tp_raise_end(record, found, expected);
}

void tp_raise_misuse(enum tp_fault_kind kind, const char *name,
                     const void *address, uint32_t found, uint32_t expected,
                     tp_site_t site)
{
  tp_record_t *record = begin(kind, NULL, address, site);
  record->name = name;
  tp_raise_end(record, found, expected);
}
