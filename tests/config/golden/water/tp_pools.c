// Generated from pools.toml by tidepool.py. Edit pools.toml, not this file.
// clang-format off

#include "tp_pools.h"
#include "core/tp_shape.h"

enum {
  packets_stride = TP_STRIDE(80, 8),
  packets_shift = TP_SHIFT(packets_stride),
  packets_odd = packets_stride >> packets_shift,
};
static uint32_t packets_tag[TP_TAGS(32) + 1];
static struct tp_pool_state packets_state;
_Alignas(8)
static tp_word_t packets_storage[(TP_RED_ZONE(8) + 32 * packets_stride) / 4];
const struct tp_pool packets_pool = {
  .tag = packets_tag,
  .state = &packets_state,
  .storage = packets_storage + TP_RED_ZONE(8) / 4,
  .capacity = 32,
  .policy = &tp_drop,
  .name = "packets",
  .size = 80,
  .stride = packets_stride,
  .shift = packets_shift,
  .inverse = TP_INVERSE(packets_odd),
  .zone = TP_RED_ZONE(8),
  .handle_bits = 6,
  .lock = TP_LOCK_PRIMASK,
  .refuses = 1,
};
static struct tp_watermark_state packets_watermark_state;
const struct tp_watermark packets_watermark = {
  .pool = &packets_pool,
  .state = &packets_watermark_state,
  .on_low = close_window,
  .on_refill = open_window,
  .low = 4,
  .refill = 16,
};

enum {
  frames_stride = TP_STRIDE(64, 8),
  frames_shift = TP_SHIFT(frames_stride),
  frames_odd = frames_stride >> frames_shift,
};
static uint32_t frames_tag[TP_TAGS(8) + 1];
static struct tp_pool_state frames_state;
_Alignas(8)
static tp_word_t frames_storage[(TP_RED_ZONE(8) + 8 * frames_stride) / 4];
const struct tp_pool frames_pool = {
  .tag = frames_tag,
  .state = &frames_state,
  .storage = frames_storage + TP_RED_ZONE(8) / 4,
  .capacity = 8,
  .policy = &tp_assert,
  .name = "frames",
  .size = 64,
  .stride = frames_stride,
  .shift = frames_shift,
  .inverse = TP_INVERSE(frames_odd),
  .zone = TP_RED_ZONE(8),
  .handle_bits = 4,
  .lock = TP_LOCK_PRIMASK,
};
static struct tp_watermark_state frames_watermark_state;
const struct tp_watermark frames_watermark = {
  .pool = &frames_pool,
  .state = &frames_watermark_state,
  .on_low = close_window,
  .low = 1,
  .refill = 2,
};

const struct tp_pool *const tp_pool_table[TP_POOL_N] = {
  &packets_pool,
  &frames_pool,
};
