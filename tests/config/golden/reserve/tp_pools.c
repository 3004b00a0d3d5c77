// Generated from pools.toml by tidepool.py. Edit pools.toml, not this file.
// clang-format off

#include "tp_pools.h"
#include "core/tp_shape.h"

// Only tp_pools.ld defines it. A link without that ends with this sentence.
extern const char tidepool_ERROR_linker_script_lacks_INCLUDE_tp_pools_ld[];

enum {
  voices_reserve_stride = TP_STRIDE(8, 8),
  voices_reserve_shift = TP_SHIFT(voices_reserve_stride),
  voices_reserve_odd = voices_reserve_stride >> voices_reserve_shift,
};
static uint32_t voices_reserve_tag[TP_TAGS(2) + 1];
static struct tp_pool_state voices_reserve_state;
_Alignas(8) __attribute__((section(".bss.tp_arena.ram.voices")))
static tp_word_t voices_reserve_storage[(TP_RED_ZONE(8) + 2 * voices_reserve_stride) / 4];
const struct tp_pool voices_reserve_pool = {
  .tag = voices_reserve_tag,
  .state = &voices_reserve_state,
  .storage = voices_reserve_storage + TP_RED_ZONE(8) / 4,
  .capacity = 2,
  .policy = &tp_drop,
  .name = "voices_reserve",
  .size = 8,
  .stride = voices_reserve_stride,
  .shift = voices_reserve_shift,
  .inverse = TP_INVERSE(voices_reserve_odd),
  .zone = TP_RED_ZONE(8),
  .handle_bits = 2,
  .lock = TP_LOCK_PRIMASK,
  .refuses = 1,
  .link_check = tidepool_ERROR_linker_script_lacks_INCLUDE_tp_pools_ld,
};
static struct tp_chunk_state voices_reserve_chunk_state;
const struct tp_chunk voices_reserve_chunk = {
  .pool = &voices_reserve_pool,
  .state = &voices_reserve_chunk_state,
  .patience = 0,
};
static struct tp_spill_state voices_spill_state;
static const struct tp_spill voices_spill = {
  .policy.overflow = tp_spill_overflow,
  .policy.take_back = tp_spill_take_back,
  .into = &voices_reserve_chunk,
  .then = &tp_drop,
  .state = &voices_spill_state,
};
static const struct tp_spill voices_calm = {
  .policy.overflow = tp_reserve_overflow,
  .policy.take_back = tp_spill_take_back,
  .into = &voices_reserve_chunk,
  .then = &tp_drop,
  .state = &voices_spill_state,
};
enum {
  voices_stride = TP_STRIDE(8, 8),
  voices_shift = TP_SHIFT(voices_stride),
  voices_odd = voices_stride >> voices_shift,
};
static uint32_t voices_tag[TP_TAGS(14) + 1];
static struct tp_pool_state voices_state;
_Alignas(8) __attribute__((section(".bss.tp_arena.ram.voices")))
static tp_word_t voices_storage[(TP_RED_ZONE(8) + 14 * voices_stride) / 4];
const struct tp_pool voices_pool = {
  .tag = voices_tag,
  .state = &voices_state,
  .storage = voices_storage + TP_RED_ZONE(8) / 4,
  .capacity = 14,
  .policy = &voices_calm.policy,
  .name = "voices",
  .size = 8,
  .stride = voices_stride,
  .shift = voices_shift,
  .inverse = TP_INVERSE(voices_odd),
  .zone = TP_RED_ZONE(8),
  .handle_bits = 4,
  .lock = TP_LOCK_PRIMASK,
  .takes_foreign = 1,
  .link_check = tidepool_ERROR_linker_script_lacks_INCLUDE_tp_pools_ld,
};
const struct tp_pool voices_urgent_pool = {
  .tag = voices_tag,
  .state = &voices_state,
  .storage = voices_storage + TP_RED_ZONE(8) / 4,
  .capacity = 14,
  .policy = &voices_spill.policy,
  .name = "voices",
  .size = 8,
  .stride = voices_stride,
  .shift = voices_shift,
  .inverse = TP_INVERSE(voices_odd),
  .zone = TP_RED_ZONE(8),
  .handle_bits = 4,
  .lock = TP_LOCK_PRIMASK,
  .takes_foreign = 1,
  .link_check = tidepool_ERROR_linker_script_lacks_INCLUDE_tp_pools_ld,
};

