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

TP_STACK_DEFINE(level, 8192,
                TP_BANK("ram", "level"),
                .full = TP_FULL_ASSERT,
                .link_check = tidepool_ERROR_linker_script_lacks_INCLUDE_tp_pools_ld);

TP_DSTACK_DEFINE(sides, 4096,
                 TP_NO_BANK,
                 .full = TP_FULL_DROP);

TP_FRAME_DEFINE(draw, 4096, 2,
                TP_BANK("ram", "draw"),
                .full = TP_FULL_DROP,
                .link_check = tidepool_ERROR_linker_script_lacks_INCLUDE_tp_pools_ld);

TP_FRAME_DEFINE(scratch, 512, 1,
                TP_NO_BANK,
                .full = TP_FULL_ASSERT);

const struct tp_pool *const tp_pool_table[TP_POOL_N] = {
  &sparks_pool,
};
