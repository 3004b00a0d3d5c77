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

TP_RELOC_DEFINE(meshes, 16384, 64,
                TP_BANK("psram", "meshes"),
                .moves = 8, .move_bytes = 2048,
                .on_move = mesh_moved,
                .full = 0,
                .link_check = tidepool_ERROR_linker_script_lacks_INCLUDE_tp_pools_ld);

TP_RELOC_DEFINE(names, 1024, 1000,
                TP_NO_BANK,
                .moves = 4, .move_bytes = 1024,
                .full = 1);

const struct tp_pool *const tp_pool_table[TP_POOL_N] = {
  &sparks_pool,
};
