// SPDX-License-Identifier: MIT
#include "object/tp_noinit.h"

// Depends on whatever decides where the memory lies and how it is cut.
static uint32_t seal_of(const struct tp_noinit *noinit)
{
  const struct tp_pool *pool = noinit->pool;
  uint32_t where = (uint32_t)(uintptr_t)pool->storage;
  uint32_t stride = pool->stride;
  return 0x5ea1ed00u ^ noinit->config ^ noinit->tags ^ stride << 16 ^ where;
}

static void make_empty(const struct tp_pool *pool, uint32_t tags)
{
  for (uint32_t i = 0; i < tags; i++) pool->tag[i] = 0;
  *pool->state = (struct tp_pool_state){0};
  if (!pool->age) return;
  for (uint32_t i = 0; i <= pool->capacity; i++) {
    pool->age[i] = (struct tp_age_link){0};
  }
}

bool tp_noinit_validate(const struct tp_noinit *noinit)
{
  uint32_t seal = seal_of(noinit);
  if (*noinit->seal == seal && tp_pool_verify(noinit->pool, NULL)) {
    return true;
  }
  make_empty(noinit->pool, noinit->tags);
  *noinit->seal = seal;
  return false;
}
