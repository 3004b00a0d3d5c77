// Generated from pools.toml by tidepool.py. Edit pools.toml, not this file.
// clang-format off

#include "tp_pools.h"
#include "core/tp_shape.h"

// Only tp_pools.ld defines it. A link without that ends with this sentence.
extern const char tidepool_ERROR_linker_script_lacks_INCLUDE_tp_pools_ld[];

enum {
  sparks_stride = TP_STRIDE(24, 8),
  sparks_shift = TP_SHIFT(sparks_stride),
  sparks_odd = sparks_stride >> sparks_shift,
};
static uint32_t sparks_tag[TP_TAGS(10) + 1];
static struct tp_pool_state sparks_state;
_Alignas(8)
static tp_word_t sparks_storage[(TP_RED_ZONE(8) + 10 * sparks_stride) / 4];
const struct tp_pool sparks_pool = {
  .tag = sparks_tag,
  .state = &sparks_state,
  .storage = sparks_storage + TP_RED_ZONE(8) / 4,
  .capacity = 10,
  .policy = &tp_drop,
  .name = "sparks",
  .size = 24,
  .stride = sparks_stride,
  .shift = sparks_shift,
  .inverse = TP_INVERSE(sparks_odd),
  .zone = TP_RED_ZONE(8),
  .handle_bits = 4,
  .lock = TP_LOCK_PRIMASK,
  .refuses = 1,
};

_Alignas(8) __attribute__((section(".bss.tp_arena.ram.level")))
static tp_word_t level_storage[8192 / 4];
static struct tp_stack_state level_state;
const struct tp_stack level_stack = {
  .state = &level_state,
  .region.storage = level_storage,
  .region.name = "level",
  .region.bytes = 8192,
  .region.full = TP_FULL_ASSERT,
  .region.link_check = tidepool_ERROR_linker_script_lacks_INCLUDE_tp_pools_ld,
};

_Alignas(8)
static tp_word_t sides_storage[4096 / 4];
static struct tp_dstack_state sides_state;
const struct tp_dstack sides_dstack = {
  .state = &sides_state,
  .region.storage = sides_storage,
  .region.name = "sides",
  .region.bytes = 4096,
  .region.full = TP_FULL_DROP,
};

_Alignas(8) __attribute__((section(".bss.tp_arena.ram.draw")))
static tp_word_t draw_storage[2 * 4096 / 4];
static struct tp_frame_state draw_state;
static struct tp_bump draw_bump[2];
const struct tp_frame draw_frame = {
  .state = &draw_state,
  .bump = draw_bump,
  .buffers = 2,
  .region.storage = draw_storage,
  .region.name = "draw",
  .region.bytes = 4096,
  .region.full = TP_FULL_DROP,
  .region.link_check = tidepool_ERROR_linker_script_lacks_INCLUDE_tp_pools_ld,
};

_Alignas(8)
static tp_word_t scratch_storage[1 * 512 / 4];
static struct tp_frame_state scratch_state;
static struct tp_bump scratch_bump[1];
const struct tp_frame scratch_frame = {
  .state = &scratch_state,
  .bump = scratch_bump,
  .buffers = 1,
  .region.storage = scratch_storage,
  .region.name = "scratch",
  .region.bytes = 512,
  .region.full = TP_FULL_ASSERT,
};

const struct tp_pool *const tp_pool_table[TP_POOL_N] = {
  &sparks_pool,
};
