// SPDX-License-Identifier: MIT
#include "game.h"

#include "bullets.h"
#include "debris.h"
#include "draw.h"
#include "enemies.h"
#include "meshes.h"
#include "music.h"
#include "particles.h"
#include "player.h"
#include "random.h"
#include "scenario.h"
#include "scenery.h"
#include "screen.h"
#include "scripts.h"
#include "sounds.h"

struct random streams[STREAM_N];

static void (*const steps[GAME_STEPS])(void) = {
    screen_fade,    scenario_update, scenery_update, particles_update,
    enemies_update, bullets_update,  player_update,  debris_update,
    scripts_update, meshes_update,   music_update,   sounds_mix,
    draw_show,
};

void game_start(uint64_t seed)
{
  for (uint32_t i = 0; i < STREAM_N; i++) {
    streams[i] = random_stream(seed, i);
  }
  scenario_start();
  scenery_start();
}

void game_step(uint32_t step)
{
  steps[step]();
}

void game_frame(void)
{
  for (uint32_t step = 0; step < GAME_STEPS; step++) game_step(step);
}

void game_interrupt(void)
{
  sounds_interrupt();
}

uint32_t game_score(void)
{
  return enemies_killed() * 10 + player_hits();
}
