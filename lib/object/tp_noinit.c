// SPDX-License-Identifier: MIT
#include "object/tp_noinit.h"

#include "core/tp_words.h"

// A word that depends on all that decides where the memory lies and what is in
// which part of it.
static uint32_t seal_of(const struct tp_noinit *noinit)
{
  const struct tp_pool *pool = noinit->pool;
  uint32_t where = (uint32_t)(uintptr_t)pool->storage;
  uint32_t stride = pool->stride;
  return 0x5ea1ed00u ^ noinit->config ^ noinit->tags ^ stride << 16 ^ where;
}

static void make_empty(const struct tp_pool *pool, uint32_t tags)
{
  tp_clear_words(pool->tag, tags * sizeof *pool->tag);
  tp_clear_words(pool->state, sizeof *pool->state);
  if (!pool->age) return;
  tp_clear_words(pool->age, (pool->capacity + 1u) * sizeof *pool->age);
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
