// Generated from pools.toml by tidepool.py. Edit pools.toml, not this file.
// clang-format off

#include "tp_pools.h"
#include "core/tp_shape.h"
#include "core/tp_core.h"
#include "policy/tp_steal.h"

static void evict_of_voices(void *victim)
{
  voice_stopped((struct voice *)victim);
}
static uint32_t score_of_voices(const void *object)
{
  return voice_loudness((const struct voice *)object);
}
static const struct tp_steal_least voices_least = {
  .policy.overflow = tp_least_overflow,
  .score = score_of_voices,
  .refuses_below = 1,
};
enum {
  voices_stride = TP_STRIDE(8, 8),
  voices_shift = TP_SHIFT(voices_stride),
  voices_odd = voices_stride >> voices_shift,
};
static uint32_t voices_tag[16 + 1];
static struct tp_pool_state voices_state;
static struct tp_age_link voices_age[16 + 1];
static uint32_t voices_born[16 + 1];
_Alignas(8)
static tp_word_t voices_storage[(TP_RED_ZONE(8) + 16 * voices_stride) / 4];
const struct tp_pool voices_pool = {
  .tag = voices_tag,
  .state = &voices_state,
  .storage = voices_storage + TP_RED_ZONE(8) / 4,
  .capacity = 16,
  .policy = &voices_least.policy,
  .name = "voices",
  .size = 8,
  .stride = voices_stride,
  .shift = voices_shift,
  .inverse = TP_INVERSE(voices_odd),
  .zone = TP_RED_ZONE(8),
  .handle_bits = 5,
  .lock = TP_LOCK_PRIMASK,
  .tagged = 1,
  .age = voices_age,
  .born = voices_born,
  .min_age = 30,
  .evict = evict_of_voices,
};

static const struct tp_steal_least tracks_least = {
  .policy.overflow = tp_least_overflow,
  .score = track_weight,
};
enum {
  tracks_stride = TP_STRIDE(16, 8),
  tracks_shift = TP_SHIFT(tracks_stride),
  tracks_odd = tracks_stride >> tracks_shift,
};
static uint32_t tracks_tag[4 + 1];
static struct tp_pool_state tracks_state;
static struct tp_age_link tracks_age[4 + 1];
_Alignas(8)
static tp_word_t tracks_storage[(TP_RED_ZONE(8) + 4 * tracks_stride) / 4];
const struct tp_pool tracks_pool = {
  .tag = tracks_tag,
  .state = &tracks_state,
  .storage = tracks_storage + TP_RED_ZONE(8) / 4,
  .capacity = 4,
  .policy = &tracks_least.policy,
  .name = "tracks",
  .size = 16,
  .stride = tracks_stride,
  .shift = tracks_shift,
  .inverse = TP_INVERSE(tracks_odd),
  .zone = TP_RED_ZONE(8),
  .handle_bits = 3,
  .lock = TP_LOCK_PRIMASK,
  .tagged = 1,
  .age = tracks_age,
};

enum {
  logs_stride = TP_STRIDE(64, 8),
  logs_shift = TP_SHIFT(logs_stride),
  logs_odd = logs_stride >> logs_shift,
};
static uint32_t logs_tag[9 + 1];
static struct tp_pool_state logs_state;
static struct tp_age_link logs_age[9 + 1];
static uint32_t logs_born[9 + 1];
_Alignas(8)
static tp_word_t logs_storage[(TP_RED_ZONE(8) + 9 * logs_stride) / 4];
const struct tp_pool logs_pool = {
  .tag = logs_tag,
  .state = &logs_state,
  .storage = logs_storage + TP_RED_ZONE(8) / 4,
  .capacity = 9,
  .policy = &tp_steal_oldest,
  .name = "logs",
  .size = 64,
  .stride = logs_stride,
  .shift = logs_shift,
  .inverse = TP_INVERSE(logs_odd),
  .zone = TP_RED_ZONE(8),
  .handle_bits = 4,
  .lock = TP_LOCK_PRIMASK,
  .tagged = 1,
  .age = logs_age,
  .born = logs_born,
  .min_age = 5,
};
TP_NOINLINE static void *logs_extend(const struct tp_pool *pool,
    uint32_t *tag, tp_site_t site)
{
  (void)pool;
  return tp_core_extend(&logs_pool, logs_pool.lock, tp_steal_core,
                        tag, site);
}
TP_NOINLINE void *logs_alloc(void)
{
  return tp_core_alloc(&logs_pool, logs_pool.lock, logs_extend, NULL, NULL);
}
TP_NOINLINE void logs_free(void *object)
{
  tp_core_free(&logs_pool, logs_pool.lock, object, NULL);
}

const struct tp_pool *const tp_pool_table[TP_POOL_N] = {
  &voices_pool,
  &tracks_pool,
  &logs_pool,
};
