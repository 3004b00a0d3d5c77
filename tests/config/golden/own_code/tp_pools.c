// Generated from pools.toml by tidepool.py. Edit pools.toml, not this file.
// clang-format off

#include "tp_pools.h"
#include "config/tp_define.h"

TP_POOL_DEFINE(particles, 24, 256, 8,
               TP_NO_BANK, TP_TAGS_IF_CHECKED,
               .policy = &tp_drop, .lock = TP_LOCK_PRIMASK,
               .refuses = 1);
TP_POOL_OWN(particles, struct particle);

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
TP_POOL_OWN_STEALING(sounds, struct voice);

TP_POOL_DEFINE(bytes, 16, 3, 8,
               TP_NO_BANK, TP_TAGS_IF_CHECKED,
               .policy = &tp_assert, .lock = TP_LOCK_PRIMASK);
TP_POOL_OWN(bytes, void);

const struct tp_pool *const tp_pool_table[TP_POOL_N] = {
  &particles_pool,
  &sounds_pool,
  &bytes_pool,
};
