// SPDX-License-Identifier: MIT
#include "policy/tp_policy.h"

#include "policy/tp_steal.h"

static void *steal(const struct tp_pool *pool, uint32_t *tag)
{
  return tp_steal_core(pool, pool->lock, tag);
}

const struct tp_policy tp_steal_oldest = {.overflow = steal};
