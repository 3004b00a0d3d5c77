// Generated from pools.toml by tidepool.py. Edit pools.toml, not this file.
// clang-format off

#include "tp_pools.h"
#include "core/tp_shape.h"

enum {
  near_stride = TP_STRIDE(64, 8),
  near_shift = TP_SHIFT(near_stride),
  near_odd = near_stride >> near_shift,
};
static uint32_t near_tag[TP_TAGS(8) + 1];
static struct tp_pool_state near_state;
_Alignas(8)
static tp_word_t near_storage[(TP_RED_ZONE(8) + 8 * near_stride) / 4];
const struct tp_pool near_pool = {
  .tag = near_tag,
  .state = &near_state,
  .storage = near_storage + TP_RED_ZONE(8) / 4,
  .capacity = 8,
  .policy = &app_drop_farthest,
  .name = "near",
  .size = 64,
  .stride = near_stride,
  .shift = near_shift,
  .inverse = TP_INVERSE(near_odd),
  .zone = TP_RED_ZONE(8),
  .handle_bits = 4,
  .lock = TP_LOCK_PRIMASK,
};

enum {
  far_stride = TP_STRIDE(64, 8),
  far_shift = TP_SHIFT(far_stride),
  far_odd = far_stride >> far_shift,
};
static uint32_t far_tag[TP_TAGS(8) + 1];
static struct tp_pool_state far_state;
_Alignas(8)
static tp_word_t far_storage[(TP_RED_ZONE(8) + 8 * far_stride) / 4];
const struct tp_pool far_pool = {
  .tag = far_tag,
  .state = &far_state,
  .storage = far_storage + TP_RED_ZONE(8) / 4,
  .capacity = 8,
  .policy = &app_drop_farthest,
  .name = "far",
  .size = 64,
  .stride = far_stride,
  .shift = far_shift,
  .inverse = TP_INVERSE(far_odd),
  .zone = TP_RED_ZONE(8),
  .handle_bits = 4,
  .lock = TP_LOCK_PRIMASK,
};

const struct tp_pool *const tp_pool_table[TP_POOL_N] = {
  &near_pool,
  &far_pool,
};
