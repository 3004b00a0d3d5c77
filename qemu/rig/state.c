// SPDX-License-Identifier: MIT
#include "state.h"

#include "debris.h"
#include "enemies.h"
#include "game.h"
#include "meshes.h"
#include "particles.h"
#include "random.h"
#include "scenery.h"
#include "screen.h"
#include "scripts.h"
#include "tp_pools.h"

// Two 32-bit lanes, so that a core without a long multiply is as fast.
static uint32_t a, b;

static void add(uint32_t word)
{
  a = (a ^ word) * 0x01000193u;
  b = (b + (word ^ a >> 15)) * 0x9e3779b1u;
}

// A quarter of the picture a frame: what is there stays for a while.
static void add_screen(void)
{
  for (uint32_t row = tp_clock_now % 4; row < SCREEN_ROWS; row += 4) {
    const uint32_t *words = screen.words[row];
    for (uint32_t i = 0; i < SCREEN_COLUMNS / 4; i++) add(words[i]);
  }
}

static void add_counts(void)
{
  add(particles_burning() << 16 | debris_pieces());
  add(enemies_alive() << 16 | bullets_count());
  add(scripts_running() << 16 | meshes_loaded());
  add(scenery_crowd() << 16 | scenery_credits());
  add(game_score());
}

void state_frame(void)
{
  for (uint32_t i = 0; i < STREAM_N; i++) add(streams[i].state);
  add_screen();
  add_counts();
}

uint64_t state_hash(void)
{
  return (uint64_t)b << 32 | a;
}
