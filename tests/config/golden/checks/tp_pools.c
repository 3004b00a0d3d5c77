// Generated from pools.toml by tidepool.py. Edit pools.toml, not this file.
// clang-format off

#include "tp_pools.h"
#include "core/tp_shape.h"

TP_STATIC_ASSERT(TP_CHECKS == TP_CHECKS_FULL,
                 "pools.toml:4: compiled at another check level than full");

// Only tp_pools.ld defines it. A link without that ends with this sentence.
extern const char tidepool_ERROR_linker_script_lacks_INCLUDE_tp_pools_ld[];

enum {
  sparks_stride = TP_STRIDE(24, 8),
  sparks_shift = TP_SHIFT(sparks_stride),
  sparks_odd = sparks_stride >> sparks_shift,
};
static uint32_t sparks_tag[TP_TAGS(4) + 1];
static struct tp_pool_state sparks_state;
_Alignas(8) __attribute__((section(".bss.tp_arena.fast.sparks")))
static tp_word_t sparks_storage[(TP_RED_ZONE(8) + 4 * sparks_stride) / 4];
const struct tp_pool sparks_pool = {
  .tag = sparks_tag,
  .state = &sparks_state,
  .storage = sparks_storage + TP_RED_ZONE(8) / 4,
  .capacity = 4,
  .policy = &tp_drop,
  .name = "sparks",
  .size = 24,
  .stride = sparks_stride,
  .shift = sparks_shift,
  .inverse = TP_INVERSE(sparks_odd),
  .zone = TP_RED_ZONE(8),
  .handle_bits = 3,
  .lock = TP_LOCK_PRIMASK,
  .refuses = 1,
  .link_check = tidepool_ERROR_linker_script_lacks_INCLUDE_tp_pools_ld,
};

const struct tp_pool *const tp_pool_table[TP_POOL_N] = {
  &sparks_pool,
};
