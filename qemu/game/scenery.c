// SPDX-License-Identifier: MIT
#include "scenery.h"

#include "draw.h"
#include "game.h"
#include "random.h"
#include "scenario.h"
#include "tp_pools.h"

enum { GROUND = 200 * PIXEL, INTERLACE = 4, ELSEWHERE = 8 };

// The calls of one pool, and who stands in it.
struct troupe {
  struct prop *(*alloc)(void);
  void (*free)(struct prop *prop);
  const struct prop *(*followed)(void);  // Whom the camera looks at.
  void (*follow)(const struct prop *prop);
  uint32_t home;            // The scene it has most of the memory in.
  const uint32_t *percent;  // Of the frames there somebody joins it.
  int32_t y;
  uint8_t colour;
  struct prop **props;  // Room for all that its pool has.
  uint32_t count;
};

static crowd_handle_t in_view_of_crowd;
static credits_handle_t in_view_of_credits;

static const struct prop *followed_in_crowd(void)
{
  return crowd_get(in_view_of_crowd);
}

static void follow_in_crowd(const struct prop *prop)
{
  in_view_of_crowd = crowd_handle(prop);
}

static const struct prop *followed_in_credits(void)
{
  return credits_get(in_view_of_credits);
}

static void follow_in_credits(const struct prop *prop)
{
  in_view_of_credits = credits_handle(prop);
}

static struct random *const chance = &streams[STREAM_PROPS];
static struct prop *in_crowd[CROWD_COUNT], *in_credits[CREDITS_COUNT];
static struct troupe crowd = {
    .alloc = crowd_alloc,
    .free = crowd_free,
    .followed = followed_in_crowd,
    .follow = follow_in_crowd,
    .home = TP_SCENE_BATTLE,
    .percent = &scenario.crowd_percent,
    .y = GROUND,
    .colour = COLOUR_GREEN,
    .props = in_crowd,
};
static struct troupe credits = {
    .alloc = credits_alloc,
    .free = credits_free,
    .followed = followed_in_credits,
    .follow = follow_in_credits,
    .home = TP_SCENE_TITLE,
    .percent = &scenario.credits_percent,
    .y = GROUND + 8 * PIXEL,
    .colour = COLOUR_VIOLET,
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
  const struct prop entering = {
      .x = random_below(chance, 320) * PIXEL,
      .frames_left = random_between(chance, scenario.prop_frames_low,
                                    scenario.prop_frames_high),
  };
  struct prop *prop = troupe->alloc();
  if (!prop) return;
  *prop = entering;
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
  const struct prop *prop = troupe->followed();
  if (!prop && troupe->count > 0) {
    prop = troupe->props[0];
    troupe->follow(prop);
  }
  if (prop) draw((int32_t)prop->x, troupe->y, COLOUR_WHITE, SHAPE_DOT);
}

static void show(const struct troupe *troupe)
{
  struct draw_list *list = draw_begin(troupe->count / INTERLACE + 1);
  for (uint32_t i = tp_clock_now % INTERLACE; i < troupe->count;
       i += INTERLACE) {
    draw_add(list, (int32_t)troupe->props[i]->x, troupe->y, troupe->colour,
             SHAPE_DOT);
  }
}

static void update(struct troupe *troupe)
{
  uint32_t percent = *troupe->percent * scenario_load();
  if (scenes_current() != troupe->home) percent /= ELSEWHERE;
  stand(troupe);
  for (uint32_t n = random_times(chance, percent); n > 0; n--) enter(troupe);
  show(troupe);
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
