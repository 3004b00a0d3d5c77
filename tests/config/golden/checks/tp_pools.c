// Generated from pools.toml by tidepool.py. Edit pools.toml, not this file.
// clang-format off

#include "tp_pools.h"
#include "config/tp_define.h"

TP_STATIC_ASSERT(TP_CHECKS == TP_CHECKS_FULL,
                 "pools.toml:4: compiled at another check level than full");

// Only tp_pools.ld defines it. A link without that ends with this sentence.
extern const char tidepool_ERROR_linker_script_lacks_INCLUDE_tp_pools_ld[];

TP_POOL_DEFINE(sparks, 24, 4, 8,
               TP_BANK("fast", "sparks"), TP_TAGS_IF_CHECKED,
               .policy = &tp_drop, .lock = TP_LOCK_PRIMASK,
               .refuses = 1,
               .link_check = tidepool_ERROR_linker_script_lacks_INCLUDE_tp_pools_ld);

const struct tp_pool *const tp_pool_table[TP_POOL_N] = {
  &sparks_pool,
};
