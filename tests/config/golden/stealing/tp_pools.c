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

extern const struct tp_policy tp_steal_detached;

static void evict_of_sounds(void *victim)
{
  voice_stopped((struct voice *)victim);
}
enum {
  sounds_stride = TP_STRIDE(8, 8),
  sounds_shift = TP_SHIFT(sounds_stride),
  sounds_odd = sounds_stride >> sounds_shift,
};
static uint32_t sounds_tag[TP_TAGS(16) + 1];
static struct tp_pool_state sounds_state;
static struct tp_age_link sounds_age[16 + 1];
__attribute__((aligned(8)))
static tp_word_t sounds_storage[(TP_RED_ZONE(8) + 16 * sounds_stride) / 4];
const struct tp_pool sounds_pool = {
  .tag = sounds_tag,
  .origin = (uintptr_t)sounds_storage + TP_RED_ZONE(8) - sounds_stride,
  .inverse = TP_INVERSE(sounds_odd),
  .gate = TP_GATE(+sounds_stride, 0),
  .state = &sounds_state,
  .storage = sounds_storage + TP_RED_ZONE(8) / 4,
  .age = sounds_age,
  .policy = &tp_steal_detached,
  .general = &tp_general,
  .evict = evict_of_sounds,
  .name = "sounds",
  .stride = sounds_stride,
  .size = sounds_stride - TP_RED_ZONE(8),
  .capacity = 16,
  .lock = TP_LOCK_PRIMASK,
  .zone = TP_RED_ZONE(8),
  .handle_bits = 5,
  TP_OBJECT(8, 0, NULL)
};

static void evict_of_music(void *victim)
{
  voice_stopped((struct voice *)victim);
}
enum {
  music_stride = TP_STRIDE(8, 8),
  music_shift = TP_SHIFT(music_stride),
  music_odd = music_stride >> music_shift,
};
static uint32_t music_tag[TP_TAGS(4) + 1];
static struct tp_pool_state music_state;
static struct tp_age_link music_age[4 + 1];
__attribute__((aligned(8)))
static tp_word_t music_storage[(TP_RED_ZONE(8) + 4 * music_stride) / 4];
const struct tp_pool music_pool = {
  .tag = music_tag,
  .origin = (uintptr_t)music_storage + TP_RED_ZONE(8) - music_stride,
  .inverse = TP_INVERSE(music_odd),
  .gate = TP_GATE(+music_stride, 0),
  .state = &music_state,
  .storage = music_storage + TP_RED_ZONE(8) / 4,
  .age = music_age,
  .policy = &tp_steal_detached,
  .general = &tp_general,
  .evict = evict_of_music,
  .name = "music",
  .stride = music_stride,
  .size = music_stride - TP_RED_ZONE(8),
  .capacity = 4,
  .lock = TP_LOCK_PRIMASK,
  .zone = TP_RED_ZONE(8),
  .handle_bits = 3,
  TP_OBJECT(8, 0, NULL)
};

enum {
  logs_stride = TP_STRIDE(128, 8),
  logs_shift = TP_SHIFT(logs_stride),
  logs_odd = logs_stride >> logs_shift,
};
static uint32_t logs_tag[TP_TAGS(10) + 1];
static struct tp_pool_state logs_state;
static struct tp_age_link logs_age[10 + 1];
__attribute__((aligned(8)))
static tp_word_t logs_storage[(TP_RED_ZONE(8) + 10 * logs_stride) / 4];
const struct tp_pool logs_pool = {
  .tag = logs_tag,
  .origin = (uintptr_t)logs_storage + TP_RED_ZONE(8) - logs_stride,
  .inverse = TP_INVERSE(logs_odd),
  .gate = TP_GATE(+logs_stride, 0),
  .state = &logs_state,
  .storage = logs_storage + TP_RED_ZONE(8) / 4,
  .age = logs_age,
  .policy = &tp_steal_detached,
  .general = &tp_general,
  .evict = log_lost,
  .name = "logs",
  .stride = logs_stride,
  .size = logs_stride - TP_RED_ZONE(8),
  .capacity = 10,
  .lock = TP_LOCK_PRIMASK,
  .zone = TP_RED_ZONE(8),
  .handle_bits = 4,
  TP_OBJECT(128, 0, NULL)
};

static const struct tp_entry tp_entries[] = {
  // name, kind, allocator, policy, bank, most, bytes, stride, spare, life, seal
  {"sounds", &tp_pool_kind, &sounds_pool, "steal-oldest",
   NULL, 16, sizeof sounds_storage, sounds_stride, 0, 0u, NULL},
  {"music", &tp_pool_kind, &music_pool, "steal-oldest",
   NULL, 4, sizeof music_storage, music_stride, 0, 0u, NULL},
  {"logs", &tp_pool_kind, &logs_pool, "steal-oldest",
   NULL, 10, sizeof logs_storage, logs_stride, 0, 0u, NULL},
};
static const struct tp_entry *const tp_listed[] = {
  &tp_entries[0],
  &tp_entries[1],
  &tp_entries[2],
};
const struct tp_registry tp_registry = {
  .entries = tp_listed,
  .count = 3,
  .config = TP_CONFIG_HASH,
};
