// SPDX-License-Identifier: MIT
#include "object/tp_retained.h"

#include "core/tp_verify.h"

// Depends on whatever decides how the memory is cut.
static uint32_t seal_of(const struct tp_retained *retained)
{
  uint32_t stride = retained->pool->stride;
  return 0x5ea1ed00u ^ retained->config ^ retained->tags ^ stride << 16;
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

bool tp_pool_believe(const struct tp_retained *retained)
{
  uint32_t seal = seal_of(retained);
  if (*retained->seal == seal && tp_pool_verify(retained->pool, NULL)) {
    return true;
  }
  make_empty(retained->pool, retained->tags);
  *retained->seal = seal;
  return false;
}
