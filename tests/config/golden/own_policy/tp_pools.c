// Generated from pools.toml by tidepool.py. Edit pools.toml, not this file.
// clang-format off

#include "tp_pools.h"
#include "config/tp_define.h"

TP_POOL_DEFINE(near, 64, 8, 8,
               TP_NO_BANK, TP_TAGS_IF_CHECKED,
               .policy = &app_drop_farthest, .lock = TP_LOCK_PRIMASK);

TP_POOL_DEFINE(far, 64, 8, 8,
               TP_NO_BANK, TP_TAGS_IF_CHECKED,
               .policy = &app_drop_farthest, .lock = TP_LOCK_PRIMASK);

const struct tp_pool *const tp_pool_table[TP_POOL_N] = {
  &near_pool,
  &far_pool,
};
