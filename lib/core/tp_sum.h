// SPDX-License-Identifier: MIT
// tp_sum.h - internal: what a pool did, summed up from its tags; written once,
// for pools whose tags are counts and for those whose tags are words of a code.
#ifndef TP_SUM_H
#define TP_SUM_H

#include "core/tp_tag.h"
#include "tidepool.h"

// How often the slot of [tag] was issued.
TP_INLINE uint32_t tp_sum_issues(const struct tp_pool *pool, uint32_t tag)
{
  return tp_tag_coded(pool) ? tp_code_issues(tag) : tag & TP_GENERATION_MAX;
}

// Adds up all tags ever used: how often slots were issued, how many are live.
TP_INLINE void tp_sum_tags(const struct tp_pool *pool, struct tp_stats *stats)
{
  const volatile uint32_t *tag = pool->tag;
  stats->allocs = 0;
  stats->live = 0;
  if (!tp_tag_kept(pool)) return;
  for (uint32_t slot = 1; slot <= stats->peak; slot++) {
    uint32_t now = tag[slot];
    stats->allocs += tp_sum_issues(pool, now);
    stats->live += now >> 31;
  }
}

TP_INLINE uint32_t tp_sum_peak(const volatile struct tp_pool_state *state)
{
  uint32_t fresh = state->fresh;
  uint32_t reached = state->reached;
  return fresh > reached ? fresh : reached;
}

// Of a hardened pool, .spills says how often the code of a slot began again.
TP_INLINE void tp_sum_restarts(const struct tp_pool *pool,
                               struct tp_stats *stats)
{
  if (!tp_tag_coded(pool)) return;
  stats->allocs += stats->spills * (TP_CODE_LIVES - 1);
  stats->refused += stats->spills;
  stats->spills = 0;
}

// How many were served though no slot was free, or codes began again: each of
// the two only grows.
TP_INLINE uint32_t tp_sum_served(const volatile struct tp_pool_state *state)
{
  uint32_t steals = state->steals;
  return steals + state->spills;
}

TP_INLINE void tp_sum_stats(const struct tp_pool *pool, struct tp_stats *stats)
{
  const volatile struct tp_pool_state *state = pool->state;
  uint32_t served;
  // Of these one during the sum is counted by halves: sum again.
  do {
    served = tp_sum_served(state);
    stats->steals = state->steals;
    stats->spills = state->spills;
    stats->refused = state->overflows - stats->steals - stats->spills;
    stats->peak = tp_sum_peak(state);
    tp_sum_tags(pool, stats);
    tp_sum_restarts(pool, stats);
  } while (tp_sum_served(state) != served);
  stats->frees = 0;
  if (tp_tag_kept(pool)) {
    stats->frees = stats->allocs - stats->live - stats->steals;
  } else if (pool->refuses) {
    stats->refused = 0;  // Only who found the pool full at its end was counted.
  }
}

#endif
