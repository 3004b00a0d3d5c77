// SPDX-License-Identifier: MIT
// scene.h - the pools that the scenes of these tests cut.
#ifndef SCENE_H
#define SCENE_H

#include "tp_test.h"
#include "tp_declare.h"
#include "core/tp_shape.h"
#include "object/tp_scene.h"

struct spark {
  uint32_t word[4];
};

struct foe {
  uint32_t word[8];
};

enum scene { BATTLE, TITLE, CALM, SCENES };

// The greediest scene at this level: red zones take their share.
enum {
  SPARK_STRIDE = 16 + TP_RED_ZONE(8),
  FOE_STRIDE = 32 + TP_RED_ZONE(8),
  BATTLE_NEEDS = 6 * SPARK_STRIDE + 3 * FOE_STRIDE + 2 * TP_RED_ZONE(8),
  TITLE_NEEDS = 8 * SPARK_STRIDE + 2 * FOE_STRIDE + 2 * TP_RED_ZONE(8),
  CALM_NEEDS = 10 * SPARK_STRIDE + TP_RED_ZONE(8),
  ARENA_BYTES = TITLE_NEEDS > BATTLE_NEEDS ? TITLE_NEEDS : BATTLE_NEEDS
};

TP_SCENE_POOL_DECLARE(sparks, struct spark);
TP_POOL_DECLARE_HANDLES(sparks, struct spark, 32);
TP_SCENE_POOL_DECLARE(foes, struct foe);
TP_POOL_DECLARE_HANDLES(foes, struct foe, 32);
TP_SCENES_DECLARE(game);
TP_SCENES_DECLARE(cramped);

extern uint32_t released;       // Calls of release().
extern bool intrudes;           // Shall the next release() of a foe alloc one,
extern struct spark *intruder;  // as an interrupt would?
extern bool returns;            // Does the next spark that burns do so again?
extern uint32_t ended;          // Calls of deinit(), of foes.

void suite_scene(void);
void suite_parts(void);

#endif
