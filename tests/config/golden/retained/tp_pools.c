// Generated from pools.toml by tidepool.py. Edit pools.toml, not this file.
// clang-format off

#include "tp_pools.h"
#include "core/tp_shape.h"

// Only tp_pools.ld defines it. A link without that ends with this sentence.
extern const char tidepool_ERROR_linker_script_lacks_INCLUDE_tp_pools_ld[];

enum {
  notes_stride = TP_STRIDE(24, 8),
  notes_shift = TP_SHIFT(notes_stride),
  notes_odd = notes_stride >> notes_shift,
};
__attribute__((section(".bss.tp_arena.keep.notes.metadata")))
static uint32_t notes_tag[16 + 1];
__attribute__((section(".bss.tp_arena.keep.notes.metadata")))
static struct tp_pool_state notes_state;
__attribute__((section(".bss.tp_arena.keep.notes.metadata")))
static uint32_t notes_seal;
_Alignas(8) __attribute__((section(".bss.tp_arena.keep.notes")))
static tp_word_t notes_storage[(TP_RED_ZONE(8) + 16 * notes_stride) / 4];
const struct tp_pool notes_pool = {
  .tag = notes_tag,
  .state = &notes_state,
  .storage = notes_storage + TP_RED_ZONE(8) / 4,
  .capacity = 16,
  .policy = &tp_drop,
  .name = "notes",
  .size = 24,
  .stride = notes_stride,
  .shift = notes_shift,
  .inverse = TP_INVERSE(notes_odd),
  .zone = TP_RED_ZONE(8),
  .handle_bits = 5,
  .lock = TP_LOCK_PRIMASK,
  .tagged = 1,
  .refuses = 1,
  .link_check = tidepool_ERROR_linker_script_lacks_INCLUDE_tp_pools_ld,
};
const struct tp_noinit notes_noinit = {
  .pool = &notes_pool,
  .seal = &notes_seal,
  .config = TP_CONFIG_HASH,
  .tags = sizeof notes_tag / 4,
};

enum {
  logs_stride = TP_STRIDE(24, 8),
  logs_shift = TP_SHIFT(logs_stride),
  logs_odd = logs_stride >> logs_shift,
};
__attribute__((section(".bss.tp_arena.keep.logs.metadata")))
static uint32_t logs_tag[16 + 1];
__attribute__((section(".bss.tp_arena.keep.logs.metadata")))
static struct tp_pool_state logs_state;
__attribute__((section(".bss.tp_arena.keep.logs.metadata")))
static uint32_t logs_seal;
__attribute__((section(".bss.tp_arena.keep.logs.metadata")))
static struct tp_age_link logs_age[16 + 1];
__attribute__((section(".bss.tp_arena.keep.logs.metadata")))
static uint32_t logs_born[16 + 1];
_Alignas(8) __attribute__((section(".bss.tp_arena.keep.logs")))
static tp_word_t logs_storage[(TP_RED_ZONE(8) + 16 * logs_stride) / 4];
const struct tp_pool logs_pool = {
  .tag = logs_tag,
  .state = &logs_state,
  .storage = logs_storage + TP_RED_ZONE(8) / 4,
  .capacity = 16,
  .policy = &tp_steal_oldest,
  .name = "logs",
  .size = 24,
  .stride = logs_stride,
  .shift = logs_shift,
  .inverse = TP_INVERSE(logs_odd),
  .zone = TP_RED_ZONE(8),
  .handle_bits = 5,
  .lock = TP_LOCK_PRIMASK,
  .tagged = 1,
  .age = logs_age,
  .born = logs_born,
  .min_age = 3,
  .link_check = tidepool_ERROR_linker_script_lacks_INCLUDE_tp_pools_ld,
};
const struct tp_noinit logs_noinit = {
  .pool = &logs_pool,
  .seal = &logs_seal,
  .config = TP_CONFIG_HASH,
  .tags = sizeof logs_tag / 4,
};

enum {
  plain_stride = TP_STRIDE(24, 8),
  plain_shift = TP_SHIFT(plain_stride),
  plain_odd = plain_stride >> plain_shift,
};
__attribute__((section(".bss.tp_arena.keep.plain.metadata")))
static uint32_t plain_tag[TP_TAGS(16) + 1];
__attribute__((section(".bss.tp_arena.keep.plain.metadata")))
static struct tp_pool_state plain_state;
__attribute__((section(".bss.tp_arena.keep.plain.metadata")))
static uint32_t plain_seal;
_Alignas(8) __attribute__((section(".bss.tp_arena.keep.plain")))
static tp_word_t plain_storage[(TP_RED_ZONE(8) + 16 * plain_stride) / 4];
const struct tp_pool plain_pool = {
  .tag = plain_tag,
  .state = &plain_state,
  .storage = plain_storage + TP_RED_ZONE(8) / 4,
  .capacity = 16,
  .policy = &tp_drop,
  .name = "plain",
  .size = 24,
  .stride = plain_stride,
  .shift = plain_shift,
  .inverse = TP_INVERSE(plain_odd),
  .zone = TP_RED_ZONE(8),
  .handle_bits = 5,
  .lock = TP_LOCK_PRIMASK,
  .refuses = 1,
  .link_check = tidepool_ERROR_linker_script_lacks_INCLUDE_tp_pools_ld,
};
const struct tp_noinit plain_noinit = {
  .pool = &plain_pool,
  .seal = &plain_seal,
  .config = TP_CONFIG_HASH,
  .tags = sizeof plain_tag / 4,
};

const struct tp_pool *const tp_pool_table[TP_POOL_N] = {
  &notes_pool,
  &logs_pool,
  &plain_pool,
};
