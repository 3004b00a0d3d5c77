// SPDX-License-Identifier: MIT
#include "scenery.h"

#include "pool/tp_define.h"
#include "random.h"
#include "run.h"
#include "scenario.h"
#include "scene/tp_scene.h"
#include "site.h"
#include "telemetry.h"

enum { BATTLE, TITLE, SCENES };
enum { CROWD_FEW = CROWD_MOST / 4, CREDITS_FEW = CREDITS_MOST / 8 };

static void released(void *object);

TP_SCENE_POOL_DEFINE(crowd, sizeof(struct prop), CROWD_MOST, 4,
                     (CROWD_MOST, CROWD_FEW), .policy = &tp_drop, .refuses = 1);
TP_SCENE_POOL_DEFINE(credits, sizeof(struct prop), CREDITS_MOST, 4,
                     (CREDITS_FEW, CREDITS_MOST), .policy = &tp_drop,
                     .refuses = 1);

enum {
  BATTLE_BYTES = TP_SCENE_BYTES(crowd, CROWD_MOST, 4) +
                 TP_SCENE_BYTES(credits, CREDITS_FEW, 4),
  TITLE_BYTES = TP_SCENE_BYTES(crowd, CROWD_FEW, 4) +
                TP_SCENE_BYTES(credits, CREDITS_MOST, 4),
  BYTES = (int)BATTLE_BYTES > (int)TITLE_BYTES ? (int)BATTLE_BYTES
                                               : (int)TITLE_BYTES,
};

TP_SCENES_DEFINE(stage, BYTES, SCENES, 4, TP_NO_BANK,
                 TP_SCENE_POOL(crowd, released),
                 TP_SCENE_POOL(credits, released));
TP_SCENES_DECLARE(stage);

// What stands in one pool.
struct troupe {
  struct tp_pool *pool;
  struct ledger ledger;
  struct prop *props[CREDITS_MOST];
  uint32_t count;
};

static struct random chance;
static struct troupe troupes[2] = {{.pool = &crowd_pool},
                                   {.pool = &credits_pool}};
static tp_handle_t remembered[2];  // Somebody of the scene before.
static uint32_t revenants;         // Of them, who was still to be found.

static void released(void *object)
{
  (void)object;
}

// Whoever is left goes with the scene.
static void leave(struct troupe *troupe)
{
  troupe->ledger.frees += troupe->count;
  troupe->count = 0;
}

static tp_handle_t somebody(const struct troupe *troupe)
{
  return troupe->count ? tp_handle_of(troupe->pool, troupe->props[0])
                       : TP_NO_HANDLE;
}

static void change_scene(uint32_t frame, uint32_t scene)
{
  static const char *const names[SCENES] = {"battle", "title"};
  for (uint32_t i = 0; i < 2; i++) remembered[i] = somebody(&troupes[i]);
  if (stage_switch(scene, 0) > 0) stage_force(scene);
  for (uint32_t i = 0; i < 2; i++) {
    leave(&troupes[i]);
    revenants += tp_handle_get(troupes[i].pool, remembered[i]) != 0;
  }
  telemetry_scene(frame, names[scene]);
}

void scenery_start(uint64_t seed)
{
  chance = random_stream(seed, 12);
  change_scene(0, BATTLE);
}

static void enter(struct troupe *troupe)
{
  bool open = site_begin(SITE_PROP);
  struct prop *prop = open ? tp_pool_alloc(troupe->pool) : 0;
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
    tp_pool_free(troupe->pool, prop);
  }
}

void scenery_update(uint32_t frame, struct hash *hash)
{
  uint32_t length = scenario.scene_seconds * FRAMES_PER_SECOND;
  if (length && frame && frame % length == 0) {
    change_scene(frame, (stage_current() + 1) % SCENES);
  }
  for (uint32_t i = 0; i < 2; i++) {
    if (random_below(&chance, 4) < 2 * scenario_load()) enter(&troupes[i]);
    stand(&troupes[i], hash);
  }
  hash_add(hash, stage_current());
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
