// Generated from pools.toml by tidepool.py. Edit pools.toml, not this file.
// clang-format off

#include "tp_pools.h"
#include "config/tp_define.h"

// Only tp_pools.ld defines it. A link without that ends with this sentence.
extern const char tidepool_ERROR_linker_script_lacks_INCLUDE_tp_pools_ld[];

TP_POOL_DEFINE(enemies, 80, 48, 8,
               TP_IN_NEST("ram", "root", "2high", "enemies"), TP_TAGS_IF_CHECKED,
               .policy = &tp_assert, .lock = TP_LOCK_PRIMASK,
               .link_check = tidepool_ERROR_linker_script_lacks_INCLUDE_tp_pools_ld);

TP_POOL_DEFINE(sparks, 12, 3, 4,
               TP_IN_NEST("ram", "root", "2high", "sparks"), TP_TAGS_IF_CHECKED,
               .policy = &tp_drop, .lock = TP_LOCK_PRIMASK,
               .refuses = 1,
               .link_check = tidepool_ERROR_linker_script_lacks_INCLUDE_tp_pools_ld);

TP_POOL_DEFINE(embers, 12, 1, 4,
               TP_NO_BANK, TP_TAGS_IF_CHECKED,
               .policy = &tp_drop, .lock = TP_LOCK_PRIMASK,
               .refuses = 1);

TP_STACK_DEFINE(level, 2048,
                TP_IN_NEST("ram", "root", "2high", "level"),
                .full = TP_FULL_ASSERT,
                .link_check = tidepool_ERROR_linker_script_lacks_INCLUDE_tp_pools_ld);

TP_DSTACK_DEFINE(sides, 1024,
                 TP_IN_NEST("ram", "root", "0low", "sides"),
                 .full = TP_FULL_DROP,
                 .link_check = tidepool_ERROR_linker_script_lacks_INCLUDE_tp_pools_ld);

TP_FRAME_DEFINE(draw, 1024, 2,
                TP_IN_NEST("ram", "root", "0low", "draw"),
                .full = TP_FULL_DROP,
                .link_check = tidepool_ERROR_linker_script_lacks_INCLUDE_tp_pools_ld);

static const struct tp_nest_row root_rows[] = {
  TP_NEST_ROW_POOL(enemies, TP_HIGH),
  TP_NEST_ROW_POOL(sparks, TP_HIGH),
  TP_NEST_ROW_STACK(level, TP_HIGH),
  TP_NEST_ROW_DSTACK(sides, TP_LOW),
  TP_NEST_ROW_FRAME(draw, TP_LOW),
};
TP_NEST_DEFINE(root, 16384,
               TP_NEST_TAKES(enemies) + TP_NEST_TAKES(sparks) + TP_NEST_TAKES(level) + TP_NEST_TAKES(sides) + TP_NEST_TAKES(draw),
               TP_IN_NEST("ram", "root", "1free", "root"),
               root_rows,
               .full = TP_FULL_DROP,
               .link_check = tidepool_ERROR_linker_script_lacks_INCLUDE_tp_pools_ld);

static const struct tp_nest_row side_rows[] = {
  TP_NEST_ROW_POOL(embers, TP_LOW),
};
TP_NEST_DEFINE(side, 1024,
               TP_NEST_TAKES(embers),
               TP_NO_BANK,
               side_rows,
               .full = TP_FULL_ASSERT);

TP_NEST_DEFINE(spare, 2048, 0,
               TP_BANK("ram", "spare"),
               NULL,
               .full = TP_FULL_DROP,
               .link_check = tidepool_ERROR_linker_script_lacks_INCLUDE_tp_pools_ld);

const struct tp_pool *const tp_pool_table[TP_POOL_N] = {
  &enemies_pool,
  &sparks_pool,
  &embers_pool,
};
