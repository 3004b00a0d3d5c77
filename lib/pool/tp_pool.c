// SPDX-License-Identifier: MIT
#include "pool/tp_pool.h"

#include "pool/tp_core.h"

static void *ask_policy(const struct tp_pool *pool, uint32_t lock,
                        uint32_t *tag)
{
  (void)lock;
  return pool->policy->overflow(pool, tag);
}

void *tp_pool_alloc(const struct tp_pool *pool)
{
  return tp_core_alloc(pool, TP_LOCK_PRIMASK, tp_pool_extend, NULL);
}

void *tp_pool_alloc_tagged(const struct tp_pool *pool, uint32_t *tag)
{
  return tp_core_alloc(pool, pool->lock, tp_pool_extend, tag);
}

void tp_pool_free(const struct tp_pool *pool, void *object)
{
  tp_core_free(pool, TP_LOCK_PRIMASK, object);
}

TP_NOINLINE void *tp_pool_extend(const struct tp_pool *pool, uint32_t *tag)
{
  return tp_core_extend(pool, pool->lock, ask_policy, tag);
}
