// SPDX-License-Identifier: MIT
// tp_ask_pool.c - what a pool must do: issue each slot once, count, tell who is
// gone, and steal from the right one.
#include "config/tp_define.h"
#include "core/tp_slot.h"
#include "tp_ask.h"

static struct tp_age_link ages[TP_ASK_SLOTS + 1];
TP_POOL_DEFINE_TAGGED(tp_ask_plain, TP_ASK_BYTES, TP_ASK_SLOTS, 4,
                      .policy = &tp_drop, .refuses = 1);
TP_POOL_DEFINE_TAGGED(tp_ask_thief, TP_ASK_BYTES, TP_ASK_SLOTS, 4,
                      .policy = &tp_steal_oldest, .age = ages);
TP_POOL_DEFINE_TAGGED(tp_ask_strict, TP_ASK_BYTES, 1, 4, .policy = &tp_assert);

static void *objects[TP_ASK_SLOTS];
static tp_handle_t handles[TP_ASK_SLOTS];

static bool take(const struct tp_pool *pool, uint32_t number)
{
  objects[number] = tp_handle_alloc(pool, &handles[number]);
  return objects[number] && handles[number];
}

// Whether as many came as there are slots.
static bool take_all(const struct tp_pool *pool)
{
  bool all = true;
  for (uint32_t i = 0; i < TP_ASK_SLOTS; i++) all &= take(pool, i);
  return all;
}

// From any of them on: the list's order is another each time.
static bool free_all(const struct tp_pool *pool)
{
  uint32_t from = tp_ask_below(TP_ASK_SLOTS);
  for (uint32_t i = 0; i < TP_ASK_SLOTS; i++) {
    tp_pool_free(pool, objects[(from + i) % TP_ASK_SLOTS]);
  }
  return tp_pool_live(pool) == 0 && tp_pool_verify(pool, NULL);
}

static bool is_within(const struct tp_pool *pool, const void *object)
{
  uintptr_t offset = (uintptr_t)object - (uintptr_t)pool->storage;
  return offset < (uintptr_t)pool->capacity * pool->stride &&
         offset % pool->stride == 0;
}

static bool are_distinct(void)
{
  for (uint32_t i = 0; i < TP_ASK_SLOTS; i++) {
    for (uint32_t j = 0; j < i; j++) {
      if (objects[i] == objects[j]) return false;
    }
  }
  return true;
}

static bool each_once(void)
{
  const struct tp_pool *pool = &tp_ask_plain_pool;
  bool right = take_all(pool) && are_distinct();
  for (uint32_t i = 0; i < TP_ASK_SLOTS; i++) {
    right &= is_within(pool, objects[i]);
  }
  return right && free_all(pool);
}

static bool full(void)
{
  const struct tp_pool *pool = &tp_ask_plain_pool;
  bool right = take_all(pool) && !tp_pool_alloc(pool);
  return right && free_all(pool);
}

static bool strict(void)
{
  const struct tp_pool *pool = &tp_ask_strict_pool;
  void *only = tp_pool_alloc(pool);
  uint32_t kind = tp_ask_fault(tp_ask_do_alloc, pool, NULL);
  tp_pool_free(pool, only);
  return kind == TP_FAULT_FULL;
}

// From boot on, or nobody knows how many there were.
static bool peak(void)
{
  const struct tp_pool *pool = &tp_ask_hurt_pool;
  uint32_t most = 1 + tp_ask_below(TP_ASK_SLOTS);
  struct tp_stats stats;
  tp_ask_empty(pool);
  for (uint32_t i = 0; i < most; i++) objects[i] = tp_pool_alloc(pool);
  for (uint32_t i = 0; i < most; i++) tp_pool_free(pool, objects[i]);
  tp_pool_stats(pool, &stats);
  return stats.peak == most;
}

static bool counts(void)
{
  const struct tp_pool *pool = &tp_ask_thief_pool;
  struct tp_stats before, after;
  tp_pool_stats(pool, &before);
  bool right = take_all(pool) && take(pool, 0);
  tp_pool_stats(pool, &after);
  right &= after.live == TP_ASK_SLOTS && after.frees == before.frees;
  right &= after.allocs - before.allocs == TP_ASK_SLOTS + 1;
  right &= after.steals - before.steals == 1;
  return right && free_all(pool);
}

