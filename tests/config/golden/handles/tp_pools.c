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
static uint32_t sounds_tag[16 + 1];
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
  .tagged = 1,
  .age = sounds_age,
  .evict = evict_of_sounds,
};

enum {
  sparks_stride = TP_STRIDE(24, 8),
  sparks_shift = TP_SHIFT(sparks_stride),
  sparks_odd = sparks_stride >> sparks_shift,
};
static uint32_t sparks_tag[512 + 1];
static struct tp_pool_state sparks_state;
_Alignas(8)
static tp_word_t sparks_storage[(TP_RED_ZONE(8) + 512 * sparks_stride) / 4];
const struct tp_pool sparks_pool = {
  .tag = sparks_tag,
  .state = &sparks_state,
  .storage = sparks_storage + TP_RED_ZONE(8) / 4,
  .capacity = 512,
  .policy = &tp_drop,
  .name = "sparks",
  .size = 24,
  .stride = sparks_stride,
  .shift = sparks_shift,
  .inverse = TP_INVERSE(sparks_odd),
  .zone = TP_RED_ZONE(8),
  .handle_bits = 10,
  .lock = TP_LOCK_PRIMASK,
  .tagged = 1,
  .refuses = 1,
};

enum {
  lamps_stride = TP_STRIDE(8, 8),
  lamps_shift = TP_SHIFT(lamps_stride),
  lamps_odd = lamps_stride >> lamps_shift,
};
static uint32_t lamps_tag[1 + 1];
static struct tp_pool_state lamps_state;
_Alignas(8)
static tp_word_t lamps_storage[(TP_RED_ZONE(8) + 1 * lamps_stride) / 4];
const struct tp_pool lamps_pool = {
  .tag = lamps_tag,
  .state = &lamps_state,
  .storage = lamps_storage + TP_RED_ZONE(8) / 4,
  .capacity = 1,
  .policy = &tp_drop,
  .name = "lamps",
  .size = 8,
  .stride = lamps_stride,
  .shift = lamps_shift,
  .inverse = TP_INVERSE(lamps_odd),
  .zone = TP_RED_ZONE(8),
  .handle_bits = 1,
  .lock = TP_LOCK_PRIMASK,
  .tagged = 1,
  .refuses = 1,
};

const struct tp_pool *const tp_pool_table[TP_POOL_N] = {
  &sounds_pool,
  &sparks_pool,
  &lamps_pool,
};
