// SPDX-License-Identifier: MIT
#include "tidepool.h"

#include "core/tp_slot.h"
#include "core/tp_core.h"

// Adds up all tags ever used: how often slots were issued, how many are live.
static void sum_tags(const struct tp_pool *pool, struct tp_stats *stats)
{
  const volatile uint32_t *tag = pool->tag;
  stats->allocs = 0;
  stats->live = 0;
  if (!tp_tag_kept(pool)) return;
  for (uint32_t slot = 1; slot <= stats->peak; slot++) {
    uint32_t now = tag[slot];
    stats->allocs += now & TP_GENERATION_MAX;
    stats->live += now >> 31;
  }
}

static uint32_t peak_of(const volatile struct tp_pool_state *state)
{
  uint32_t fresh = state->fresh;
  uint32_t reached = state->reached;
  return fresh > reached ? fresh : reached;
}

void tp_pool_stats(const struct tp_pool *pool, struct tp_stats *stats)
{
  const volatile struct tp_pool_state *state = pool->state;
  // A theft during the sum counts twice, or not at all: sum again.
  do {
    stats->steals = state->steals;
    stats->spills = state->spills;
    stats->refused = state->overflows - stats->steals - stats->spills;
    stats->peak = peak_of(state);
    sum_tags(pool, stats);
  } while (stats->steals != state->steals);
  stats->frees = 0;
  if (!tp_tag_kept(pool)) return;
  stats->frees = stats->allocs - stats->live - stats->steals;
}

uint32_t tp_pool_live(const struct tp_pool *pool)
{
  return tp_list_live(pool);
}

uint32_t tp_pool_oldest_age(const struct tp_pool *pool)
{
  if (!pool->born) return 0;
  uint32_t key = tp_lock_take(pool->lock);
  tp_slot_t oldest = tp_age_oldest(pool->age);
  uint32_t age = oldest ? tp_clock_now - pool->born[oldest] : 0;
  tp_lock_give(pool->lock, key);
  return age;
}
