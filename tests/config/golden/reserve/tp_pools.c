// Generated from pools.toml by tidepool.py. Edit pools.toml, not this file.
// clang-format off

#include "tp_pools.h"
#include "config/tp_define.h"

// Only tp_pools.ld defines it. A link without that ends with this sentence.
extern const char tidepool_ERROR_linker_script_lacks_INCLUDE_tp_pools_ld[];

TP_RESERVE_DEFINE(voices, 8, 16, 2, 8,
                  TP_BANK("ram", "voices"), TP_TAGS_IF_CHECKED, tp_drop,
                  .lock = TP_LOCK_PRIMASK,
                  .link_check = tidepool_ERROR_linker_script_lacks_INCLUDE_tp_pools_ld);

TP_RESERVE_DEFINE(jobs, 32, 4, 1, 8,
                  TP_NO_BANK, TP_TAGS_IF_CHECKED, tp_assert,
                  .lock = TP_LOCK_PRIMASK);

const struct tp_pool *const tp_pool_table[TP_POOL_N] = {
  &voices_pool,
  &jobs_pool,
};
