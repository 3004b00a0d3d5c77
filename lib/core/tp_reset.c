// SPDX-License-Identifier: MIT
#include "core/tp_reset.h"

#include "check/tp_check.h"
#include "core/tp_core.h"

void tp_pool_forget(const struct tp_pool *pool)
{
  struct tp_pool_state *state = pool->state;
  if (state->fresh > state->reached) state->reached = state->fresh;
  state->fresh = 0;
  pool->tag[0] = 0;
  if (!tp_tag_kept(pool)) pool->tag[1] = 0;
  if (!pool->age) return;
  pool->age[0] = (struct tp_age_link){TP_NO_SLOT, TP_NO_SLOT};
}

// As if all had been live and were freed from the last to the first.
static void list_in_order(const struct tp_pool *pool)
{
  uint32_t fresh = pool->state->fresh;
  pool->tag[0] = 0;
  for (uint32_t slot = 1; slot <= fresh; slot++) tp_list_grow(pool);
  for (uint32_t slot = fresh; slot > 0; slot--) {
    tp_list_put(pool, tp_slot_words(pool, slot), slot);
  }
}

void tp_pool_rebuild(const struct tp_pool *pool)
{
  uint32_t fresh = pool->state->fresh;
  for (uint32_t slot = 1; slot <= fresh; slot++) {
    tp_check_grown(pool, tp_slot_words(pool, slot));
  }
  for (uint32_t slot = 1; slot <= fresh; slot++) {
    tp_check_retired(pool, tp_slot_words(pool, slot), NULL);
  }
  list_in_order(pool);
}

void tp_pool_reset_for(const struct tp_pool *pool, tp_site_t site)
{
  if (!tp_tag_kept(pool)) {
    tp_pool_forget(pool);  // Nobody knows which slots are live.
    return;
  }
  for (uint32_t slot = pool->state->fresh; slot > 0; slot--) {
    if (pool->tag[slot] < TP_LIVE) continue;
    tp_pool_free_for(pool, tp_slot_words(pool, slot), site);
  }
  list_in_order(pool);
}

TP_NOINLINE void tp_pool_reset(const struct tp_pool *pool)
{
  tp_pool_reset_for(pool, tp_site(NULL));
}
