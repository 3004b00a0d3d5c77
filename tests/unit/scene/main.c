// SPDX-License-Identifier: MIT
// Two pools, three scenes: battle, title, and one without foes. The counts are
// those of the linear arithmetic: 6 x 16 + 3 x 32 = 192 = 8 x 16 + 2 x 32.
#include "scene.h"

#include "object/tp_object.h"
#include "tp_by_hand.h"

uint32_t released, ended;
bool intrudes, returns;
struct spark *intruder;

static void release_foe(void *object)
{
  (void)object;
  released++;
  if (!intrudes) return;
  intrudes = false;
  intruder = sparks_alloc();
}

static void burn(void *object)
{
  released++;
  sparks_free(object);
  if (!returns) return;
  returns = false;
  sparks_alloc();
}

static void foe_dies(void *object)
{
  (void)object;
  ended++;
}

TEST_SCENE_POOL(sparks, sizeof(struct spark), 10, 8, (6, 8, 10),
                .policy = &tp_drop, .refuses = 1);
TEST_SCENE_POOL(foes, sizeof(struct foe), 3, 8, (3, 2, 0), .policy = &tp_drop,
                .refuses = 1);

static const struct tp_objects foes_objects = {
    .pool = &foes_pool,
    .deinit = foe_dies,
};

enum {
  BATTLE_BYTES = TP_CUT(6, sparks_stride, 8, 8) + TP_CUT(3, foes_stride, 8, 8),
  TITLE_BYTES = TP_CUT(8, sparks_stride, 8, 8) + TP_CUT(2, foes_stride, 8, 8),
};

TEST_SCENES(game, ARENA_BYTES, 3, 8, TEST_SCENE_ROW(sparks, pool, NULL, burn),
            TEST_SCENE_ROW(foes, object, &foes_objects, release_foe));
TEST_SCENES(cramped, ARENA_BYTES - 8, 3, 8,
            TEST_SCENE_ROW(sparks, pool, NULL, NULL),
            TEST_SCENE_ROW(foes, pool, NULL, NULL));

_Static_assert((int)BATTLE_BYTES <= ARENA_BYTES, "battle");
_Static_assert((int)TITLE_BYTES <= ARENA_BYTES, "title");

int main(void)
{
  suite_scene();
  suite_parts();
  return tp_test_end();
}
