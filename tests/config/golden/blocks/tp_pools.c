// Generated from pools.toml by tidepool.py. Edit pools.toml, not this file.
// clang-format off

#include "tp_pools.h"
#include "config/tp_define.h"

TP_POOL_DEFINE(particles, 32, 256, 16,
               TP_NO_BANK, TP_TAGS_IF_CHECKED,
               .policy = &tp_drop, .lock = TP_LOCK_PRIMASK,
               .refuses = 1);

TP_POOL_DEFINE(enemies, 80, 48, 16,
               TP_NO_BANK, TP_TAGS_IF_CHECKED,
               .policy = &tp_assert, .lock = TP_LOCK_PRIMASK);

const struct tp_pool *const tp_pool_table[TP_POOL_N] = {
  &particles_pool,
  &enemies_pool,
};
