// SPDX-License-Identifier: MIT
// What the sanitizer knows of a pool: whose slots they are, the tags say, and
// how much of each is an object, its row.
#include "check/tp_shadow.h"

#include "core/tp_registry.h"
#include "core/tp_shape.h"
#include "core/tp_slot.h"
#include "core/tp_words.h"

#if TIDEPOOL_SANITIZE

// A firmware without a table has none.
#pragma weak tp_registry

// With the red zone before it.
static uint32_t bytes_of(const struct tp_pool *pool)
{
  return pool->zone + (uint32_t)pool->capacity * pool->stride;
}

static bool run(const void *allocator, uint32_t index, struct tp_run *run)
{
  const struct tp_pool *pool = (const struct tp_pool *)allocator;
  const void *begins[] = {(const void *)(tp_shadow_first(pool) - pool->zone),
                          pool->tag, pool->state, pool->age};
  uint32_t links = pool->age ? pool->capacity + 1u : 0;
  uint32_t outside = tp_any_links_outside(pool) ? pool->capacity : 0u;
  uint32_t bytes[] = {bytes_of(pool), (pool->capacity + 1u + outside) * 4,
                      sizeof *pool->state, links * (uint32_t)sizeof *pool->age};
  if (index >= sizeof bytes / sizeof *bytes) return false;
  run->begin = (uintptr_t)begins[index];
  run->bytes = bytes[index];
  return true;
}

// Writes to the record what an access is wrong with that begins [within] bytes
// of the object in slot [index] + 1. Behind its end and nearer to the next
// object, it is before that.
static void describe(const struct tp_pool *pool, uint32_t index, int32_t within,
                     struct tp_fault_record *record)
{
  int32_t end = (int32_t)tp_shadow_bytes(pool);
  if (2 * within >= end + pool->stride && index + 1u < pool->capacity) {
    index++;
    within -= pool->stride;
  }
  record->name = pool->name;
  record->pool = pool;
  record->slot = index + 1;
  record->address =
      (const void *)(tp_shadow_first(pool) + (uintptr_t)index * pool->stride);
  record->offset = (uint32_t)within;
}

// Notes which words of the object in slot [index] + 1 are written. Is it read,
// [from] bytes from its beginning, where nobody has? More than 8 bytes are a
// copy, with what lies between its members.
static TP_NOINLINE bool is_unwritten(const struct tp_pool *pool, uint32_t index,
                                     uint32_t from,
                                     const struct tp_access *access)
{
  uint32_t words = TP_WRITTEN(pool->stride);
  uint32_t *slot = pool->written + index * words;
  bool missing = false;
  uint32_t key = tp_port_lock();
  if (slot[0] != pool->tag[index + 1]) tp_clear_words(slot, words * 4);
  slot[0] = pool->tag[index + 1];
  for (uint32_t at = from / 4; at * 4 < from + access->bytes; at++) {
    uint32_t bit = UINT32_C(1) << at % 32;
    missing |= !(slot[1 + at / 32] & bit);
    if (access->writes) slot[1 + at / 32] |= bit;
  }
  tp_port_unlock(key);
  return missing && !access->writes && access->bytes <= 8;
}

// Does a device have what is in slot [index] + 1? What it only reads may be
// read.
static bool is_lent(const struct tp_pool *pool, uint32_t index,
                    const struct tp_access *access)
{
  uint32_t what = TP_LENT_FOR(pool->lent[index], pool->tag[index + 1]);
  return what > TP_LENT_TO_READ || (what == TP_LENT_TO_READ && access->writes);
}

// Of a live object, within it.
static TP_NOINLINE enum tp_fault_kind judge_words(
    const struct tp_pool *pool, uint32_t index, uint32_t from,
    const struct tp_access *access, struct tp_fault_record *record)
{
  if (pool->lent) {
    if (!is_lent(pool, index, access)) return TP_FAULT_NONE;
    describe(pool, index, (int32_t)from, record);
    return TP_FAULT_DEVICE;
  }
  if (!is_unwritten(pool, index, from, access)) return TP_FAULT_NONE;
  describe(pool, index, (int32_t)from, record);
  return TP_FAULT_UNWRITTEN;
}

// Of memory that is a slot's, [offset] bytes from the first object, and in no
// live object.
static enum tp_fault_kind judge_dead(const struct tp_pool *pool,
                                     uint32_t offset,
                                     const struct tp_access *access,
                                     struct tp_fault_record *record)
{
  uint32_t index = offset / pool->stride;
  uint32_t within = offset - index * pool->stride;
  bool beside = within + access->bytes > tp_shadow_bytes(pool);
  if (!beside && tp_shadow_is_evicting(tp_slot_words(pool, index + 1))) {
    return TP_FAULT_NONE;
  }
  describe(pool, index, (int32_t)within, record);
  return beside ? TP_FAULT_BESIDE : TP_FAULT_DEAD;
}

