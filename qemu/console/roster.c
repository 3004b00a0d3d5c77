// SPDX-License-Identifier: MIT
#include "roster.h"

#include "debris.h"
#include "enemies.h"
#include "music.h"
#include "particles.h"
#include "scenery.h"
#include "sounds.h"

#define ENTRY(name, type, size, count, full) \
  {.ledger = name##_ledger,                  \
   .held = name##_held,                      \
   .words = sizeof(type) / 4,                \
   .capacity = (count),                      \
   .policy = TP_RECORD_##full},

const struct roster_entry roster[TP_POOL_N] = {TP_POOLS(ENTRY)};

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
