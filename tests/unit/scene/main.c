// SPDX-License-Identifier: MIT
// Two pools, three scenes: battle, title, and one without foes. The counts are
// those of the linear arithmetic: 6 x 16 + 3 x 32 = 192 = 8 x 16 + 2 x 32.
#include "scene.h"

#include "config/tp_define.h"

uint32_t buried;

static void bury(void *object)
{
  (void)object;
  buried++;
}

// Frees itself, and its neighbour.
static void burn(void *object)
{
  buried++;
  sparks_free(object);
}

TP_SCENE_POOL_DEFINE(sparks, sizeof(struct spark), 10, 8, (6, 8, 10),
                     .policy = &tp_drop, .refuses = 1);
TP_SCENE_POOL_DEFINE(foes, sizeof(struct foe), 3, 8, (3, 2, 0),
                     .policy = &tp_drop, .refuses = 1);

enum {
  BATTLE_BYTES = TP_SCENE_BYTES(sparks, 6, 8) + TP_SCENE_BYTES(foes, 3, 8),
  TITLE_BYTES = TP_SCENE_BYTES(sparks, 8, 8) + TP_SCENE_BYTES(foes, 2, 8),
};

TP_SCENES_DEFINE(game, ARENA_BYTES, 3, 8, TP_NO_BANK,
                 TP_SCENE_POOL(sparks, burn), TP_SCENE_POOL(foes, bury));
TP_SCENES_DEFINE(cramped, ARENA_BYTES - 8, 3, 8, TP_NO_BANK,
                 TP_SCENE_POOL(sparks, NULL), TP_SCENE_POOL(foes, NULL));

_Static_assert((int)BATTLE_BYTES <= ARENA_BYTES, "battle");
_Static_assert((int)TITLE_BYTES <= ARENA_BYTES, "title");

int main(void)
{
  suite_scene();
  return tp_test_end();
}
