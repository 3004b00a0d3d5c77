// SPDX-License-Identifier: MIT
#include "enemies.h"

#include "debris.h"
#include "draw.h"
#include "particles.h"
#include "random.h"
#include "scenario.h"
#include "sounds.h"
#include "tp_pools.h"

static struct random *const chance = &streams[STREAM_ENEMIES];
static struct enemy *live[ENEMIES_COUNT];
static uint32_t live_count, killed;

static void spawn(void)
{
  struct enemy *enemy = enemies_alloc();
  if (!enemy) return;
  *enemy = (struct enemy){
      .x = (int32_t)(random_below(chance, 320) * 256),
      .y = 0,
      .dx = (int16_t)((int32_t)random_below(chance, 256) - 128),
      .dy = (int16_t)random_between(chance, 16, 128),
      .health = (uint16_t)random_between(chance, scenario.enemy_frames_low,
                                         scenario.enemy_frames_high),
      .kind = (uint16_t)random_below(chance, 4),
      .bullet = TP_NO_HANDLE,
  };
  live[live_count++] = enemy;
}

// A wave is never larger than the room that is left: the pool asserts.
static void send_wave(void)
{
  uint32_t most = ENEMIES_COUNT * scenario.wave_percent / 100;
  uint32_t wave = random_between(chance, 1, most ? most : 1);
  uint32_t room = ENEMIES_COUNT - live_count;
  if (wave > room) wave = room;
  while (wave--) spawn();
}

static void explode(uint32_t index)
{
  struct enemy *enemy = live[index];
  particles_burst(enemy->x, enemy->y, PARTICLES_COUNT / 100 + 2);
  debris_scatter(enemy->x, enemy->y, PARTICLES_COUNT / 80 + 1);
  sounds_play((uint16_t)random_between(chance, 10, 90), enemy->kind);
  enemies_free(enemy);
  killed++;
  live[index] = live[--live_count];
}

// From the last to the first: who takes the place of a dead one has moved.
static void advance(void)
{
  for (uint32_t i = live_count; i-- > 0;) {
    struct enemy *enemy = live[i];
    enemy->x += enemy->dx;
    enemy->y += enemy->dy;
    enemy->frames_lived++;
    if (enemy->frames_lived % 4 == 0)
      draw(enemy->x, enemy->y, enemy->kind + 1u);
    if (--enemy->health == 0) explode(i);
  }
}

void enemies_update(void)
{
  bool due = tp_clock_now % scenario.wave_frames == 0;
  if (due && scenario_load() > 0) send_wave();
  advance();
}

uint32_t enemies_alive(void)
{
  return live_count;
}

struct enemy *enemies_one(uint32_t index)
{
  return live[index];
}

uint32_t enemies_killed(void)
{
  return killed;
}
