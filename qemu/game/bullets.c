// SPDX-License-Identifier: MIT
#include "bullets.h"

#include "draw.h"
#include "enemies.h"
#include "player.h"
#include "random.h"
#include "scenario.h"
#include "tp_pools.h"

enum { SHADE = 5, STEERING = 32 };

static struct random *const chance = &streams[STREAM_BULLETS];

static void fire(struct enemy *enemy)
{
  tp_handle_t handle;
  struct bullet *bullet = bullets_alloc(&handle);
  if (!bullet) return;
  *bullet = (struct bullet){
      .x = enemy->x,
      .y = enemy->y,
      .dx = (int16_t)((int32_t)random_below(chance, 1024) - 512),
      .dy = (int16_t)random_between(chance, 512, 2048),
      .frames_left = (uint16_t)random_between(chance, 10, 90),
  };
  enemy->bullet = handle;
}

// An enemy turns its last bullet towards the player, while that flies.
static void steer(const struct enemy *enemy)
{
  struct bullet *bullet = bullets_get(enemy->bullet);
  if (!bullet) return;
  int32_t turn = bullet->x < player_x() ? STEERING : -STEERING;
  bullet->dx = (int16_t)(bullet->dx + turn);
}

static bool is_over(const struct bullet *bullet)
{
  return player_is_hit(bullet->x, bullet->y) || bullet->frames_left == 0;
}

// From the last to the first: who takes the place of a spent one has flown.
static void fly(void)
{
  for (uint32_t i = bullets_count(); i-- > 0;) {
    struct bullet *bullet = bullets_at(i);
    bullet->x += bullet->dx;
    bullet->y += bullet->dy;
    bullet->frames_left--;
    if (bullet->frames_left % 16 == 0) draw(bullet->x, bullet->y, SHADE);
    if (is_over(bullet)) bullets_free(bullets_handle(i));
  }
}

void bullets_update(void)
{
  uint32_t enemies = enemies_alive();
  uint32_t most = enemies * scenario_load() / 8;
  uint32_t count = random_below(chance, most + 1);
  for (uint32_t i = 0; i < count; i++) {
    fire(enemies_one(random_below(chance, enemies)));
  }
  if (enemies > 0) steer(enemies_one(random_below(chance, enemies)));
  fly();
}
