// Generated from pools.toml by tidepool.py. Edit pools.toml, not this file.
// clang-format off

#ifndef TP_POOLS_H
#define TP_POOLS_H

#include "tidepool.h"
#include "config/tp_declare.h"
#include "object/tp_scene.h"
#include "game/types.h"

#ifdef __cplusplus
extern "C" {
#endif

// Of the values alone: comments and layout do not change it.
#define TP_CONFIG_HASH 0x9eddc4d7u

//  name       C type           size  count  when full
#define TP_POOLS(X) \
  X(particles, struct particle,   24,   400, DROP) \
  X(enemies,   struct enemy,      96,    48, ASSERT) \
  X(voices,    struct voice,       8,    16, STEAL_OLDEST) \
  X(fixed,     void,               8,     5, DROP)

enum tp_pool_id {
  TP_ID_PARTICLES,
  TP_ID_ENEMIES,
  TP_ID_VOICES,
  TP_ID_FIXED,
  TP_POOL_N,
};

extern const struct tp_pool *const tp_pool_table[TP_POOL_N];

// RAM: slots in dtcm as scenes cut them, 1604 of tags, 62 of other metadata, and its state.
TP_STATIC_ASSERT(sizeof(struct particle) <= 24,
                 "pools.toml:10: particles: size = 24 is less than sizeof(struct particle)");
TP_STATIC_ASSERT(TP_ALIGNOF(struct particle) <= 8,
                 "pools.toml:10: particles: align = 8 is less than struct particle needs");
TP_SCENE_POOL_DECLARE(particles, struct particle);

// RAM: slots in dtcm as scenes cut them, 196 of tags, 62 of other metadata, and its state.
TP_STATIC_ASSERT(sizeof(struct enemy) <= 96,
                 "pools.toml:11: enemies: size = 96 is less than sizeof(struct enemy)");
TP_STATIC_ASSERT(TP_ALIGNOF(struct enemy) <= 8,
                 "pools.toml:11: enemies: align = 8 is less than struct enemy needs");
void enemy_gone(struct enemy *object);
TP_SCENE_POOL_DECLARE(enemies, struct enemy);

// RAM: slots in dtcm as scenes cut them, 68 of ages, 68 of tags, 62 of other metadata, and its state.
// Handles: 27 bits of generation wrap after 25.9 days of 60 reuses a second.
TP_STATIC_ASSERT(sizeof(struct voice) <= 8,
                 "pools.toml:12: voices: size = 8 is less than sizeof(struct voice)");
TP_STATIC_ASSERT(TP_ALIGNOF(struct voice) <= 8,
                 "pools.toml:12: voices: align = 8 is less than struct voice needs");
TP_SCENE_POOL_DECLARE(voices, struct voice);
TP_POOL_DECLARE_HANDLES(voices, struct voice, 32);

// RAM: 40 bytes of slots, 24 of tags (8 at off), and its state.
TP_POOL_DECLARE(fixed, void);

// One for the fight, one for the menu; the shop has few of all.
// RAM: 10880 bytes in dtcm, 16 of metadata.
enum tp_scene_id {
  TP_SCENE_BATTLE,
  TP_SCENE_TITLE,
  TP_SCENE_SHOP,
  TP_SCENE_N,
};
TP_SCENES_DECLARE(scenes);

#ifdef __cplusplus
}
#endif

#endif
