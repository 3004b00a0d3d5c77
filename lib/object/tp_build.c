// SPDX-License-Identifier: MIT
#include "object/tp_build.h"

#include "check/tp_check.h"
#include "core/tp_code.h"
#include "core/tp_core.h"
#include "core/tp_slot.h"
#include "core/tp_shape.h"
#include "core/tp_words.h"

static bool has_pool(const struct tp_build *row)
{
  uint32_t align = row->align;
  if (row->size < 4 || row->count < 1 || !row->policy) return false;
  if (row->count > TP_CAPACITY_MAX) return false;
  if (align < 4 || align > 64 || (align & (align - 1))) return false;
  return TP_STRIDE(row->size, align) <= UINT16_MAX;
}

// The numbers of a pool; where its memory lies is not among them.
static void shape(struct tp_pool *pool, const struct tp_build *row)
{
  uint32_t stride = TP_STRIDE(row->size, (uint32_t)row->align);
  tp_clear_words(pool, sizeof *pool);
  pool->policy = row->policy;
  if (row->aged || row->tagged) pool->general = &tp_general;
  pool->evict = row->evict;
  pool->inverse = TP_INVERSE(stride >> TP_SHIFT(stride));
  pool->stride = (uint16_t)stride;
  pool->size = (uint16_t)(stride - TP_RED_ZONE(row->align));
  pool->capacity = row->count;
  pool->lock = row->lock;
  pool->zone = TP_RED_ZONE(row->align);
  pool->tagged = row->tagged;
  pool->refuses = row->refuses;
  pool->handle_bits = (uint8_t)TP_HANDLE_BITS(row->count);
  pool->takes_foreign = row->takes_foreign;
  pool->min_age = row->min_age;
}

// What a pool is made of, in words, in the order it lies in memory.
struct parts {
  uint32_t slots;
  uint32_t tags;
  uint32_t ring;
  uint32_t births;
  uint32_t state;
};

static struct parts parts_of(const struct tp_pool *pool,
                             const struct tp_build *row)
{
  uint32_t by_slot = pool->capacity + 1u;
  return (struct parts){
      .slots = (pool->zone + (uint32_t)pool->capacity * pool->stride) / 4,
      .tags = tp_tag_kept(pool) ? by_slot : 2,
      .ring = row->aged ? by_slot * (uint32_t)sizeof *pool->age / 4 : 0,
      .births = row->timed ? by_slot : 0,
      .state = sizeof *pool->state / 4,
  };
}

uint32_t tp_build_bytes(const struct tp_build *row)
{
  if (!has_pool(row)) return 0;
  struct tp_pool pool;
  shape(&pool, row);
  struct parts parts = parts_of(&pool, row);
  return (parts.slots + parts.tags + parts.ring + parts.births + parts.state) *
         4;
}

// Clears [count] words and returns what lies behind them.
static tp_word_t *clear(tp_word_t *words, uint32_t count)
{
  tp_clear_words(words, count * sizeof *words);
  return words + count;
}

TP_NOINLINE void tp_pool_build(struct tp_pool *pool, const char *name,
                               const struct tp_build *row, void *memory)
{
  if (TP_MISUSE(!has_pool(row))) {
    tp_raise_misuse(TP_FAULT_SIZE, name, row, row->size, row->align,
                    tp_site(NULL));
  }
  shape(pool, row);
  struct parts parts = parts_of(pool, row);
  tp_word_t *words = memory;
  pool->name = name;
  pool->storage = words + pool->zone / 4;
  pool->origin = (uintptr_t)pool->storage - pool->stride;
  words += parts.slots;
  pool->tag = (uint32_t *)words;
  words = clear(words, parts.tags);
  if (row->aged) pool->age = (struct tp_age_link *)words;
  words = clear(words, parts.ring);
  tp_slot_open(pool, row->count);
  if (row->timed) pool->born = (uint32_t *)words;
  words = clear(words, parts.births);
  pool->state = (struct tp_pool_state *)words;
  clear(words, parts.state);
}

