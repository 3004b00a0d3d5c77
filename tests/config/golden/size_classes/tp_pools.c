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

static uint16_t scripts_16_asked[TP_TAGS(64) + 1];
static struct tp_blocks_waste scripts_16_waste;
enum {
  scripts_16_stride = TP_STRIDE(16, 8),
  scripts_16_shift = TP_SHIFT(scripts_16_stride),
  scripts_16_odd = scripts_16_stride >> scripts_16_shift,
};
static uint32_t scripts_16_tag[TP_TAGS(64) + 1];
static struct tp_pool_state scripts_16_state;
_Alignas(8) __attribute__((section(".bss.tp_arena.ram.scripts_16")))
static tp_word_t scripts_16_storage[(TP_RED_ZONE(8) + 64 * scripts_16_stride) / 4];
const struct tp_pool scripts_16_pool = {
  .tag = scripts_16_tag,
  .state = &scripts_16_state,
  .storage = scripts_16_storage + TP_RED_ZONE(8) / 4,
  .capacity = 64,
  .policy = &tp_drop,
  .name = "scripts_16",
  .size = 16,
  .stride = scripts_16_stride,
  .shift = scripts_16_shift,
  .inverse = TP_INVERSE(scripts_16_odd),
  .zone = TP_RED_ZONE(8),
  .handle_bits = 7,
  .lock = TP_LOCK_PRIMASK,
  .refuses = 1,
  .link_check = tidepool_ERROR_linker_script_lacks_INCLUDE_tp_pools_ld,
};
static uint16_t scripts_32_asked[TP_TAGS(32) + 1];
static struct tp_blocks_waste scripts_32_waste;
enum {
  scripts_32_stride = TP_STRIDE(32, 8),
  scripts_32_shift = TP_SHIFT(scripts_32_stride),
  scripts_32_odd = scripts_32_stride >> scripts_32_shift,
};
static uint32_t scripts_32_tag[TP_TAGS(32) + 1];
static struct tp_pool_state scripts_32_state;
_Alignas(8) __attribute__((section(".bss.tp_arena.ram.scripts_32")))
static tp_word_t scripts_32_storage[(TP_RED_ZONE(8) + 32 * scripts_32_stride) / 4];
const struct tp_pool scripts_32_pool = {
  .tag = scripts_32_tag,
  .state = &scripts_32_state,
  .storage = scripts_32_storage + TP_RED_ZONE(8) / 4,
  .capacity = 32,
  .policy = &tp_drop,
  .name = "scripts_32",
  .size = 32,
  .stride = scripts_32_stride,
  .shift = scripts_32_shift,
  .inverse = TP_INVERSE(scripts_32_odd),
  .zone = TP_RED_ZONE(8),
  .handle_bits = 6,
  .lock = TP_LOCK_PRIMASK,
  .refuses = 1,
  .link_check = tidepool_ERROR_linker_script_lacks_INCLUDE_tp_pools_ld,
};
static uint16_t scripts_64_asked[TP_TAGS(16) + 1];
static struct tp_blocks_waste scripts_64_waste;
enum {
  scripts_64_stride = TP_STRIDE(64, 8),
  scripts_64_shift = TP_SHIFT(scripts_64_stride),
  scripts_64_odd = scripts_64_stride >> scripts_64_shift,
};
static uint32_t scripts_64_tag[TP_TAGS(16) + 1];
static struct tp_pool_state scripts_64_state;
_Alignas(8) __attribute__((section(".bss.tp_arena.ram.scripts_64")))
static tp_word_t scripts_64_storage[(TP_RED_ZONE(8) + 16 * scripts_64_stride) / 4];
const struct tp_pool scripts_64_pool = {
  .tag = scripts_64_tag,
  .state = &scripts_64_state,
  .storage = scripts_64_storage + TP_RED_ZONE(8) / 4,
  .capacity = 16,
  .policy = &tp_assert,
  .name = "scripts_64",
  .size = 64,
  .stride = scripts_64_stride,
  .shift = scripts_64_shift,
  .inverse = TP_INVERSE(scripts_64_odd),
  .zone = TP_RED_ZONE(8),
  .handle_bits = 5,
  .lock = TP_LOCK_PRIMASK,
  .link_check = tidepool_ERROR_linker_script_lacks_INCLUDE_tp_pools_ld,
};
static const struct tp_blocks_class scripts_classes[] = {
  {&scripts_16_pool, scripts_16_asked, &scripts_16_waste},
  {&scripts_32_pool, scripts_32_asked, &scripts_32_waste},
  {&scripts_64_pool, scripts_64_asked, &scripts_64_waste},
};
static struct tp_blocks_waste scripts_waste;
const struct tp_blocks scripts_blocks = {
  .classes = scripts_classes,
  .waste = &scripts_waste,
  .name = "scripts",
  .count = 3,
  .bigger = 1,
};

