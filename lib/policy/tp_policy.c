// SPDX-License-Identifier: MIT
// What a pool does when it is full and needs no parameters for: who names one
// links no other. And what it does before: it tells at a watermark.
#include "policy/tp_watermark.h"

#include "check/tp_check.h"
#include "core/tp_calls.h"
#include "core/tp_core.h"
#include "policy/tp_steal.h"

static void *fault(const struct tp_pool *pool, uint32_t *tag, tp_site_t site)
{
  (void)tag;
  tp_raise_full(pool, site);
  return NULL;
}

const struct tp_policy tp_assert = {.overflow = fault};

static void *refuse(const struct tp_pool *pool, uint32_t *tag, tp_site_t site)
{
  (void)site;
  (void)tag;
  (void)pool;
  return NULL;
}

const struct tp_policy tp_drop = {.overflow = refuse};

//@ TP_STEALS_OLDEST(pool, tag);
static void *detach(const struct tp_pool *pool, uint32_t *tag, tp_site_t site)
{
  return tp_steal_core(pool, pool->lock, tag, site);
}

//@ TP_STEALS_OLDEST(pool, tag);
static void *steal(const struct tp_pool *pool, uint32_t *tag, tp_site_t site)
{
  bool turns = tp_steal_turns(pool) && pool->lock == TP_LOCK_PRIMASK;
  if (!turns) return detach(pool, tag, site);
  tp_slot_t victim = tp_steal_turn(pool, TP_LOCK_PRIMASK, tag);
  //@ assert same: TP_SAME(pool);
  //@ assert kept: slot_memory(pool) && slot_gated(pool);
  //@ assert whole: pool_memory(pool);
  /*@ assert still: victim == TP_NO_SLOT ==> pool->min_age == 0 &&
        \forall integer s; on_ring(s) ==> on_ring{Pre}(s); */
  if (victim == TP_NO_SLOT) return detach(pool, tag, site);
  return tp_steal_issue(pool, victim, site);
}

const struct tp_policy tp_steal_oldest = {.overflow = steal};
const struct tp_policy tp_steal_detached = {.overflow = detach};

// The watermark.

// Counts [change] more live. Returns true iff the pool was not low and is now,
// or, if [low] is 0, was low and is no more.
static bool count(const struct tp_watermark *watermark, int change,
                  uint32_t low)
{
  struct tp_watermark_state *state = watermark->state;
  uint32_t lock = watermark->pool->lock;
  uint32_t key = tp_lock_take(lock);
  state->live = (uint16_t)(state->live + change);
  uint32_t free = (uint32_t)watermark->pool->capacity - state->live;
  bool there = low ? free <= watermark->low : free >= watermark->refill;
  bool crossed = there && state->low != low;
  if (crossed) state->low = (uint8_t)low;
  tp_lock_give(lock, key);
  return crossed;
}

// Counted when it is issued: a refused request crosses nothing.
TP_NOINLINE void *tp_watermark_alloc(const struct tp_watermark *watermark)
{
  void *object = tp_pool_alloc_for(watermark->pool, NULL, tp_site(NULL));
  if (!object) return NULL;
  bool fell = count(watermark, 1, 1);
  if (fell && watermark->on_low)
    watermark->on_low(watermark->pool, watermark->low);
  return object;
}

// Counted before it is free, so that [live] never exceeds what is live.
TP_NOINLINE void tp_watermark_free(const struct tp_watermark *watermark,
                                   void *object)
{
  bool recovered = count(watermark, -1, 0);
  tp_pool_free_for(watermark->pool, object, tp_site(NULL));
  if (!recovered || !watermark->on_refill) return;
  watermark->on_refill(watermark->pool, watermark->refill);
}

// What is counted begins anew before anybody is told.
TP_NOINLINE void tp_watermark_reset(const struct tp_watermark *watermark)
{
  struct tp_watermark_state *state = watermark->state;
  bool was_low = state->low;
  tp_pool_reset_for(watermark->pool, tp_site(NULL));
  state->live = 0;
  state->low = 0;
  if (!was_low || !watermark->on_refill) return;
  watermark->on_refill(watermark->pool, watermark->pool->capacity);
}