// A word that depends on all that decides where the memory lies and what is in
// which part of it.
static uint32_t seal_of(const struct tp_noinit *noinit)
{
  const struct tp_pool *pool = noinit->pool;
  uint32_t where = (uint32_t)(uintptr_t)pool->storage;
  uint32_t stride = pool->stride;
  return 0x5ea1ed00u ^ noinit->config ^ noinit->tags ^ stride << 16 ^ where;
}

static void make_empty(const struct tp_pool *pool, uint32_t tags)
{
  tp_clear_words(pool->tag, tags * sizeof *pool->tag);
  tp_clear_words(pool->state, sizeof *pool->state);
  if (!pool->age) return;
  tp_clear_words(pool->age, (pool->capacity + 1u) * sizeof *pool->age);
}

// Is the tag of [slot] one that a hardened pool writes? 0 it never is again.
static bool is_tag(const struct tp_pool *pool, uint32_t slot)
{
  uint32_t tag = pool->tag[slot];
  return tag == 0 ? slot > pool->state->fresh : tp_code_has(tag);
}

// A hardened pool would fault at a tag that is none, after each reset anew.
static bool has_other_tag(const struct tp_pool *pool)
{
  if (!(pool->hardened & TP_CODED)) return false;
  uint32_t slot = pool->capacity;
  while (slot > 0 && is_tag(pool, slot)) slot--;
  return slot > 0;
}

// What tp_pool_verify() does not ask: statistics go as far as the peak. Tags
// are no measure of that: without them there are fewer, with links more.
static bool is_whole(const struct tp_pool *pool)
{
  if (pool->state->reached > pool->capacity) return false;
  return !TP_MISUSE(has_other_tag(pool));
}

// A clock that began anew has not come to the births it knew before: they are
// now, or min_age would be over for who has just been born.
static void begin_ages(const struct tp_pool *pool)
{
  if (!pool->born) return;
  for (uint32_t slot = pool->state->fresh; slot > 0; slot--) {
    uint32_t age = tp_clock_now - pool->born[slot];
    if (age > INT32_MAX) pool->born[slot] = tp_clock_now;
  }
}

// Of dead [slot], of any pool: tp_list_link() is for who knows whether it is
// hardened.
static tp_word_t link_of(const struct tp_pool *pool, uint32_t slot)
{
  if (!tp_any_links_outside(pool)) return tp_slot_words(pool, slot)[0];
  return tp_slot_behind(pool)[slot - 1];
}

// A slot whose object was pinned when it died looks so until its next issue.
static void forget_dead_pins(const struct tp_pool *pool)
{
  uint32_t word = pool->tag[0];
  while (tp_list_top_of(word) != 0) {
    uint32_t slot = tp_list_slot(pool, tp_list_top_of(word));
    struct tp_age_link *link = &pool->age[slot];
    if (link->newer == slot) *link = (struct tp_age_link){0, 0};
    word = link_of(pool, slot);
  }
}

// Whoever pinned an object is there no more to unpin it: nor is who was issuing
// a slot that had died pinned, which is on no ring yet.
static void unpin_all(const struct tp_pool *pool)
{
  if (!pool->age) return;
  forget_dead_pins(pool);
  for (uint32_t i = 1; i <= pool->state->fresh; i++) {
    tp_slot_t slot = (tp_slot_t)i;
    if (!tp_age_pinned(pool->age, slot)) continue;
    tp_age_push(pool->age, pool->capacity, slot);
    if (pool->born) pool->born[slot] = tp_clock_now;
  }
}

bool tp_noinit_validate(const struct tp_noinit *noinit)
{
  const struct tp_pool *pool = noinit->pool;
  uint32_t seal = seal_of(noinit);
  if (*noinit->seal == seal && tp_pool_verify(pool, NULL) && is_whole(pool)) {
    begin_ages(pool);
    unpin_all(pool);
    return true;
  }
  make_empty(noinit->pool, noinit->tags);
  *noinit->seal = seal;
  return false;
}
