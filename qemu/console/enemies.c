// SPDX-License-Identifier: MIT
#include "enemies.h"

#include "counts.h"
#include "debris.h"
#include "draw.h"
#include "particles.h"
#include "random.h"
#include "scenario.h"
#include "site.h"
#include "sounds.h"
#include "tp_pools.h"

static struct random chance;
static struct ledger ledger;
static struct enemy *live[COUNT_enemies];
static uint32_t live_count;

void enemies_start(uint64_t seed)
{
  chance = random_stream(seed, 2);
}

static void spawn(void)
{
  struct enemy *enemy = site_begin(SITE_ENEMY) ? enemies_alloc() : 0;
  site_end(SITE_ENEMY);
  if (!enemy) return;
  ledger.allocs++;
  *enemy = (struct enemy){
      .x = (int32_t)(random_below(&chance, 320) * 256),
      .y = 0,
      .dx = (int16_t)((int32_t)random_below(&chance, 256) - 128),
      .dy = (int16_t)random_between(&chance, 16, 128),
      .health = (uint16_t)random_between(&chance, scenario.enemy_frames_low,
                                         scenario.enemy_frames_high),
      .kind = (uint16_t)random_below(&chance, 4),
  };
  live[live_count++] = enemy;
}

// A wave is never larger than the room that is left: the pool asserts.
static void send_wave(void)
{
  uint32_t most = COUNT_enemies * scenario.wave_percent / 100;
  uint32_t wave = random_between(&chance, 1, most ? most : 1);
  uint32_t room = COUNT_enemies - live_count;
  if (wave > room) wave = room;
  while (wave--) spawn();
}

static void explode(uint32_t index)
{
  struct enemy *enemy = live[index];
  particles_burst(enemy->x, enemy->y, COUNT_particles / 100 + 2);
  debris_scatter(enemy->x, enemy->y, COUNT_particles / 80 + 1);
  sounds_play((uint16_t)random_between(&chance, 10, 90), enemy->kind);
  enemies_free(enemy);
  ledger.frees++;
  live[index] = live[--live_count];
}

// From the last to the first: who takes the place of a dead one has moved.
void enemies_update(uint32_t frame, struct hash *hash)
{
  bool due = frame % scenario.wave_frames == 0;
  if (due && scenario_load() > 0) send_wave();
  uint32_t sum = 0;
  for (uint32_t i = live_count; i-- > 0;) {
    struct enemy *enemy = live[i];
    enemy->x += enemy->dx;
    enemy->y += enemy->dy;
    enemy->frames_lived++;
    sum = sum * 31 + (uint32_t)(enemy->x ^ enemy->y);
    if (enemy->frames_lived % 2) draw(enemy->x, enemy->y, enemy->kind);
    if (--enemy->health == 0) explode(i);
  }
  hash_add(hash, sum);
}

struct ledger enemies_ledger(void)
{
  return ledger;
}

uint32_t enemies_held(void)
{
  return live_count;
}
