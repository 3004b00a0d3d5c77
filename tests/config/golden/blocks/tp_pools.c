// Generated from pools.toml by tidepool.py. Edit pools.toml, not this file.
// clang-format off

#include "tp_pools.h"
#include "core/tp_shape.h"

enum {
  particles_stride = TP_STRIDE(32, 16),
  particles_shift = TP_SHIFT(particles_stride),
  particles_odd = particles_stride >> particles_shift,
};
static uint32_t particles_tag[TP_TAGS(256) + 1];
static struct tp_pool_state particles_state;
_Alignas(16)
static tp_word_t particles_storage[(TP_RED_ZONE(16) + 256 * particles_stride) / 4];
const struct tp_pool particles_pool = {
  .tag = particles_tag,
  .state = &particles_state,
  .storage = particles_storage + TP_RED_ZONE(16) / 4,
  .capacity = 256,
  .policy = &tp_drop,
  .name = "particles",
  .size = 32,
  .stride = particles_stride,
  .shift = particles_shift,
  .inverse = TP_INVERSE(particles_odd),
  .zone = TP_RED_ZONE(16),
  .handle_bits = 9,
  .lock = TP_LOCK_PRIMASK,
  .refuses = 1,
};

enum {
  enemies_stride = TP_STRIDE(80, 16),
  enemies_shift = TP_SHIFT(enemies_stride),
  enemies_odd = enemies_stride >> enemies_shift,
};
static uint32_t enemies_tag[TP_TAGS(48) + 1];
static struct tp_pool_state enemies_state;
_Alignas(16)
static tp_word_t enemies_storage[(TP_RED_ZONE(16) + 48 * enemies_stride) / 4];
const struct tp_pool enemies_pool = {
  .tag = enemies_tag,
  .state = &enemies_state,
  .storage = enemies_storage + TP_RED_ZONE(16) / 4,
  .capacity = 48,
  .policy = &tp_assert,
  .name = "enemies",
  .size = 80,
  .stride = enemies_stride,
  .shift = enemies_shift,
  .inverse = TP_INVERSE(enemies_odd),
  .zone = TP_RED_ZONE(16),
  .handle_bits = 6,
  .lock = TP_LOCK_PRIMASK,
};

const struct tp_pool *const tp_pool_table[TP_POOL_N] = {
  &particles_pool,
  &enemies_pool,
};
