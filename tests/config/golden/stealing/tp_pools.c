// Generated from pools.toml by tidepool.py. Edit pools.toml, not this file.
// clang-format off

#include "tp_pools.h"
#include "config/tp_define.h"

static void evict_of_sounds(void *victim)
{
  voice_stopped((struct voice *)victim);
}
TP_POOL_AGE(sounds, 16);
TP_POOL_DEFINE(sounds, 8, 16, 8,
               TP_NO_BANK, TP_TAGS_IF_CHECKED,
               .policy = &tp_steal_oldest, .lock = TP_LOCK_PRIMASK,
               .age = sounds_age,
               .evict = evict_of_sounds);

static void evict_of_music(void *victim)
{
  voice_stopped((struct voice *)victim);
}
TP_POOL_AGE(music, 4);
TP_POOL_DEFINE(music, 8, 4, 8,
               TP_NO_BANK, TP_TAGS_IF_CHECKED,
               .policy = &tp_steal_oldest, .lock = TP_LOCK_PRIMASK,
               .age = music_age,
               .evict = evict_of_music);

TP_POOL_AGE(logs, 10);
TP_POOL_DEFINE(logs, 128, 10, 8,
               TP_NO_BANK, TP_TAGS_IF_CHECKED,
               .policy = &tp_steal_oldest, .lock = TP_LOCK_PRIMASK,
               .age = logs_age,
               .evict = log_lost);

const struct tp_pool *const tp_pool_table[TP_POOL_N] = {
  &sounds_pool,
  &music_pool,
  &logs_pool,
};
