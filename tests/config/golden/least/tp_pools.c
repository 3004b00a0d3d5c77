// Generated from pools.toml by tidepool.py. Edit pools.toml, not this file.
// clang-format off

#include "tp_pools.h"
#include "config/tp_define.h"

static void evict_of_voices(void *victim)
{
  voice_stopped((struct voice *)victim);
}
static uint32_t score_of_voices(const void *object)
{
  return voice_loudness((const struct voice *)object);
}
TP_POOL_AGE(voices, 16);
TP_POOL_BORN(voices, 16);
static const struct tp_steal_least voices_least = {
  TP_STEAL_LEAST, .score = score_of_voices, .refuses_below = 1};
TP_POOL_DEFINE(voices, 8, 16, 8,
               TP_NO_BANK, TP_TAGS_ALWAYS,
               .policy = &voices_least.policy, .lock = TP_LOCK_PRIMASK,
               .age = voices_age,
               .born = voices_born, .min_age = 30,
               .evict = evict_of_voices);

TP_POOL_AGE(tracks, 4);
static const struct tp_steal_least tracks_least = {
  TP_STEAL_LEAST, .score = track_weight};
TP_POOL_DEFINE(tracks, 16, 4, 8,
               TP_NO_BANK, TP_TAGS_ALWAYS,
               .policy = &tracks_least.policy, .lock = TP_LOCK_PRIMASK,
               .age = tracks_age);

TP_POOL_AGE(logs, 9);
TP_POOL_BORN(logs, 9);
TP_POOL_DEFINE(logs, 64, 9, 8,
               TP_NO_BANK, TP_TAGS_ALWAYS,
               .policy = &tp_steal_oldest, .lock = TP_LOCK_PRIMASK,
               .age = logs_age,
               .born = logs_born, .min_age = 5);
TP_POOL_OWN_STEALING(logs, void);

const struct tp_pool *const tp_pool_table[TP_POOL_N] = {
  &voices_pool,
  &tracks_pool,
  &logs_pool,
};
