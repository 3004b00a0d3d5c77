// Generated from pools.toml by tidepool.py. Edit pools.toml, not this file.
// clang-format off

#include "tp_pools.h"
#include "config/tp_define.h"

// Only tp_pools.ld defines it. A link without that ends with this sentence.
extern const char tidepool_ERROR_linker_script_lacks_INCLUDE_tp_pools_ld[];

TP_POOL_DEFINE(particles, 24, 256, 8,
               TP_BANK("dtcm", "particles"), TP_TAGS_IF_CHECKED,
               .policy = &tp_drop, .lock = TP_LOCK_PRIMASK,
               .refuses = 1,
               .link_check = tidepool_ERROR_linker_script_lacks_INCLUDE_tp_pools_ld);

TP_POOL_DEFINE(enemies, 80, 48, 8,
               TP_BANK("psram", "enemies"), TP_TAGS_IF_CHECKED,
               .policy = &tp_assert, .lock = TP_LOCK_PRIMASK,
               .link_check = tidepool_ERROR_linker_script_lacks_INCLUDE_tp_pools_ld);

TP_POOL_DEFINE(embers, 24, 64, 8,
               TP_BANK("dtcm", "embers"), TP_TAGS_IF_CHECKED,
               .policy = &tp_drop, .lock = TP_LOCK_PRIMASK,
               .refuses = 1,
               .link_check = tidepool_ERROR_linker_script_lacks_INCLUDE_tp_pools_ld);

TP_POOL_DEFINE(debris, 24, 64, 8,
               TP_NO_BANK, TP_TAGS_IF_CHECKED,
               .policy = &tp_drop, .lock = TP_LOCK_PRIMASK,
               .refuses = 1);

const struct tp_pool *const tp_pool_table[TP_POOL_N] = {
  &particles_pool,
  &enemies_pool,
  &embers_pool,
  &debris_pool,
};
