// Generated from pools.toml by tidepool.py. Edit pools.toml, not this file.
// clang-format off

#include "tp_pools.h"
#include "core/tp_shape.h"

// Only tp_pools.ld defines it. A link without that ends with this sentence.
extern const char tidepool_ERROR_linker_script_lacks_INCLUDE_tp_pools_ld[];

enum {
  enemies_stride = TP_STRIDE(80, 8),
  enemies_shift = TP_SHIFT(enemies_stride),
  enemies_odd = enemies_stride >> enemies_shift,
};
static uint32_t enemies_tag[TP_TAGS(48) + 1];
static struct tp_pool_state enemies_state;
_Alignas(8) __attribute__((section(".bss.tp_arena.ram.root.2high.enemies")))
static tp_word_t enemies_storage[(TP_RED_ZONE(8) + 48 * enemies_stride) / 4];
const struct tp_pool enemies_pool = {
  .tag = enemies_tag,
  .state = &enemies_state,
  .storage = enemies_storage + TP_RED_ZONE(8) / 4,
  .capacity = 48,
  .policy = &tp_assert,
  .name = "enemies",
  .size = 80,
  .stride = enemies_stride,
  .shift = enemies_shift,
  .inverse = TP_INVERSE(enemies_odd),
  .zone = TP_RED_ZONE(8),
  .handle_bits = 6,
  .lock = TP_LOCK_PRIMASK,
  .link_check = tidepool_ERROR_linker_script_lacks_INCLUDE_tp_pools_ld,
};

enum {
  sparks_stride = TP_STRIDE(12, 4),
  sparks_shift = TP_SHIFT(sparks_stride),
  sparks_odd = sparks_stride >> sparks_shift,
};
static uint32_t sparks_tag[TP_TAGS(3) + 1];
static struct tp_pool_state sparks_state;
_Alignas(4) __attribute__((section(".bss.tp_arena.ram.root.2high.sparks")))
static tp_word_t sparks_storage[(TP_RED_ZONE(4) + 3 * sparks_stride) / 4];
const struct tp_pool sparks_pool = {
  .tag = sparks_tag,
  .state = &sparks_state,
  .storage = sparks_storage + TP_RED_ZONE(4) / 4,
  .capacity = 3,
  .policy = &tp_drop,
  .name = "sparks",
  .size = 12,
  .stride = sparks_stride,
  .shift = sparks_shift,
  .inverse = TP_INVERSE(sparks_odd),
  .zone = TP_RED_ZONE(4),
  .handle_bits = 2,
  .lock = TP_LOCK_PRIMASK,
  .refuses = 1,
  .link_check = tidepool_ERROR_linker_script_lacks_INCLUDE_tp_pools_ld,
};

enum {
  embers_stride = TP_STRIDE(12, 4),
  embers_shift = TP_SHIFT(embers_stride),
  embers_odd = embers_stride >> embers_shift,
};
static uint32_t embers_tag[TP_TAGS(1) + 1];
static struct tp_pool_state embers_state;
_Alignas(4)
static tp_word_t embers_storage[(TP_RED_ZONE(4) + 1 * embers_stride) / 4];
const struct tp_pool embers_pool = {
  .tag = embers_tag,
  .state = &embers_state,
  .storage = embers_storage + TP_RED_ZONE(4) / 4,
  .capacity = 1,
  .policy = &tp_drop,
  .name = "embers",
  .size = 12,
  .stride = embers_stride,
  .shift = embers_shift,
  .inverse = TP_INVERSE(embers_odd),
  .zone = TP_RED_ZONE(4),
  .handle_bits = 1,
  .lock = TP_LOCK_PRIMASK,
  .refuses = 1,
};

_Alignas(8) __attribute__((section(".bss.tp_arena.ram.root.2high.level")))
static tp_word_t level_storage[2048 / 4];
static struct tp_stack_state level_state;
const struct tp_stack level_stack = {
  .state = &level_state,
  .region.storage = level_storage,
  .region.name = "level",
  .region.bytes = 2048,
  .region.full = TP_FULL_ASSERT,
  .region.link_check = tidepool_ERROR_linker_script_lacks_INCLUDE_tp_pools_ld,
};

_Alignas(8) __attribute__((section(".bss.tp_arena.ram.root.0low.sides")))
static tp_word_t sides_storage[1024 / 4];
static struct tp_dstack_state sides_state;
const struct tp_dstack sides_dstack = {
  .state = &sides_state,
  .region.storage = sides_storage,
  .region.name = "sides",
  .region.bytes = 1024,
  .region.full = TP_FULL_DROP,
  .region.link_check = tidepool_ERROR_linker_script_lacks_INCLUDE_tp_pools_ld,
};

