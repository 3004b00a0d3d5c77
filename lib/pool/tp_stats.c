// SPDX-License-Identifier: MIT
#include "pool/tp_stats.h"

#include "check/tp_tag.h"

// Adds up tags 1..fresh: how many lives began, how many have not ended.
static void sum_tags(const struct tp_pool *pool, struct tp_pool_stats *stats)
{
  const volatile uint32_t *tag = pool->tag;
  stats->allocs = 0;
  stats->live = 0;
  for (uint32_t slot = 1; slot <= stats->peak; slot++) {
    uint32_t now = tag[slot];
    stats->allocs += now & TP_GENERATION_MAX;
    stats->live += now >> 31;
  }
}

void tp_pool_stats(const struct tp_pool *pool, struct tp_pool_stats *stats)
{
  const volatile struct tp_pool_state *state = pool->state;
  // A theft during the sum ends one life and begins another: sum again.
  do {
    stats->steals = state->steals;
    stats->drops = state->overflows - stats->steals;
    stats->peak = tp_tag_kept(pool) ? state->fresh : 0;
    sum_tags(pool, stats);
  } while (stats->steals != state->steals);
  stats->peak = state->fresh;
  if (tp_tag_kept(pool)) {
    stats->frees = stats->allocs - stats->live - stats->steals;
  } else {
    stats->frees = 0;
  }
}
