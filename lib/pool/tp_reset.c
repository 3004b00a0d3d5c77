// SPDX-License-Identifier: MIT
#include "pool/tp_pool.h"

#include "check/tp_check.h"

// Without tags nobody knows which slots are live: all are as at boot.
static void forget(const struct tp_pool *pool)
{
  pool->state->fresh = 0;
  pool->tag[0] = 0;
  pool->tag[1] = 0;
  if (!pool->age) return;
  pool->age[0] = (struct tp_age_link){TP_NO_SLOT, TP_NO_SLOT};
}

void tp_pool_reset(const struct tp_pool *pool)
{
  if (!tp_tag_kept(pool)) {
    forget(pool);
    return;
  }
  for (uint32_t slot = pool->state->fresh; slot > 0; slot--) {
    if (pool->tag[slot] < TP_LIVE) continue;
    tp_pool_free(pool, tp_slot_words(pool, slot));
  }
}
