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
               TP_NO_BANK, TP_TAGS_ALWAYS,
               .policy = &tp_steal_oldest, .lock = TP_LOCK_PRIMASK,
               .age = sounds_age,
               .evict = evict_of_sounds);

TP_POOL_DEFINE(sparks, 24, 512, 8,
               TP_NO_BANK, TP_TAGS_ALWAYS,
               .policy = &tp_drop, .lock = TP_LOCK_PRIMASK,
               .refuses = 1);

TP_POOL_DEFINE(lamps, 8, 1, 8,
               TP_NO_BANK, TP_TAGS_ALWAYS,
               .policy = &tp_drop, .lock = TP_LOCK_PRIMASK,
               .refuses = 1);

const struct tp_pool *const tp_pool_table[TP_POOL_N] = {
  &sounds_pool,
  &sparks_pool,
  &lamps_pool,
};
