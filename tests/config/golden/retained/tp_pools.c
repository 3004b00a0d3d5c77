// Generated from pools.toml by tidepool.py. Edit pools.toml, not this file.
// clang-format off

#include "tp_pools.h"
#include "config/tp_define.h"

// Only tp_pools.ld defines it. A link without that ends with this sentence.
extern const char tidepool_ERROR_linker_script_lacks_INCLUDE_tp_pools_ld[];

TP_NOINIT_METADATA(notes, 16, TP_TAGS_ALWAYS, "keep");
TP_POOL_DEFINE(notes, 24, 16, 8,
               TP_BANK("keep", "notes"), TP_TAGS_ALWAYS,
               .policy = &tp_drop, .lock = TP_LOCK_PRIMASK,
               .refuses = 1,
               .link_check = tidepool_ERROR_linker_script_lacks_INCLUDE_tp_pools_ld);
TP_NOINIT_DEFINE(notes, TP_CONFIG_HASH);

TP_NOINIT_METADATA(logs, 16, TP_TAGS_ALWAYS, "keep");
TP_NOINIT_AGE(logs, 16, "keep");
TP_NOINIT_BORN(logs, 16, "keep");
TP_POOL_DEFINE(logs, 24, 16, 8,
               TP_BANK("keep", "logs"), TP_TAGS_ALWAYS,
               .policy = &tp_steal_oldest, .lock = TP_LOCK_PRIMASK,
               .age = logs_age,
               .born = logs_born, .min_age = 3,
               .link_check = tidepool_ERROR_linker_script_lacks_INCLUDE_tp_pools_ld);
TP_NOINIT_DEFINE(logs, TP_CONFIG_HASH);

TP_NOINIT_METADATA(plain, 16, TP_TAGS_IF_CHECKED, "keep");
TP_POOL_DEFINE(plain, 24, 16, 8,
               TP_BANK("keep", "plain"), TP_TAGS_IF_CHECKED,
               .policy = &tp_drop, .lock = TP_LOCK_PRIMASK,
               .refuses = 1,
               .link_check = tidepool_ERROR_linker_script_lacks_INCLUDE_tp_pools_ld);
TP_NOINIT_DEFINE(plain, TP_CONFIG_HASH);

const struct tp_pool *const tp_pool_table[TP_POOL_N] = {
  &notes_pool,
  &logs_pool,
  &plain_pool,
};
