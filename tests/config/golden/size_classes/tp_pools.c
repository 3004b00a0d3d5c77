// Generated from pools.toml by tidepool.py. Edit pools.toml, not this file.
// clang-format off

#include "tp_pools.h"
#include "config/tp_define.h"

// Only tp_pools.ld defines it. A link without that ends with this sentence.
extern const char tidepool_ERROR_linker_script_lacks_INCLUDE_tp_pools_ld[];

TP_POOL_DEFINE(sparks, 24, 10, 8,
               TP_NO_BANK, TP_TAGS_IF_CHECKED,
               .policy = &tp_drop, .lock = TP_LOCK_PRIMASK,
               .refuses = 1);

TP_BLOCK_CLASS(scripts, 16, 64,
               TP_BANK("ram", "scripts_16"),
               .policy = &tp_drop, .refuses = 1,
               .link_check = tidepool_ERROR_linker_script_lacks_INCLUDE_tp_pools_ld);
TP_BLOCK_CLASS(scripts, 32, 32,
               TP_BANK("ram", "scripts_32"),
               .policy = &tp_drop, .refuses = 1,
               .link_check = tidepool_ERROR_linker_script_lacks_INCLUDE_tp_pools_ld);
TP_BLOCK_CLASS(scripts, 64, 16,
               TP_BANK("ram", "scripts_64"),
               .policy = &tp_assert,
               .link_check = tidepool_ERROR_linker_script_lacks_INCLUDE_tp_pools_ld);
TP_BLOCKS_DEFINE(scripts, 1,
                 TP_BLOCK_ROW(scripts, 16),
                 TP_BLOCK_ROW(scripts, 32),
                 TP_BLOCK_ROW(scripts, 64));

TP_BLOCK_CLASS(packets, 8, 4,
               TP_NO_BANK,
               .policy = &tp_drop, .refuses = 1);
TP_BLOCK_CLASS(packets, 256, 2,
               TP_NO_BANK,
               .policy = &tp_drop, .refuses = 1);
TP_BLOCKS_DEFINE(packets, 0,
                 TP_BLOCK_ROW(packets, 8),
                 TP_BLOCK_ROW(packets, 256));

const struct tp_pool *const tp_pool_table[TP_POOL_N] = {
  &sparks_pool,
};
