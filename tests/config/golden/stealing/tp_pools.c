// Generated from pools.toml by tidepool.py. Edit pools.toml, not this file.
// clang-format off

#include "tp_pools.h"
#include "core/tp_shape.h"

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
_Alignas(8)
static tp_word_t sounds_storage[(TP_RED_ZONE(8) + 16 * sounds_stride) / 4];
const struct tp_pool sounds_pool = {
  .tag = sounds_tag,
  .state = &sounds_state,
  .storage = sounds_storage + TP_RED_ZONE(8) / 4,
  .capacity = 16,
  .policy = &tp_steal_oldest,
  .name = "sounds",
  .size = 8,
  .stride = sounds_stride,
  .shift = sounds_shift,
  .inverse = TP_INVERSE(sounds_odd),
  .zone = TP_RED_ZONE(8),
  .handle_bits = 5,
  .lock = TP_LOCK_PRIMASK,
  .age = sounds_age,
  .evict = evict_of_sounds,
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
_Alignas(8)
static tp_word_t music_storage[(TP_RED_ZONE(8) + 4 * music_stride) / 4];
const struct tp_pool music_pool = {
  .tag = music_tag,
  .state = &music_state,
  .storage = music_storage + TP_RED_ZONE(8) / 4,
  .capacity = 4,
  .policy = &tp_steal_oldest,
  .name = "music",
  .size = 8,
  .stride = music_stride,
  .shift = music_shift,
  .inverse = TP_INVERSE(music_odd),
  .zone = TP_RED_ZONE(8),
  .handle_bits = 3,
  .lock = TP_LOCK_PRIMASK,
  .age = music_age,
  .evict = evict_of_music,
};

enum {
  logs_stride = TP_STRIDE(128, 8),
  logs_shift = TP_SHIFT(logs_stride),
  logs_odd = logs_stride >> logs_shift,
};
static uint32_t logs_tag[TP_TAGS(10) + 1];
static struct tp_pool_state logs_state;
static struct tp_age_link logs_age[10 + 1];
_Alignas(8)
static tp_word_t logs_storage[(TP_RED_ZONE(8) + 10 * logs_stride) / 4];
const struct tp_pool logs_pool = {
  .tag = logs_tag,
  .state = &logs_state,
  .storage = logs_storage + TP_RED_ZONE(8) / 4,
  .capacity = 10,
  .policy = &tp_steal_oldest,
  .name = "logs",
  .size = 128,
  .stride = logs_stride,
  .shift = logs_shift,
  .inverse = TP_INVERSE(logs_odd),
  .zone = TP_RED_ZONE(8),
  .handle_bits = 4,
  .lock = TP_LOCK_PRIMASK,
  .age = logs_age,
  .evict = log_lost,
};

const struct tp_pool *const tp_pool_table[TP_POOL_N] = {
  &sounds_pool,
  &music_pool,
  &logs_pool,
};
