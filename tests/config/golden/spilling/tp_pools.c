// Generated from pools.toml by tidepool.py. Edit pools.toml, not this file.
// clang-format off

#include "tp_pools.h"
#include "config/tp_define.h"

// Only tp_pools.ld defines it. A link without that ends with this sentence.
extern const char tidepool_ERROR_linker_script_lacks_INCLUDE_tp_pools_ld[];

TP_POOL_DEFINE(depot, 32, 8, 8,
               TP_BANK("ram", "depot"), TP_TAGS_IF_CHECKED,
               .policy = &tp_drop, .lock = TP_LOCK_PRIMASK,
               .refuses = 1,
               .link_check = tidepool_ERROR_linker_script_lacks_INCLUDE_tp_pools_ld);
TP_CHUNK_DEFINE(depot, .patience = 0);

TP_SPILL_DEFINE(rubble, depot, tp_drop);
TP_POOL_DEFINE(rubble, 24, 16, 8,
               TP_NO_BANK, TP_TAGS_IF_CHECKED,
               TP_SPILLS(rubble, depot), .lock = TP_LOCK_PRIMASK);
TP_CHUNK_OWNERS(rubble);
TP_CHUNK_DEFINE(rubble, .owner = rubble_owner, .patience = 60);

TP_SPILL_DEFINE(sparks, rubble, tp_drop);
TP_POOL_DEFINE(sparks, 24, 64, 8,
               TP_NO_BANK, TP_TAGS_IF_CHECKED,
               TP_SPILLS(sparks, rubble), .lock = TP_LOCK_PRIMASK);

TP_SPILL_DEFINE(embers, rubble, tp_assert);
TP_POOL_DEFINE(embers, 24, 16, 8,
               TP_BANK("ram", "embers"), TP_TAGS_IF_CHECKED,
               TP_SPILLS(embers, rubble), .lock = TP_LOCK_PRIMASK,
               .link_check = tidepool_ERROR_linker_script_lacks_INCLUDE_tp_pools_ld);

const struct tp_pool *const tp_pool_table[TP_POOL_N] = {
  &sparks_pool,
  &embers_pool,
  &rubble_pool,
  &depot_pool,
};
