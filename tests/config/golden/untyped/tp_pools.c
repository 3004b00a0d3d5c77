// Generated from pools.toml by tidepool.py. Edit pools.toml, not this file.
// clang-format off

#include "tp_pools.h"
#include "core/tp_shape.h"

enum {
  packets_stride = TP_STRIDE(64, 32),
  packets_shift = TP_SHIFT(packets_stride),
  packets_odd = packets_stride >> packets_shift,
};
static uint32_t packets_tag[TP_TAGS(8) + 1];
static struct tp_pool_state packets_state;
_Alignas(32)
static tp_word_t packets_storage[(TP_RED_ZONE(32) + 8 * packets_stride) / 4];
const struct tp_pool packets_pool = {
  .tag = packets_tag,
  .state = &packets_state,
  .storage = packets_storage + TP_RED_ZONE(32) / 4,
  .capacity = 8,
  .policy = &tp_drop,
  .name = "packets",
  .size = 64,
  .stride = packets_stride,
  .shift = packets_shift,
  .inverse = TP_INVERSE(packets_odd),
  .zone = TP_RED_ZONE(32),
  .handle_bits = 4,
  .lock = TP_LOCK_NONE,
  .refuses = 1,
};

enum {
  words_stride = TP_STRIDE(4, 4),
  words_shift = TP_SHIFT(words_stride),
  words_odd = words_stride >> words_shift,
};
static uint32_t words_tag[TP_TAGS(100) + 1];
static struct tp_pool_state words_state;
_Alignas(4)
static tp_word_t words_storage[(TP_RED_ZONE(4) + 100 * words_stride) / 4];
const struct tp_pool words_pool = {
  .tag = words_tag,
  .state = &words_state,
  .storage = words_storage + TP_RED_ZONE(4) / 4,
  .capacity = 100,
  .policy = &tp_drop,
  .name = "words",
  .size = 4,
  .stride = words_stride,
  .shift = words_shift,
  .inverse = TP_INVERSE(words_odd),
  .zone = TP_RED_ZONE(4),
  .handle_bits = 7,
  .lock = TP_LOCK_PRIMASK,
  .refuses = 1,
};

enum {
  pointers_stride = TP_STRIDE(8, 8),
  pointers_shift = TP_SHIFT(pointers_stride),
  pointers_odd = pointers_stride >> pointers_shift,
};
static uint32_t pointers_tag[TP_TAGS(5) + 1];
static struct tp_pool_state pointers_state;
_Alignas(8)
static tp_word_t pointers_storage[(TP_RED_ZONE(8) + 5 * pointers_stride) / 4];
const struct tp_pool pointers_pool = {
  .tag = pointers_tag,
  .state = &pointers_state,
  .storage = pointers_storage + TP_RED_ZONE(8) / 4,
  .capacity = 5,
  .policy = &tp_drop,
  .name = "pointers",
  .size = 8,
  .stride = pointers_stride,
  .shift = pointers_shift,
  .inverse = TP_INVERSE(pointers_odd),
  .zone = TP_RED_ZONE(8),
  .handle_bits = 3,
  .lock = TP_LOCK_PRIMASK,
  .refuses = 1,
};

const struct tp_pool *const tp_pool_table[TP_POOL_N] = {
  &packets_pool,
  &words_pool,
  &pointers_pool,
};
