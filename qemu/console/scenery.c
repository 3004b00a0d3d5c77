// SPDX-License-Identifier: MIT
#include "scenery.h"

#include "counts.h"
#include "random.h"
#include "run.h"
#include "scenario.h"
#include "site.h"
#include "telemetry.h"
#include "tp_pools.h"
#include "object/tp_scene.h"

// The calls of one pool, and what stands in it.
struct troupe {
  struct prop *(*alloc)(void);
  void (*free)(struct prop *prop);
  tp_handle_t (*handle)(const struct prop *prop);
  struct prop *(*get)(tp_handle_t handle);
  struct ledger ledger;
  struct prop *props[COUNT_crowd > COUNT_credits ? COUNT_crowd : COUNT_credits];
  uint32_t count;
};

static struct random chance;
static struct troupe troupes[2] = {
    {.alloc = crowd_alloc,
     .free = crowd_free,
     .handle = crowd_handle,
     .get = crowd_get},
    {.alloc = credits_alloc,
     .free = credits_free,
     .handle = credits_handle,
     .get = credits_get},
};
static tp_handle_t remembered[2];  // Somebody of the scene before.
static uint32_t revenants;         // Of them, who was still to be found.

// Whoever is left goes with the scene.
static void leave(struct troupe *troupe)
{
  troupe->ledger.frees += troupe->count;
  troupe->count = 0;
}

static tp_handle_t somebody(const struct troupe *troupe)
{
  return troupe->count ? troupe->handle(troupe->props[0]) : TP_NO_HANDLE;
}

static void change_scene(uint32_t frame, uint32_t scene)
{
  static const char *const names[TP_SCENE_N] = {
      [TP_SCENE_BATTLE] = "battle", [TP_SCENE_TITLE] = "title"};
  for (uint32_t i = 0; i < 2; i++) remembered[i] = somebody(&troupes[i]);
  if (scenes_switch(scene, 0) > 0) scenes_force(scene);
  for (uint32_t i = 0; i < 2; i++) {
    leave(&troupes[i]);
    revenants += troupes[i].get(remembered[i]) != 0;
  }
  telemetry_scene(frame, names[scene]);
}

void scenery_start(uint64_t seed)
{
  chance = random_stream(seed, 12);
  change_scene(0, TP_SCENE_BATTLE);
}

static void enter(struct troupe *troupe)
{
  bool open = site_begin(SITE_PROP);
  struct prop *prop = open ? troupe->alloc() : 0;
  site_end(SITE_PROP);
  troupe->ledger.drops += open && !prop;
  if (!prop) return;
  troupe->ledger.allocs++;
  *prop = (struct prop){
      .x = random_next(&chance),
      .frames_left = random_between(&chance, scenario.enemy_frames_low,
                                    scenario.enemy_frames_high),
  };
  troupe->props[troupe->count++] = prop;
}

static void stand(struct troupe *troupe, struct hash *hash)
{
  for (uint32_t i = 0; i < troupe->count;) {
    struct prop *prop = troupe->props[i++];
    if (--prop->frames_left > 0) continue;
    hash_add(hash, prop->x);
    troupe->props[--i] = troupe->props[--troupe->count];
    troupe->ledger.frees++;
    troupe->free(prop);
  }
}

void scenery_update(uint32_t frame, struct hash *hash)
{
  uint32_t length = scenario.scene_seconds * FRAMES_PER_SECOND;
  if (length && frame && frame % length == 0) {
    change_scene(frame, (scenes_current() + 1) % TP_SCENE_N);
  }
  for (uint32_t i = 0; i < 2; i++) {
    if (random_below(&chance, 4) < 2 * scenario_load()) enter(&troupes[i]);
    stand(&troupes[i], hash);
  }
  hash_add(hash, scenes_current());
}

struct ledger crowd_ledger(void)
{
  return troupes[0].ledger;
}

struct ledger credits_ledger(void)
{
  return troupes[1].ledger;
}

uint32_t crowd_held(void)
{
  return troupes[0].count;
}

uint32_t credits_held(void)
{
  return troupes[1].count;
}

const char *scenery_audit(void)
{
  return revenants ? "scenery: a handle survived its scene" : 0;
}