// Its counts and tags may be read, which some calls do that are part of their
// callers; the ring is the library's alone.
static enum tp_fault_kind judge_metadata(const struct tp_pool *pool,
                                         const struct tp_access *access,
                                         struct tp_fault_record *record)
{
  uint32_t links = pool->age ? pool->capacity + 1u : 0;
  uintptr_t offset = access->address - (uintptr_t)pool->age;
  if (!access->writes && offset >= links * sizeof *pool->age) {
    return TP_FAULT_NONE;
  }
  tp_shadow_tell(record, pool->name, pool, access);
  return TP_FAULT_METADATA;
}

static TP_NOINLINE enum tp_fault_kind judge_rest(const struct tp_pool *pool,
                                                 const struct tp_access *access,
                                                 struct tp_fault_record *record)
{
  uintptr_t offset = access->address - tp_shadow_first(pool);
  if (offset < (uint32_t)pool->capacity * pool->stride) {
    return judge_dead(pool, (uint32_t)offset, access, record);
  }
  if (offset + pool->zone >= pool->zone) {
    return judge_metadata(pool, access, record);
  }
  describe(pool, 0, (int32_t)offset, record);
  return TP_FAULT_BESIDE;
}

// [alike] as in tp_shadow_know().
TP_INLINE enum tp_fault_kind judge_access(const struct tp_pool *pool,
                                          const struct tp_access *access,
                                          struct tp_fault_record *record,
                                          const struct tp_pool *alike)
{
  uint32_t within, tag;
  uint32_t index = tp_shadow_find(pool, access, &within, &tag);
  if (index >= pool->capacity) return judge_rest(pool, access, record);
  if (pool->lent || pool->written) {
    return judge_words(pool, index, within, access, record);
  }
  tp_shadow_know(access->address - within, tp_shadow_bytes(pool),
                 &pool->tag[index + 1], tag, alike);
  return TP_FAULT_NONE;
}

static enum tp_fault_kind judge(const void *allocator,
                                const struct tp_access *access,
                                struct tp_fault_record *record)
{
  const struct tp_pool *pool = (const struct tp_pool *)allocator;
  return judge_access(pool, access, record, NULL);
}

const struct tp_shadow tp_pool_shadow = {.run = run, .judge = judge};

// Who judges the slots of [entry].
static const struct tp_entry *judge_of(const struct tp_entry *entry)
{
  for (uint32_t i = 0; i < tp_registry.count; i++) {
    const struct tp_entry *other = tp_registry.entries[i];
    const struct tp_shadow *shadow = other->kind->shadow;
    if (!shadow || !shadow->has) continue;
    if (shadow->has(other->allocator, entry->allocator)) return other;
  }
  return entry;
}

// But for the slots of what lies in another's memory, who knows where.
static void gather(const struct tp_entry *entry)
{
  const struct tp_shadow *shadow = entry->kind->shadow;
  struct tp_run one;
  for (uint32_t i = 0; shadow && shadow->run(entry->allocator, i, &one); i++) {
    bool elsewhere = i == 0 && entry->bytes == 0;
    if (one.bytes == 0 || elsewhere) continue;
    tp_shadow_add(&one, i == 0 ? judge_of(entry) : entry);
  }
}

void tp_shadow_gather(void)
{
  if (!&tp_registry) return;
  for (uint32_t i = 0; i < tp_registry.count; i++) {
    gather(tp_registry.entries[i]);
  }
}

const void *tp_shadow_tenant(uintptr_t address)
{
  for (uint32_t i = 0; i < tp_registry.count; i++) {
    const struct tp_entry *entry = tp_registry.entries[i];
    const struct tp_shadow *shadow = entry->kind->shadow;
    struct tp_run one;
    if (!shadow || entry->bytes != 0) continue;
    if (!shadow->run(entry->allocator, 0, &one)) continue;
    if (address - one.begin < one.bytes) return judge_of(entry);
  }
  return NULL;
}

enum tp_fault_kind tp_shadow_judge(const void *owner,
                                   const struct tp_access *access,
                                   struct tp_fault_record *record)
{
  const struct tp_entry *entry = (const struct tp_entry *)owner;
  if (entry->kind == &tp_pool_kind && entry->bytes != 0) {
    const struct tp_pool *pool = (const struct tp_pool *)entry->allocator;
    return judge_access(pool, access, record, pool);
  }
  return entry->kind->shadow->judge(entry->allocator, access, record);
}

#endif
