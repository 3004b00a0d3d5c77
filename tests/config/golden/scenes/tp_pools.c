// Generated from pools.toml by tidepool.py. Edit pools.toml, not this file.
// clang-format off

#include "tp_pools.h"
#include "config/tp_define.h"

// Only tp_pools.ld defines it. A link without that ends with this sentence.
extern const char tidepool_ERROR_linker_script_lacks_INCLUDE_tp_pools_ld[];

TP_SCENE_POOL_DEFINE(particles, 24, 400, 8,
                     (256, 400, 16),
                     .policy = &tp_drop, .lock = TP_LOCK_PRIMASK,
                     .refuses = 1,
                     .link_check = tidepool_ERROR_linker_script_lacks_INCLUDE_tp_pools_ld);

static void release_of_enemies(void *object)
{
  enemy_gone((struct enemy *)object);
}
TP_SCENE_POOL_DEFINE(enemies, 96, 48, 8,
                     (48, 8, 0),
                     .policy = &tp_assert, .lock = TP_LOCK_PRIMASK,
                     .link_check = tidepool_ERROR_linker_script_lacks_INCLUDE_tp_pools_ld);

TP_POOL_AGE(voices, 16);
TP_SCENE_POOL_DEFINE(voices, 8, 16, 8,
                     (16, 0, 8),
                     .policy = &tp_steal_oldest, .lock = TP_LOCK_PRIMASK,
                     .age = voices_age,
                     .link_check = tidepool_ERROR_linker_script_lacks_INCLUDE_tp_pools_ld);

TP_POOL_DEFINE(fixed, 8, 5, 8,
               TP_NO_BANK, TP_TAGS_IF_CHECKED,
               .policy = &tp_drop, .lock = TP_LOCK_PRIMASK,
               .refuses = 1);

enum {
  scenes_bytes_battle = TP_SCENE_BYTES(particles, 256, 8) +
      TP_SCENE_BYTES(enemies, 48, 8) +
      TP_SCENE_BYTES(voices, 16, 8),
  scenes_most_battle = TP_LARGER(0, scenes_bytes_battle),
  scenes_bytes_title = TP_SCENE_BYTES(particles, 400, 8) +
      TP_SCENE_BYTES(enemies, 8, 8) +
      TP_SCENE_BYTES(voices, 0, 8),
  scenes_most_title = TP_LARGER(scenes_most_battle, scenes_bytes_title),
  scenes_bytes_shop = TP_SCENE_BYTES(particles, 16, 8) +
      TP_SCENE_BYTES(enemies, 0, 8) +
      TP_SCENE_BYTES(voices, 8, 8),
  scenes_most_shop = TP_LARGER(scenes_most_title, scenes_bytes_shop),
};
TP_SCENES_DEFINE(scenes, scenes_most_shop,
                 3, 8,
                 TP_BANK("dtcm", "scenes"),
                 TP_SCENE_POOL(particles, NULL),
                 TP_SCENE_POOL(enemies, release_of_enemies),
                 TP_SCENE_POOL(voices, NULL));

const struct tp_pool *const tp_pool_table[TP_POOL_N] = {
  &particles_pool,
  &enemies_pool,
  &voices_pool,
  &fixed_pool,
};
