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
static uint32_t particles_tag[TP_TAGS(256) + 1];
static struct tp_pool_state particles_state;
_Alignas(8) __attribute__((section(".bss.tp_arena.dtcm.particles")))
static tp_word_t particles_storage[(TP_RED_ZONE(8) + 256 * particles_stride) / 4];
const struct tp_pool particles_pool = {
  .tag = particles_tag,
  .state = &particles_state,
  .storage = particles_storage + TP_RED_ZONE(8) / 4,
  .capacity = 256,
  .policy = &tp_drop,
  .name = "particles",
  .size = 24,
  .stride = particles_stride,
  .shift = particles_shift,
  .inverse = TP_INVERSE(particles_odd),
  .zone = TP_RED_ZONE(8),
  .handle_bits = 9,
  .lock = TP_LOCK_PRIMASK,
  .refuses = 1,
  .link_check = tidepool_ERROR_linker_script_lacks_INCLUDE_tp_pools_ld,
};

enum {
  enemies_stride = TP_STRIDE(80, 8),
  enemies_shift = TP_SHIFT(enemies_stride),
  enemies_odd = enemies_stride >> enemies_shift,
};
static uint32_t enemies_tag[TP_TAGS(48) + 1];
static struct tp_pool_state enemies_state;
_Alignas(8) __attribute__((section(".bss.tp_arena.psram.enemies")))
static tp_word_t enemies_storage[(TP_RED_ZONE(8) + 48 * enemies_stride) / 4];
const struct tp_pool enemies_pool = {
  .tag = enemies_tag,
  .state = &enemies_state,
  .storage = enemies_storage + TP_RED_ZONE(8) / 4,
  .capacity = 48,
  .policy = &tp_assert,
  .name = "enemies",
  .size = 80,
  .stride = enemies_stride,
  .shift = enemies_shift,
  .inverse = TP_INVERSE(enemies_odd),
  .zone = TP_RED_ZONE(8),
  .handle_bits = 6,
  .lock = TP_LOCK_PRIMASK,
  .link_check = tidepool_ERROR_linker_script_lacks_INCLUDE_tp_pools_ld,
};

enum {
  embers_stride = TP_STRIDE(24, 8),
  embers_shift = TP_SHIFT(embers_stride),
  embers_odd = embers_stride >> embers_shift,
};
static uint32_t embers_tag[TP_TAGS(64) + 1];
static struct tp_pool_state embers_state;
_Alignas(8) __attribute__((section(".bss.tp_arena.dtcm.embers")))
static tp_word_t embers_storage[(TP_RED_ZONE(8) + 64 * embers_stride) / 4];
const struct tp_pool embers_pool = {
  .tag = embers_tag,
  .state = &embers_state,
  .storage = embers_storage + TP_RED_ZONE(8) / 4,
  .capacity = 64,
  .policy = &tp_drop,
  .name = "embers",
  .size = 24,
  .stride = embers_stride,
  .shift = embers_shift,
  .inverse = TP_INVERSE(embers_odd),
  .zone = TP_RED_ZONE(8),
  .handle_bits = 7,
  .lock = TP_LOCK_PRIMASK,
  .refuses = 1,
  .link_check = tidepool_ERROR_linker_script_lacks_INCLUDE_tp_pools_ld,
};

enum {
  debris_stride = TP_STRIDE(24, 8),
  debris_shift = TP_SHIFT(debris_stride),
  debris_odd = debris_stride >> debris_shift,
};
static uint32_t debris_tag[TP_TAGS(64) + 1];
static struct tp_pool_state debris_state;
_Alignas(8)
static tp_word_t debris_storage[(TP_RED_ZONE(8) + 64 * debris_stride) / 4];
const struct tp_pool debris_pool = {
  .tag = debris_tag,
  .state = &debris_state,
  .storage = debris_storage + TP_RED_ZONE(8) / 4,
  .capacity = 64,
  .policy = &tp_drop,
  .name = "debris",
  .size = 24,
  .stride = debris_stride,
  .shift = debris_shift,
  .inverse = TP_INVERSE(debris_odd),
  .zone = TP_RED_ZONE(8),
  .handle_bits = 7,
  .lock = TP_LOCK_PRIMASK,
  .refuses = 1,
};

const struct tp_pool *const tp_pool_table[TP_POOL_N] = {
  &particles_pool,
  &enemies_pool,
  &embers_pool,
  &debris_pool,
};
