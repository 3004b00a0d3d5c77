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

static struct tp_reloc_entry meshes_entry[64 + 1];
static struct tp_reloc_state meshes_state;
_Alignas(8) __attribute__((section(".bss.tp_arena.psram.meshes")))
static tp_word_t meshes_arena[(16384 + 8) / 4];
const struct tp_reloc meshes_reloc = {
  .arena = meshes_arena,
  .entry = meshes_entry,
  .state = &meshes_state,
  .name = "meshes",
  .units = 2048,
  .handles = 64,
  .handle_bits = 7,
  .moves = 8,
  .move_bytes = 2048,
  .on_move = mesh_moved,
  .full = 0,
  .link_check = tidepool_ERROR_linker_script_lacks_INCLUDE_tp_pools_ld,
};

static struct tp_reloc_entry names_entry[1000 + 1];
static struct tp_reloc_state names_state;
_Alignas(8)
static tp_word_t names_arena[(1024 + 8) / 4];
const struct tp_reloc names_reloc = {
  .arena = names_arena,
  .entry = names_entry,
  .state = &names_state,
  .name = "names",
  .units = 128,
  .handles = 1000,
  .handle_bits = 10,
  .moves = 4,
  .move_bytes = 1024,
  .full = 1,
};

const struct tp_pool *const tp_pool_table[TP_POOL_N] = {
  &sparks_pool,
};
