// Generated from pools.toml by tidepool.py. Edit pools.toml, not this file.
// clang-format off

#include "tp_pools.h"
#include "config/tp_define.h"

TP_POOL_DEFINE(sparks, 24, 4000, 8,
               TP_NO_BANK, TP_TAGS_ALWAYS,
               .policy = &tp_drop, .lock = TP_LOCK_PRIMASK,
               .refuses = 1);

const struct tp_pool *const tp_pool_table[TP_POOL_N] = {
  &sparks_pool,
};
