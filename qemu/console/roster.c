// SPDX-License-Identifier: MIT
#include "roster.h"

#include "counts.h"
#include "debris.h"
#include "enemies.h"
#include "music.h"
#include "particles.h"
#include "scenery.h"
#include "sounds.h"
#include "tp_pools.h"

#define ENTRY(name, type, count, code)                                  \
  {                                                                     \
    .pool = &name##_pool, .ledger = name##_ledger, .held = name##_held, \
    .words = sizeof(type) / 4, .capacity = (count), .policy = (code)    \
  }

const struct roster_entry roster[ROSTER_N] = {
    ENTRY(particles, struct particle, COUNT_particles, TP_RECORD_DROP),
    ENTRY(sounds, struct voice, COUNT_sounds, TP_RECORD_STEAL_OLDEST),
    ENTRY(enemies, struct enemy, COUNT_enemies, TP_RECORD_ASSERT),
    ENTRY(music, struct note, MUSIC_NOTES, TP_RECORD_STEAL_LEAST),
    ENTRY(debris, struct piece, DEBRIS_HOME, TP_RECORD_SPILL),
    ENTRY(rubble, struct piece, DEBRIS_AWAY, TP_RECORD_DROP),
    ENTRY(crowd, struct prop, CROWD_MOST, TP_RECORD_DROP),
    ENTRY(credits, struct prop, CREDITS_MOST, TP_RECORD_DROP),
};

uint32_t roster_index(const struct tp_pool *pool)
{
  for (uint32_t i = 0; i < ROSTER_N; i++) {
    if (roster[i].pool == pool) return i;
  }
  return ROSTER_NONE;
}

bool roster_open(const struct tp_pool *pool)
{
  return pool != &rubble_pool || rubble_chunk.state->phase == TP_CHUNK_OPEN;
}
