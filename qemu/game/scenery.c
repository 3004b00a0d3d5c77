// SPDX-License-Identifier: MIT
#include "scenery.h"

#include "draw.h"
#include "game.h"
#include "random.h"
#include "scenario.h"
#include "tp_pools.h"

enum { GROUND = 200 * 256, SHADE = 2 };

// The calls of one pool, and who stands in it.
struct troupe {
  struct prop *(*alloc)(void);
  void (*free)(struct prop *prop);
  tp_handle_t (*handle)(const struct prop *prop);
  struct prop *(*get)(tp_handle_t handle);
  struct prop **props;  // Room for all that its pool has.
  uint32_t count;
  tp_handle_t followed;  // Whom the camera looks at.
};

static struct random *const chance = &streams[STREAM_PROPS];
static struct prop *in_crowd[CROWD_COUNT], *in_credits[CREDITS_COUNT];
static struct troupe crowd = {
    .alloc = crowd_alloc,
    .free = crowd_free,
    .handle = crowd_handle,
    .get = crowd_get,
    .props = in_crowd,
};
static struct troupe credits = {
    .alloc = credits_alloc,
    .free = credits_free,
    .handle = credits_handle,
    .get = credits_get,
    .props = in_credits,
};

// Whoever is left goes with the scene: all handles are stale then.
static void change_scene(uint32_t scene)
{
  if (scenes_switch(scene, 0) > 0) scenes_force(scene);
  crowd.count = credits.count = 0;
}

void scenery_start(void)
{
  change_scene(TP_SCENE_BATTLE);
}

static void enter(struct troupe *troupe)
{
  struct prop *prop = troupe->alloc();
  if (!prop) return;
  *prop = (struct prop){
      .x = random_next(chance) % (320 * 256),
      .frames_left = random_between(chance, scenario.enemy_frames_low,
                                    scenario.enemy_frames_high),
  };
  troupe->props[troupe->count++] = prop;
}

static void stand(struct troupe *troupe)
{
  for (uint32_t i = troupe->count; i-- > 0;) {
    struct prop *prop = troupe->props[i];
    if (--prop->frames_left > 0) continue;
    troupe->props[i] = troupe->props[--troupe->count];
    troupe->free(prop);
  }
}

// The camera looks at somebody for as long as he is there.
static void follow(struct troupe *troupe)
{
  const struct prop *prop = troupe->get(troupe->followed);
  if (!prop && troupe->count > 0) {
    prop = troupe->props[0];
    troupe->followed = troupe->handle(prop);
  }
  if (prop) draw((int32_t)prop->x, GROUND, SHADE);
}

static void update(struct troupe *troupe)
{
  if (random_below(chance, 4) < 2 * scenario_load()) enter(troupe);
  stand(troupe);
  follow(troupe);
}

void scenery_update(void)
{
  uint32_t length = scenario.scene_seconds * FRAMES_PER_SECOND;
  if (length && tp_clock_now && tp_clock_now % length == 0) {
    change_scene((scenes_current() + 1) % TP_SCENE_N);
  }
  update(&crowd);
  update(&credits);
}

uint32_t scenery_crowd(void)
{
  return crowd.count;
}

uint32_t scenery_credits(void)
{
  return credits.count;
}