_Alignas(8) __attribute__((section(".bss.tp_arena.ram.root.0low.draw")))
static tp_word_t draw_storage[2 * 1024 / 4];
static struct tp_frame_state draw_state;
static struct tp_bump draw_bump[2];
const struct tp_frame draw_frame = {
  .state = &draw_state,
  .bump = draw_bump,
  .buffers = 2,
  .region.storage = draw_storage,
  .region.name = "draw",
  .region.bytes = 1024,
  .region.full = TP_FULL_DROP,
  .region.link_check = tidepool_ERROR_linker_script_lacks_INCLUDE_tp_pools_ld,
};

enum {
  root_enemies = (sizeof enemies_storage + 7) / 8 * 8,
  root_sparks = (sizeof sparks_storage + 7) / 8 * 8,
  root_level = (sizeof level_storage + 7) / 8 * 8,
  root_sides = (sizeof sides_storage + 7) / 8 * 8,
  root_draw = (sizeof draw_storage + 7) / 8 * 8,
  root_rest = 16384 - (root_enemies + root_sparks + root_level + root_sides + root_draw),
};
TP_STATIC_ASSERT(root_rest >= 8, "root: its rows take more bytes than it has, less 8");
static const struct tp_nest_row root_rows[] = {
  {.name = "enemies", .allocator = &enemies_pool, .bytes = root_enemies,
   .kind = TP_NEST_POOL, .end = TP_HIGH},
  {.name = "sparks", .allocator = &sparks_pool, .bytes = root_sparks,
   .kind = TP_NEST_POOL, .end = TP_HIGH},
  {.name = "level", .allocator = &level_stack, .bytes = root_level,
   .kind = TP_NEST_STACK, .end = TP_HIGH},
  {.name = "sides", .allocator = &sides_dstack, .bytes = root_sides,
   .kind = TP_NEST_DSTACK, .end = TP_LOW},
  {.name = "draw", .allocator = &draw_frame, .bytes = root_draw,
   .kind = TP_NEST_FRAME, .end = TP_LOW},
};
_Alignas(8) __attribute__((section(".bss.tp_arena.ram.root.1free.root")))
static tp_word_t root_storage[root_rest / 4];
static struct tp_dstack_state root_dstack_state;
static struct tp_nest_state root_nest_state;
const struct tp_nest root_nest = {
  .name = "root",
  .state = &root_nest_state,
  .rows = root_rows,
  .row_count = 5,
  .bytes = 16384,
  .kind = TP_NEST_DSTACK,
  .as.dstack = {.state = &root_dstack_state,
                .region = {.storage = root_storage, .name = "root", .bytes = root_rest, .full = TP_FULL_DROP, .link_check = tidepool_ERROR_linker_script_lacks_INCLUDE_tp_pools_ld}},
};

enum {
  side_embers = (sizeof embers_storage + 7) / 8 * 8,
  side_rest = 1024 - (side_embers),
};
TP_STATIC_ASSERT(side_rest >= 8, "side: its rows take more bytes than it has, less 8");
static const struct tp_nest_row side_rows[] = {
  {.name = "embers", .allocator = &embers_pool, .bytes = side_embers,
   .kind = TP_NEST_POOL, .end = TP_LOW},
};
_Alignas(8)
static tp_word_t side_storage[side_rest / 4];
static struct tp_dstack_state side_dstack_state;
static struct tp_nest_state side_nest_state;
const struct tp_nest side_nest = {
  .name = "side",
  .state = &side_nest_state,
  .rows = side_rows,
  .row_count = 1,
  .bytes = 1024,
  .kind = TP_NEST_DSTACK,
  .as.dstack = {.state = &side_dstack_state,
                .region = {.storage = side_storage, .name = "side", .bytes = side_rest, .full = TP_FULL_ASSERT}},
};

enum {
  spare_rest = 2048 - (0),
};
TP_STATIC_ASSERT(spare_rest >= 8, "spare: its rows take more bytes than it has, less 8");
_Alignas(8) __attribute__((section(".bss.tp_arena.ram.spare")))
static tp_word_t spare_storage[spare_rest / 4];
static struct tp_dstack_state spare_dstack_state;
static struct tp_nest_state spare_nest_state;
const struct tp_nest spare_nest = {
  .name = "spare",
  .state = &spare_nest_state,
  .bytes = 2048,
  .kind = TP_NEST_DSTACK,
  .as.dstack = {.state = &spare_dstack_state,
                .region = {.storage = spare_storage, .name = "spare", .bytes = spare_rest, .full = TP_FULL_DROP, .link_check = tidepool_ERROR_linker_script_lacks_INCLUDE_tp_pools_ld}},
};

const struct tp_pool *const tp_pool_table[TP_POOL_N] = {
  &enemies_pool,
  &sparks_pool,
  &embers_pool,
};