static uint16_t packets_8_asked[TP_TAGS(4) + 1];
static struct tp_blocks_waste packets_8_waste;
enum {
  packets_8_stride = TP_STRIDE(8, 8),
  packets_8_shift = TP_SHIFT(packets_8_stride),
  packets_8_odd = packets_8_stride >> packets_8_shift,
};
static uint32_t packets_8_tag[TP_TAGS(4) + 1];
static struct tp_pool_state packets_8_state;
_Alignas(8)
static tp_word_t packets_8_storage[(TP_RED_ZONE(8) + 4 * packets_8_stride) / 4];
const struct tp_pool packets_8_pool = {
  .tag = packets_8_tag,
  .state = &packets_8_state,
  .storage = packets_8_storage + TP_RED_ZONE(8) / 4,
  .capacity = 4,
  .policy = &tp_drop,
  .name = "packets_8",
  .size = 8,
  .stride = packets_8_stride,
  .shift = packets_8_shift,
  .inverse = TP_INVERSE(packets_8_odd),
  .zone = TP_RED_ZONE(8),
  .handle_bits = 3,
  .lock = TP_LOCK_PRIMASK,
  .refuses = 1,
};
static uint16_t packets_256_asked[TP_TAGS(2) + 1];
static struct tp_blocks_waste packets_256_waste;
enum {
  packets_256_stride = TP_STRIDE(256, 8),
  packets_256_shift = TP_SHIFT(packets_256_stride),
  packets_256_odd = packets_256_stride >> packets_256_shift,
};
static uint32_t packets_256_tag[TP_TAGS(2) + 1];
static struct tp_pool_state packets_256_state;
_Alignas(8)
static tp_word_t packets_256_storage[(TP_RED_ZONE(8) + 2 * packets_256_stride) / 4];
const struct tp_pool packets_256_pool = {
  .tag = packets_256_tag,
  .state = &packets_256_state,
  .storage = packets_256_storage + TP_RED_ZONE(8) / 4,
  .capacity = 2,
  .policy = &tp_drop,
  .name = "packets_256",
  .size = 256,
  .stride = packets_256_stride,
  .shift = packets_256_shift,
  .inverse = TP_INVERSE(packets_256_odd),
  .zone = TP_RED_ZONE(8),
  .handle_bits = 2,
  .lock = TP_LOCK_PRIMASK,
  .refuses = 1,
};
static const struct tp_blocks_class packets_classes[] = {
  {&packets_8_pool, packets_8_asked, &packets_8_waste},
  {&packets_256_pool, packets_256_asked, &packets_256_waste},
};
static struct tp_blocks_waste packets_waste;
const struct tp_blocks packets_blocks = {
  .classes = packets_classes,
  .waste = &packets_waste,
  .name = "packets",
  .count = 2,
  .bigger = 0,
};

const struct tp_pool *const tp_pool_table[TP_POOL_N] = {
  &sparks_pool,
};
