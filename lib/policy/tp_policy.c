// SPDX-License-Identifier: MIT
// The policies that need no parameters: who names one links no other.
#include "tidepool.h"

#include "check/tp_check.h"
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
static void *steal(const struct tp_pool *pool, uint32_t *tag, tp_site_t site)
{
  return tp_steal_core(pool, pool->lock, tag, site);
}

const struct tp_policy tp_steal_oldest = {.overflow = steal};
