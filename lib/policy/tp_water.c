// SPDX-License-Identifier: MIT
#include "policy/tp_water.h"

#include "core/tp_slot.h"

// Counts [change] more live. Returns whether that crossed into or out of low.
static bool count(const struct tp_water *water, int change, uint32_t low)
{
  struct tp_water_state *state = water->state;
  uint32_t lock = water->pool->lock;
  uint32_t key = tp_lock_take(lock);
  state->live = (uint16_t)(state->live + change);
  uint32_t free = (uint32_t)water->pool->capacity - state->live;
  bool there = low ? free <= water->low : free >= water->refill;
  bool crossed = there && state->low != low;
  if (crossed) state->low = (uint8_t)low;
  tp_lock_give(lock, key);
  return crossed;
}

// Counted when it is issued: a refused request crosses nothing.
void *tp_water_alloc(const struct tp_water *water)
{
  void *object = tp_pool_alloc(water->pool);
  if (!object) return NULL;
  bool fell = count(water, 1, 1);
  if (fell && water->on_low) water->on_low(water->pool, water->low);
  return object;
}

// Counted before it is free, so that [live] never exceeds what is live.
void tp_water_free(const struct tp_water *water, void *object)
{
  bool recovered = count(water, -1, 0);
  tp_pool_free(water->pool, object);
  if (!recovered || !water->on_refill) return;
  water->on_refill(water->pool, water->refill);
}
