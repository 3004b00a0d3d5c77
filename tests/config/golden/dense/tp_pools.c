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

static void on_move_of_bullets(void *to, const void *from, tp_handle_t handle)
{
  bullet_moved((struct particle *)to, (const struct particle *)from, handle);
}
TP_DENSE_DEFINE(bullets, 24, 128, 8,
                TP_BANK("ram", "bullets"),
                .on_move = on_move_of_bullets,
                .full = 0,
                .link_check = tidepool_ERROR_linker_script_lacks_INCLUDE_tp_pools_ld);

static void on_move_of_shells(void *to, const void *from, tp_handle_t handle)
{
  bullet_moved((struct particle *)to, (const struct particle *)from, handle);
}
TP_DENSE_DEFINE(shells, 20, 16, 4,
                TP_NO_BANK,
                .on_move = on_move_of_shells,
                .full = 1);

TP_DENSE_DEFINE(marks, 8, 9, 8,
                TP_NO_BANK,
                .full = 0);

const struct tp_pool *const tp_pool_table[TP_POOL_N] = {
  &sparks_pool,
};