// Each time one more than before, and the slot that was freed last.
static bool generations(void)
{
  const struct tp_pool *pool = &tp_ask_plain_pool;
  uint32_t one = 1u << pool->handle_bits;
  bool right = take(pool, 0);
  tp_pool_free(pool, objects[0]);
  right &= take(pool, 1) && objects[1] == objects[0];
  tp_pool_free(pool, objects[1]);
  return right && handles[1] - handles[0] == one;
}

static bool resolves(const struct tp_pool *pool, uint32_t number)
{
  return tp_handle_get(pool, handles[number]) == objects[number];
}

static bool is_stale(const struct tp_pool *pool, uint32_t number)
{
  return !tp_handle_get(pool, handles[number]) &&
         !tp_handle_free(pool, handles[number]);
}

static bool freed(void)
{
  const struct tp_pool *pool = &tp_ask_plain_pool;
  bool right = take(pool, 0) && resolves(pool, 0);
  right &= tp_handle_free(pool, handles[0]) && is_stale(pool, 0);
  right &= take(pool, 1) && is_stale(pool, 0) && resolves(pool, 1);
  right &= tp_handle_free(pool, handles[1]);
  return right && tp_pool_live(pool) == 0;
}

// Of any slot the generation before, or of a dead one the last.
static bool no_older(void)
{
  const struct tp_pool *pool = tp_ask_any_pool();
  uint32_t slot = 1 + tp_ask_below(pool->capacity), tag = pool->tag[slot];
  tp_handle_t older = (tag - (tag >= TP_LIVE)) << pool->handle_bits | slot;
  return !tp_handle_get(pool, older) && !tp_handle_free(pool, older);
}

static bool oldest(void)
{
  const struct tp_pool *pool = &tp_ask_thief_pool;
  bool right = take_all(pool);
  void *victim = objects[0];
  right &= take(pool, 0) && objects[0] == victim;
  return right && free_all(pool);
}

static bool stolen(void)
{
  const struct tp_pool *pool = &tp_ask_thief_pool;
  bool right = take_all(pool);
  tp_handle_t victim = handles[0];
  right &= take(pool, 0) && !tp_handle_get(pool, victim);
  right &= !tp_handle_free(pool, victim);
  for (uint32_t i = 0; i < TP_ASK_SLOTS; i++) right &= resolves(pool, i);
  return right && free_all(pool);
}

static bool pinned(void)
{
  const struct tp_pool *pool = &tp_ask_thief_pool;
  bool right = take_all(pool);
  tp_pool_pin(pool, objects[0]);
  void *victim = objects[1];
  right &= take(pool, 1) && objects[1] == victim && resolves(pool, 0);
  tp_pool_unpin(pool, objects[0]);
  return right && free_all(pool);
}

static bool reset(void)
{
  const struct tp_pool *pool = &tp_ask_plain_pool;
  bool right = take_all(pool);
  tp_pool_reset(pool);
  for (uint32_t i = 0; i < TP_ASK_SLOTS; i++) right &= is_stale(pool, i);
  right &= tp_pool_live(pool) == 0 && tp_pool_verify(pool, NULL);
  return right && take_all(pool) && are_distinct() && free_all(pool);
}

const struct tp_question tp_ask_pool[] = {
    {"every slot is issued once", each_once, TP_CHECKS_FAST},
    {"a full pool refuses", full, TP_CHECKS_FAST},
    {"a pool that must never be full faults", strict, TP_CHECKS_FAST},
    {"the peak is counted", peak, TP_CHECKS_FAST},
    {"what was issued and stolen is counted", counts, TP_CHECKS_FAST},
    {"each issue is a new generation", generations, TP_CHECKS_FAST},
    {"the handle of what was freed is stale", freed, TP_CHECKS_FAST},
    {"no older handle resolves, in any pool", no_older, TP_CHECKS_FAST},
    {"the oldest is stolen", oldest, TP_CHECKS_FAST},
    {"the handle of what was stolen is stale", stolen, TP_CHECKS_FAST},
    {"what is pinned is not stolen", pinned, TP_CHECKS_FAST},
    {"a reset takes all back", reset, TP_CHECKS_FAST},
    {0},
};
