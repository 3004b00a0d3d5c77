// SPDX-License-Identifier: MIT
#include "roster.h"

#include "enemies.h"
#include "music.h"
#include "particles.h"
#include "scenery.h"
#include "sounds.h"
#include "watch.h"

static uint32_t (*const held[TP_POOL_N])(void) = {
    [TP_ID_PARTICLES] = particles_burning, [TP_ID_SOUNDS] = sounds_playing,
    [TP_ID_ENEMIES] = enemies_alive,       [TP_ID_MUSIC] = music_playing,
    [TP_ID_DEBRIS] = watch_debris_held,    [TP_ID_RUBBLE] = watch_rubble_held,
    [TP_ID_CROWD] = scenery_crowd,         [TP_ID_CREDITS] = scenery_credits,
};

#define ENTRY(name, type, size, count, full) \
  {.words = sizeof(type) / 4, .capacity = (count), .policy = TP_RECORD_##full},

const struct roster_entry roster[TP_POOL_N] = {TP_POOLS(ENTRY)};

uint32_t roster_held(uint32_t index)
{
  return held[index]();
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
