// Generated from pools.toml by tidepool.py. Edit pools.toml, not this file.
// clang-format off

#include "tp_pools.h"
#include "core/tp_shape.h"

// Only tp_pools.ld defines it. A link without that ends with this sentence.
extern const char tidepool_ERROR_linker_script_lacks_INCLUDE_tp_pools_ld[];

enum {
  depot_stride = TP_STRIDE(32, 8),
  depot_shift = TP_SHIFT(depot_stride),
  depot_odd = depot_stride >> depot_shift,
};
static uint32_t depot_tag[TP_TAGS(8) + 1];
static struct tp_pool_state depot_state;
_Alignas(8) __attribute__((section(".bss.tp_arena.ram.depot")))
static tp_word_t depot_storage[(TP_RED_ZONE(8) + 8 * depot_stride) / 4];
const struct tp_pool depot_pool = {
  .tag = depot_tag,
  .state = &depot_state,
  .storage = depot_storage + TP_RED_ZONE(8) / 4,
  .capacity = 8,
  .policy = &tp_drop,
  .name = "depot",
  .size = 32,
  .stride = depot_stride,
  .shift = depot_shift,
  .inverse = TP_INVERSE(depot_odd),
  .zone = TP_RED_ZONE(8),
  .handle_bits = 4,
  .lock = TP_LOCK_PRIMASK,
  .refuses = 1,
  .link_check = tidepool_ERROR_linker_script_lacks_INCLUDE_tp_pools_ld,
};
static struct tp_chunk_state depot_chunk_state;
const struct tp_chunk depot_chunk = {
  .pool = &depot_pool,
  .state = &depot_chunk_state,
  .patience = 0,
};

static struct tp_spill_state rubble_spill_state;
const struct tp_spill rubble_spill = {
  .policy.overflow = tp_spill_overflow,
  .policy.take_back = tp_spill_take_back,
  .into = &depot_chunk,
  .then = &tp_drop,
  .state = &rubble_spill_state,
};
enum {
  rubble_stride = TP_STRIDE(24, 8),
  rubble_shift = TP_SHIFT(rubble_stride),
  rubble_odd = rubble_stride >> rubble_shift,
};
static uint32_t rubble_tag[TP_TAGS(16) + 1];
static struct tp_pool_state rubble_state;
_Alignas(8)
static tp_word_t rubble_storage[(TP_RED_ZONE(8) + 16 * rubble_stride) / 4];
const struct tp_pool rubble_pool = {
  .tag = rubble_tag,
  .state = &rubble_state,
  .storage = rubble_storage + TP_RED_ZONE(8) / 4,
  .capacity = 16,
  .policy = &rubble_spill.policy,
  .name = "rubble",
  .size = 24,
  .stride = rubble_stride,
  .shift = rubble_shift,
  .inverse = TP_INVERSE(rubble_odd),
  .zone = TP_RED_ZONE(8),
  .handle_bits = 5,
  .lock = TP_LOCK_PRIMASK,
  .takes_foreign = 1,
};
static struct tp_chunk_state rubble_chunk_state;
static const void *rubble_owner[16 + 1];
const struct tp_chunk rubble_chunk = {
  .pool = &rubble_pool,
  .state = &rubble_chunk_state,
  .patience = 60,
  .owner = rubble_owner,
};

static struct tp_spill_state sparks_spill_state;
const struct tp_spill sparks_spill = {
  .policy.overflow = tp_spill_overflow,
  .policy.take_back = tp_spill_take_back,
  .into = &rubble_chunk,
  .then = &tp_drop,
  .state = &sparks_spill_state,
};
enum {
  sparks_stride = TP_STRIDE(24, 8),
  sparks_shift = TP_SHIFT(sparks_stride),
  sparks_odd = sparks_stride >> sparks_shift,
};
static uint32_t sparks_tag[TP_TAGS(64) + 1];
static struct tp_pool_state sparks_state;
_Alignas(8)
static tp_word_t sparks_storage[(TP_RED_ZONE(8) + 64 * sparks_stride) / 4];
const struct tp_pool sparks_pool = {
  .tag = sparks_tag,
  .state = &sparks_state,
  .storage = sparks_storage + TP_RED_ZONE(8) / 4,
  .capacity = 64,
  .policy = &sparks_spill.policy,
  .name = "sparks",
  .size = 24,
  .stride = sparks_stride,
  .shift = sparks_shift,
  .inverse = TP_INVERSE(sparks_odd),
  .zone = TP_RED_ZONE(8),
  .handle_bits = 7,
  .lock = TP_LOCK_PRIMASK,
  .takes_foreign = 1,
};

static struct tp_spill_state embers_spill_state;
const struct tp_spill embers_spill = {
  .policy.overflow = tp_spill_overflow,
  .policy.take_back = tp_spill_take_back,
  .into = &rubble_chunk,
  .then = &tp_assert,
  .state = &embers_spill_state,
};
enum {
  embers_stride = TP_STRIDE(24, 8),
  embers_shift = TP_SHIFT(embers_stride),
  embers_odd = embers_stride >> embers_shift,
};
static uint32_t embers_tag[TP_TAGS(16) + 1];
static struct tp_pool_state embers_state;
_Alignas(8) __attribute__((section(".bss.tp_arena.ram.embers")))
static tp_word_t embers_storage[(TP_RED_ZONE(8) + 16 * embers_stride) / 4];
const struct tp_pool embers_pool = {
  .tag = embers_tag,
  .state = &embers_state,
  .storage = embers_storage + TP_RED_ZONE(8) / 4,
  .capacity = 16,
  .policy = &embers_spill.policy,
  .name = "embers",
  .size = 24,
  .stride = embers_stride,
  .shift = embers_shift,
  .inverse = TP_INVERSE(embers_odd),
  .zone = TP_RED_ZONE(8),
  .handle_bits = 5,
  .lock = TP_LOCK_PRIMASK,
  .takes_foreign = 1,
  .link_check = tidepool_ERROR_linker_script_lacks_INCLUDE_tp_pools_ld,
};

const struct tp_pool *const tp_pool_table[TP_POOL_N] = {
  &sparks_pool,
  &embers_pool,
  &rubble_pool,
  &depot_pool,
};
