// SPDX-License-Identifier: MIT
// dropping.c - the least that uses the library: one pool, which drops.
#include "config/tp_define.h"

struct spark {
  uint32_t word[8];
};

TP_POOL_DEFINE(sparks, sizeof(struct spark), 64, 8, .policy = &tp_drop,
               .refuses = 1);

struct spark *volatile spark;

void start(void);

void start(void)
{
  spark = tp_pool_alloc(&sparks_pool);
  if (spark) tp_pool_free(&sparks_pool, spark);
}
