// Generated from pools.toml by tidepool.py. Edit pools.toml, not this file.
// clang-format off

#include "tp_pools.h"
#include "core/tp_shape.h"

// Only tp_pools.ld defines it. A link without that ends with this sentence.
extern const char tidepool_ERROR_linker_script_lacks_INCLUDE_tp_pools_ld[];

enum {
  particles_stride = TP_STRIDE(24, 8),
  particles_shift = TP_SHIFT(particles_stride),
  particles_odd = particles_stride >> particles_shift,
};
static uint32_t particles_tag[400 + 1];
static struct tp_pool_state particles_state;
struct tp_pool particles_pool = {
  .tag = particles_tag,
  .state = &particles_state,
  .policy = &tp_drop,
  .name = "particles",
  .size = 24,
  .stride = particles_stride,
  .shift = particles_shift,
  .inverse = TP_INVERSE(particles_odd),
  .zone = TP_RED_ZONE(8),
  .handle_bits = 9,
  .lock = TP_LOCK_PRIMASK,
  .tagged = 1,
  .refuses = 1,
  .link_check = tidepool_ERROR_linker_script_lacks_INCLUDE_tp_pools_ld,
};

static void release_of_enemies(void *object)
{
  enemy_gone((struct enemy *)object);
}
enum {
  enemies_stride = TP_STRIDE(96, 8),
  enemies_shift = TP_SHIFT(enemies_stride),
  enemies_odd = enemies_stride >> enemies_shift,
};
static uint32_t enemies_tag[48 + 1];
static struct tp_pool_state enemies_state;
struct tp_pool enemies_pool = {
  .tag = enemies_tag,
  .state = &enemies_state,
  .policy = &tp_assert,
  .name = "enemies",
  .size = 96,
  .stride = enemies_stride,
  .shift = enemies_shift,
  .inverse = TP_INVERSE(enemies_odd),
  .zone = TP_RED_ZONE(8),
  .handle_bits = 6,
  .lock = TP_LOCK_PRIMASK,
  .tagged = 1,
  .link_check = tidepool_ERROR_linker_script_lacks_INCLUDE_tp_pools_ld,
};

enum {
  voices_stride = TP_STRIDE(8, 8),
  voices_shift = TP_SHIFT(voices_stride),
  voices_odd = voices_stride >> voices_shift,
};
static uint32_t voices_tag[16 + 1];
static struct tp_pool_state voices_state;
static struct tp_age_link voices_age[16 + 1];
struct tp_pool voices_pool = {
  .tag = voices_tag,
  .state = &voices_state,
  .policy = &tp_steal_oldest,
  .name = "voices",
  .size = 8,
  .stride = voices_stride,
  .shift = voices_shift,
  .inverse = TP_INVERSE(voices_odd),
  .zone = TP_RED_ZONE(8),
  .handle_bits = 5,
  .lock = TP_LOCK_PRIMASK,
  .tagged = 1,
  .age = voices_age,
  .link_check = tidepool_ERROR_linker_script_lacks_INCLUDE_tp_pools_ld,
};

enum {
  fixed_stride = TP_STRIDE(8, 8),
  fixed_shift = TP_SHIFT(fixed_stride),
  fixed_odd = fixed_stride >> fixed_shift,
};
static uint32_t fixed_tag[TP_TAGS(5) + 1];
static struct tp_pool_state fixed_state;
_Alignas(8)
static tp_word_t fixed_storage[(TP_RED_ZONE(8) + 5 * fixed_stride) / 4];
const struct tp_pool fixed_pool = {
  .tag = fixed_tag,
  .state = &fixed_state,
  .storage = fixed_storage + TP_RED_ZONE(8) / 4,
  .capacity = 5,
  .policy = &tp_drop,
  .name = "fixed",
  .size = 8,
  .stride = fixed_stride,
  .shift = fixed_shift,
  .inverse = TP_INVERSE(fixed_odd),
  .zone = TP_RED_ZONE(8),
  .handle_bits = 3,
  .lock = TP_LOCK_PRIMASK,
  .refuses = 1,
};

enum {
  scenes_battle = TP_CUT(256, particles_stride, 8, 8) +
    TP_CUT(48, enemies_stride, 8, 8) +
    TP_CUT(16, voices_stride, 8, 8),
  scenes_title = TP_CUT(400, particles_stride, 8, 8) +
    TP_CUT(8, enemies_stride, 8, 8) +
    TP_CUT(0, voices_stride, 8, 8),
  scenes_shop = TP_CUT(16, particles_stride, 8, 8) +
    TP_CUT(0, enemies_stride, 8, 8) +
    TP_CUT(8, voices_stride, 8, 8),
  scenes_most = TP_LARGER(scenes_shop, TP_LARGER(scenes_title, scenes_battle)),
};
static const tp_slot_t particles_counts[] = {256, 400, 16};
static tp_slot_t particles_peaks[3];
static const tp_slot_t enemies_counts[] = {48, 8, 0};
static tp_slot_t enemies_peaks[3];
static const tp_slot_t voices_counts[] = {16, 0, 8};
static tp_slot_t voices_peaks[3];
static const struct tp_scene_pool scenes_scene_pools[] = {
  {&particles_pool, particles_counts, particles_peaks, NULL},
  {&enemies_pool, enemies_counts, enemies_peaks, release_of_enemies},
  {&voices_pool, voices_counts, voices_peaks, NULL},
};
_Alignas(8) __attribute__((section(".bss.tp_arena.dtcm.scenes")))
static tp_word_t scenes_arena[(scenes_most + 3) / 4];
static struct tp_scene_state scenes_scene_state;
const struct tp_scenes scenes_scenes = {
  .pools = scenes_scene_pools,
  .arena = scenes_arena,
  .state = &scenes_scene_state,
  .name = "scenes",
  .bytes = scenes_most,
  .pool_count = 3,
  .scene_count = 3,
  .align = 8,
  .link_check = tidepool_ERROR_linker_script_lacks_INCLUDE_tp_pools_ld,
};

const struct tp_pool *const tp_pool_table[TP_POOL_N] = {
  &particles_pool,
  &enemies_pool,
  &voices_pool,
  &fixed_pool,
};
