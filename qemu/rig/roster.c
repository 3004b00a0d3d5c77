// SPDX-License-Identifier: MIT
#include "roster.h"

#include "enemies.h"
#include "music.h"
#include "particles.h"
#include "scenery.h"
#include "sounds.h"
#include "watch.h"

#define WORDS(type) (sizeof(struct type) / 4)

const struct roster_entry roster[TP_POOL_N] = {
    [TP_ID_PARTICLES] = {WORDS(particle), PARTICLES_COUNT, particles_burning},
    [TP_ID_SOUNDS] = {WORDS(voice), SOUNDS_COUNT, sounds_playing},
    [TP_ID_ENEMIES] = {WORDS(enemy), ENEMIES_COUNT, enemies_alive},
    [TP_ID_MUSIC] = {WORDS(note), MUSIC_COUNT, music_playing},
    [TP_ID_DEBRIS] = {WORDS(piece), DEBRIS_COUNT, watch_debris_held},
    [TP_ID_RUBBLE] = {WORDS(piece), RUBBLE_COUNT, watch_rubble_held},
    [TP_ID_CROWD] = {WORDS(prop), CROWD_COUNT, scenery_crowd},
    [TP_ID_CREDITS] = {WORDS(prop), CREDITS_COUNT, scenery_credits},
};

uint8_t roster_policy(const struct tp_pool *pool)
{
  if (pool->refuses) return TP_RECORD_DROP;
  if (pool->takes_foreign) return TP_RECORD_SPILL;
  if (pool->policy == &tp_assert) return TP_RECORD_ASSERT;
  return pool->policy == &tp_steal_oldest ? TP_RECORD_STEAL_OLDEST
                                          : TP_RECORD_STEAL_LEAST;
}

uint32_t roster_index(const struct tp_pool *pool)
{
  for (uint32_t i = 0; i < TP_POOL_N; i++) {
    if (tp_pool_table[i] == pool) return i;
  }
  return ROSTER_NONE;
}

bool roster_open(const struct tp_pool *pool)
{
  return pool != &rubble_pool || rubble_chunk.state->phase == TP_CHUNK_OPEN;
}
