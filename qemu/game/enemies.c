// SPDX-License-Identifier: MIT
#include "enemies.h"

#include "debris.h"
#include "draw.h"
#include "particles.h"
#include "random.h"
#include "scenario.h"
#include "sounds.h"
#include "tp_pools.h"

enum { KINDS = 4, INTERLACE = 4, LARGE = 24 * PIXEL, DAMAGE = 120 };

static const struct {
  uint8_t colour, shape;
} kinds[KINDS] = {{COLOUR_GREEN, 0x57},
                  {COLOUR_PINK, 0x27},
                  {COLOUR_ORANGE, 0x75},
                  {COLOUR_WHITE, 0x72}};

static struct random *const chance = &streams[STREAM_ENEMIES];
static struct enemy *live[ENEMIES_COUNT];
static uint32_t live_count, killed;

static void spawn(void)
{
  struct enemy *enemy = enemies_alloc();
  if (!enemy) return;
  *enemy = (struct enemy){
      .x = (int32_t)(random_below(chance, 320) * PIXEL),
      .y = 0,
      .dx = (int16_t)((int32_t)random_below(chance, 256) - 128),
      .dy = (int16_t)random_between(chance, 16, 128),
      .health = (uint16_t)random_between(chance, scenario.enemy_frames_low,
                                         scenario.enemy_frames_high),
      .kind = (uint16_t)random_below(chance, KINDS),
      .bullet = BULLETS_NO_HANDLE,
  };
  live[live_count++] = enemy;
}

static void send_wave(void)
{
  uint32_t wave = random_between(chance, scenario.wave_low, scenario.wave_high);
  while (wave--) spawn();
}

static void explode(uint32_t index)
{
  struct enemy *enemy = live[index];
  particles_burst(enemy->x, enemy->y, scenario.explosion_sparks);
  debris_scatter(enemy->x, enemy->y, scenario.explosion_pieces);
  sounds_play((uint16_t)random_between(chance, 10, 90), enemy->kind);
  enemies_free(enemy);
  killed++;
  live[index] = live[--live_count];
}

// Who leaves the screen comes back on its other side.
static int32_t around(int32_t place, int32_t size)
{
  if (place < 0) return place + size;
  return place < size ? place : place - size;
}

// From the last to the first: who takes the place of a dead one has moved.
static void advance(void)
{
  for (uint32_t i = live_count; i-- > 0;) {
    struct enemy *enemy = live[i];
    enemy->x = around(enemy->x + enemy->dx, WIDTH);
    enemy->y = around(enemy->y + enemy->dy, HEIGHT);
    enemy->frames_lived++;
    if (--enemy->health == 0) explode(i);
  }
}

// One in a few of them each frame: what was drawn is seen a little longer.
static void show(void)
{
  struct draw_list *list = draw_begin(live_count / INTERLACE + 1);
  for (uint32_t i = tp_clock_now % INTERLACE; i < live_count; i += INTERLACE) {
    const struct enemy *enemy = live[i];
    draw_add(list, enemy->x, enemy->y, kinds[enemy->kind].colour,
             kinds[enemy->kind].shape);
  }
}

void enemies_update(void)
{
  bool due = tp_clock_now % scenario.wave_frames == 0;
  if (due && scenario_load() > 0) send_wave();
  advance();
  show();
}

static bool is_at(const struct enemy *enemy, int32_t x, int32_t y)
{
  return (uint32_t)(x - enemy->x) < LARGE && (uint32_t)(y - enemy->y) < LARGE;
}

bool enemies_hit(int32_t x, int32_t y)
{
  for (uint32_t i = 0; i < live_count; i++) {
    struct enemy *enemy = live[i];
    if (!is_at(enemy, x, y)) continue;
    bool dies = enemy->health <= DAMAGE;
    enemy->health = dies ? 1 : (uint16_t)(enemy->health - DAMAGE);
    return true;
  }
  return false;
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
