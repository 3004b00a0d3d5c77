// SPDX-License-Identifier: MIT
#include "bullets.h"

#include "draw.h"
#include "enemies.h"
#include "player.h"
#include "random.h"
#include "scenario.h"
#include "tp_pools.h"

enum { STEERING = 32, INTERLACE = 4, SHOT_FRAMES = 54, SHOT_SPEED = 1024 };

static struct random *const chance = &streams[STREAM_BULLETS];

static void fire(struct enemy *enemy)
{
  const struct bullet fired = {
      .x = enemy->x,
      .y = enemy->y,
      .dx = (int16_t)((int32_t)random_below(chance, 1024) - 512),
      .dy = (int16_t)random_between(chance, 256, 1536),
      .frames_left = (uint16_t)random_between(chance, 10, 90),
  };
  bullets_handle_t handle;
  struct bullet *bullet = bullets_alloc(&handle);
  if (!bullet) return;
  *bullet = fired;
  enemy->bullet = handle;
}

static void shoot(void)
{
  bullets_handle_t handle;
  struct bullet *bullet = bullets_alloc(&handle);
  if (!bullet) return;
  *bullet = (struct bullet){
      .x = player_x(),
      .y = PLAYER_TOP,
      .dy = -SHOT_SPEED,
      .frames_left = SHOT_FRAMES,
      .is_shot = 1,
  };
}

// An enemy turns its last bullet towards the player, while that flies.
static void steer(const struct enemy *enemy)
{
  struct bullet *bullet = bullets_get(enemy->bullet);
  if (!bullet) return;
  int32_t turn = bullet->x < player_x() ? STEERING : -STEERING;
  bullet->dx = (int16_t)(bullet->dx + turn);
}

// A shot looks for whom it hits now and then: enemies are larger than its way.
static bool hits(const struct bullet *bullet)
{
  if (!bullet->is_shot) return player_is_hit(bullet->x, bullet->y);
  bool looks = bullet->frames_left % INTERLACE == 0;
  return looks && enemies_hit(bullet->x, bullet->y);
}

static void move(void *object, void *context)
{
  struct bullet *bullet = object;
  (void)context;
  bullet->x += bullet->dx;
  bullet->y += bullet->dy;
  bullet->frames_left--;
}

// From the last to the first: who takes the place of a spent one was looked at.
static void fly(struct draw_list *list)
{
  bullets_walk(move, NULL);
  for (uint32_t i = bullets_count(); i-- > 0;) {
    struct bullet *bullet = bullets_at(i);
    if (i % INTERLACE == tp_clock_now % INTERLACE) {
      draw_add(list, bullet->x, bullet->y,
               bullet->is_shot ? COLOUR_YELLOW : COLOUR_RED,
               bullet->is_shot ? SHAPE_TALL : SHAPE_DOT);
    }
    if (hits(bullet) || bullet->frames_left == 0) {
      bullets_free(bullets_handle(i));
    }
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
  if (enemies > 0) {
    steer(enemies_one(random_below(chance, enemies)));
    if (tp_clock_now % scenario.shot_frames == 0) shoot();
  }
  fly(draw_begin(bullets_count() / INTERLACE + 1));
}