enum {
  jobs_reserve_stride = TP_STRIDE(32, 8),
  jobs_reserve_shift = TP_SHIFT(jobs_reserve_stride),
  jobs_reserve_odd = jobs_reserve_stride >> jobs_reserve_shift,
};
static uint32_t jobs_reserve_tag[TP_TAGS(1) + 1];
static struct tp_pool_state jobs_reserve_state;
_Alignas(8)
static tp_word_t jobs_reserve_storage[(TP_RED_ZONE(8) + 1 * jobs_reserve_stride) / 4];
const struct tp_pool jobs_reserve_pool = {
  .tag = jobs_reserve_tag,
  .state = &jobs_reserve_state,
  .storage = jobs_reserve_storage + TP_RED_ZONE(8) / 4,
  .capacity = 1,
  .policy = &tp_drop,
  .name = "jobs_reserve",
  .size = 32,
  .stride = jobs_reserve_stride,
  .shift = jobs_reserve_shift,
  .inverse = TP_INVERSE(jobs_reserve_odd),
  .zone = TP_RED_ZONE(8),
  .handle_bits = 1,
  .lock = TP_LOCK_PRIMASK,
  .refuses = 1,
};
static struct tp_chunk_state jobs_reserve_chunk_state;
const struct tp_chunk jobs_reserve_chunk = {
  .pool = &jobs_reserve_pool,
  .state = &jobs_reserve_chunk_state,
  .patience = 0,
};
static struct tp_spill_state jobs_spill_state;
static const struct tp_spill jobs_spill = {
  .policy.overflow = tp_spill_overflow,
  .policy.take_back = tp_spill_take_back,
  .into = &jobs_reserve_chunk,
  .then = &tp_assert,
  .state = &jobs_spill_state,
};
static const struct tp_spill jobs_calm = {
  .policy.overflow = tp_reserve_overflow,
  .policy.take_back = tp_spill_take_back,
  .into = &jobs_reserve_chunk,
  .then = &tp_assert,
  .state = &jobs_spill_state,
};
enum {
  jobs_stride = TP_STRIDE(32, 8),
  jobs_shift = TP_SHIFT(jobs_stride),
  jobs_odd = jobs_stride >> jobs_shift,
};
static uint32_t jobs_tag[TP_TAGS(3) + 1];
static struct tp_pool_state jobs_state;
_Alignas(8)
static tp_word_t jobs_storage[(TP_RED_ZONE(8) + 3 * jobs_stride) / 4];
const struct tp_pool jobs_pool = {
  .tag = jobs_tag,
  .state = &jobs_state,
  .storage = jobs_storage + TP_RED_ZONE(8) / 4,
  .capacity = 3,
  .policy = &jobs_calm.policy,
  .name = "jobs",
  .size = 32,
  .stride = jobs_stride,
  .shift = jobs_shift,
  .inverse = TP_INVERSE(jobs_odd),
  .zone = TP_RED_ZONE(8),
  .handle_bits = 2,
  .lock = TP_LOCK_PRIMASK,
  .takes_foreign = 1,
};
const struct tp_pool jobs_urgent_pool = {
  .tag = jobs_tag,
  .state = &jobs_state,
  .storage = jobs_storage + TP_RED_ZONE(8) / 4,
  .capacity = 3,
  .policy = &jobs_spill.policy,
  .name = "jobs",
  .size = 32,
  .stride = jobs_stride,
  .shift = jobs_shift,
  .inverse = TP_INVERSE(jobs_odd),
  .zone = TP_RED_ZONE(8),
  .handle_bits = 2,
  .lock = TP_LOCK_PRIMASK,
  .takes_foreign = 1,
};

const struct tp_pool *const tp_pool_table[TP_POOL_N] = {
  &voices_pool,
  &jobs_pool,
};
