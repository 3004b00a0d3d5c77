// SPDX-License-Identifier: MIT
// A pool that scenes cut. They write its descriptor, so that is flipped, too.
#include "object/tp_scene.h"

#include "pools.h"

enum { SCENES = 2 };

FLIPS_PAGES(POOL_MEMORY(cut); struct tp_pool pool; GAP(a);
            struct tp_scene_state state; GAP(b); uint32_t peaks[SCENES]; GAP(c);
            uint32_t seal; GAP(d););

// As it is linked; and, for the application, where its slots will be.
POOL(cut, 0, TAGGED, DROPS);

static const struct tp_seal cut_seal = {.descriptor = &pages.at.pool,
                                        .word = &pages.at.seal,
                                        .name = "cut",
                                        .count = sizeof pages.at.pool / 4};
static const uint32_t amounts[SCENES] = {SLOTS, SLOTS};
static const struct tp_scene_part cut_part = {.kind = &tp_scene_pool,
                                              .allocator = &pages.at.pool,
                                              .name = "cut",
                                              .amounts = amounts,
                                              .peaks = pages.at.peaks,
                                              .end = tp_pool_end_scene,
                                              .seal = &cut_seal};
static const struct tp_scenes scenes = {.parts = &cut_part,
                                        .arena = pages.at.cut_storage,
                                        .state = &pages.at.state,
                                        .name = "scenes",
                                        .bytes = sizeof pages.at.cut_storage,
                                        .part_count = 1,
                                        .scene_count = SCENES,
                                        .align = 8};

static void *cut_alloc(uint32_t score, tp_handle64_t *handle)
{
  (void)score;
  (void)handle;
  if (!knows.attached) {
    pages.at.pool = cut_pool;
    pages.at.pool.capacity = 0;
    tp_scene_force(&scenes, 0);
    knows.attached = 1;
  }
  tp_seal_check(&cut_seal);
  return tp_pool_alloc(&pages.at.pool);
}

static void cut_free(void *object)
{
  tp_seal_check(&cut_seal);
  tp_pool_free(&pages.at.pool, object);
}

static const struct use cut_use;

static void leave(void)
{
  uint32_t scene = flips_random(SCENES);
  if (!knows.attached) return;
  if (flips_random(2)) {
    bool empty = use_live(&cut_use) == 0;
    flips_expect((tp_scene_switch(&scenes, scene, NULL) == 0) == empty);
    return;
  }
  tp_scene_force(&scenes, scene);
  use_forget();
}

static const struct use cut_use = {.homes = {&cut_pool},
                                   .home_count = 1,
                                   .alloc = cut_alloc,
                                   .free = cut_free,
                                   .extra = leave,
                                   .told = true};

POOL_SUBJECT(cut, cut_use, POOL_PARTS(cut), PART("scene", state),
             PART("peaks", peaks), PART("descriptor", pool),
             PART("seal", seal));
