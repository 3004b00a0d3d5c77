// SPDX-License-Identifier: MIT
#include "tidepool.h"

#include "policy/tp_steal.h"

//@ TP_STEALS_OLDEST(pool, tag);
static void *steal(const struct tp_pool *pool, uint32_t *tag, tp_site_t site)
{
  return tp_steal_core(pool, pool->lock, tag, site);
}

const struct tp_policy tp_steal_oldest = {.overflow = steal};
