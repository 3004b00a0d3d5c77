// Generated from pools.toml by tidepool.py. Edit pools.toml, not this file.
// clang-format off

#ifdef __cplusplus
#pragma GCC diagnostic ignored "-Wold-style-cast"
#ifndef __clang__
#pragma GCC diagnostic ignored "-Wuseless-cast"
#endif
#endif

#include "tp_pools.h"
#include "check/tp_alike.h"
#include "core/tp_registry.h"
#include "core/tp_shape.h"

#ifdef __cplusplus
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"
#endif

TP_ALIKE_HERE("tp_pools_c", "the_library");

// Who defines it: tp_pools.ld, or the tp_pools.c of who includes this table.
// A link without that ends with this sentence.
extern const char tidepool_ERROR_linker_script_lacks_INCLUDE_tp_pools_ld[];

enum {
  particles_stride = TP_STRIDE(24, 8),
  particles_shift = TP_SHIFT(particles_stride),
  particles_odd = particles_stride >> particles_shift,
};
static uint32_t particles_tag[TP_TAGS(256) + 1];
static struct tp_pool_state particles_state;
__attribute__((aligned(8), section(".bss.tp_arena.dtcm.particles")))
static tp_word_t particles_storage[(TP_RED_ZONE(8) + 256 * particles_stride) / 4];
const struct tp_pool particles_pool = {
  .tag = particles_tag,
  .origin = (uintptr_t)particles_storage + TP_RED_ZONE(8) - particles_stride,
  .inverse = TP_INVERSE(particles_odd),
  .gate = TP_GATE(+particles_stride, 256),
  .state = &particles_state,
  .storage = particles_storage + TP_RED_ZONE(8) / 4,
  .policy = &tp_drop,
  .name = "particles",
  .link_check = tidepool_ERROR_linker_script_lacks_INCLUDE_tp_pools_ld,
  .stride = particles_stride,
  .size = particles_stride - TP_RED_ZONE(8),
  .capacity = 256,
  .lock = TP_LOCK_PRIMASK,
  .zone = TP_RED_ZONE(8),
  .refuses = 1,
  .handle_bits = 9,
  TP_OBJECT(24, 0, NULL)
};

enum {
  enemies_stride = TP_STRIDE(80, 8),
  enemies_shift = TP_SHIFT(enemies_stride),
  enemies_odd = enemies_stride >> enemies_shift,
};
static uint32_t enemies_tag[TP_TAGS(48) + 1];
static struct tp_pool_state enemies_state;
__attribute__((aligned(8), section(".bss.tp_arena.psram.enemies")))
static tp_word_t enemies_storage[(TP_RED_ZONE(8) + 48 * enemies_stride) / 4];
const struct tp_pool enemies_pool = {
  .tag = enemies_tag,
  .origin = (uintptr_t)enemies_storage + TP_RED_ZONE(8) - enemies_stride,
  .inverse = TP_INVERSE(enemies_odd),
  .gate = TP_GATE(+enemies_stride, 48),
  .state = &enemies_state,
  .storage = enemies_storage + TP_RED_ZONE(8) / 4,
  .policy = &tp_assert,
  .name = "enemies",
  .link_check = tidepool_ERROR_linker_script_lacks_INCLUDE_tp_pools_ld,
  .stride = enemies_stride,
  .size = enemies_stride - TP_RED_ZONE(8),
  .capacity = 48,
  .lock = TP_LOCK_PRIMASK,
  .zone = TP_RED_ZONE(8),
  .handle_bits = 6,
  TP_OBJECT(80, 0, NULL)
};

enum {
  embers_stride = TP_STRIDE(24, 8),
  embers_shift = TP_SHIFT(embers_stride),
  embers_odd = embers_stride >> embers_shift,
};
static uint32_t embers_tag[TP_TAGS(64) + 1];
static struct tp_pool_state embers_state;
__attribute__((aligned(8), section(".bss.tp_arena.dtcm.embers")))
static tp_word_t embers_storage[(TP_RED_ZONE(8) + 64 * embers_stride) / 4];
const struct tp_pool embers_pool = {
  .tag = embers_tag,
  .origin = (uintptr_t)embers_storage + TP_RED_ZONE(8) - embers_stride,
  .inverse = TP_INVERSE(embers_odd),
  .gate = TP_GATE(+embers_stride, 64),
  .state = &embers_state,
  .storage = embers_storage + TP_RED_ZONE(8) / 4,
  .policy = &tp_drop,
  .name = "embers",
  .link_check = tidepool_ERROR_linker_script_lacks_INCLUDE_tp_pools_ld,
  .stride = embers_stride,
  .size = embers_stride - TP_RED_ZONE(8),
  .capacity = 64,
  .lock = TP_LOCK_PRIMASK,
  .zone = TP_RED_ZONE(8),
  .refuses = 1,
  .handle_bits = 7,
  TP_OBJECT(24, 0, NULL)
};

enum {
  debris_stride = TP_STRIDE(24, 8),
  debris_shift = TP_SHIFT(debris_stride),
  debris_odd = debris_stride >> debris_shift,
};
static uint32_t debris_tag[TP_TAGS(64) + 1];
static struct tp_pool_state debris_state;
__attribute__((aligned(8)))
static tp_word_t debris_storage[(TP_RED_ZONE(8) + 64 * debris_stride) / 4];
const struct tp_pool debris_pool = {
  .tag = debris_tag,
  .origin = (uintptr_t)debris_storage + TP_RED_ZONE(8) - debris_stride,
  .inverse = TP_INVERSE(debris_odd),
  .gate = TP_GATE(+debris_stride, 64),
  .state = &debris_state,
  .storage = debris_storage + TP_RED_ZONE(8) / 4,
  .policy = &tp_drop,
  .name = "debris",
  .stride = debris_stride,
  .size = debris_stride - TP_RED_ZONE(8),
  .capacity = 64,
  .lock = TP_LOCK_PRIMASK,
  .zone = TP_RED_ZONE(8),
  .refuses = 1,
  .handle_bits = 7,
  TP_OBJECT(24, 0, NULL)
};

static const struct tp_entry tp_entries[] = {
  // name, kind, allocator, policy, bank, most, bytes, stride, spare, life, seal
  {"particles", &tp_pool_kind, &particles_pool, "drop",
   "dtcm", 256, sizeof particles_storage, particles_stride, 0, 0u, NULL},
  {"enemies", &tp_pool_kind, &enemies_pool, "assert",
   "psram", 48, sizeof enemies_storage, enemies_stride, 0, 0u, NULL},
  {"embers", &tp_pool_kind, &embers_pool, "drop",
   "dtcm", 64, sizeof embers_storage, embers_stride, 0, 0u, NULL},
  {"debris", &tp_pool_kind, &debris_pool, "drop",
   NULL, 64, sizeof debris_storage, debris_stride, 0, 0u, NULL},
};
static const struct tp_entry *const tp_listed[] = {
  &tp_entries[0],
  &tp_entries[1],
  &tp_entries[2],
  &tp_entries[3],
};
const struct tp_registry tp_registry = {
  .entries = tp_listed,
  .count = 4,
  .config = TP_CONFIG_HASH,
};
