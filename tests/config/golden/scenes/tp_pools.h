// Generated from pools.toml by tidepool.py. Edit pools.toml, not this file.
// clang-format off

#ifndef TP_POOLS_H
#define TP_POOLS_H

#include "tidepool.h"
#include "tidepool_version.h"
#include "object/tp_scene.h"
#include "game/types.h"

#ifdef __cplusplus
extern "C" {
#endif

// Of the values alone: comments and layout do not change it.
#define TP_CONFIG_HASH 0x9eddc4d7u

TP_STATIC_ASSERT(TIDEPOOL_VERSION == 100,
                 "tidepool.py of version 0.1.0 generated this, but the library is of version "
                 TIDEPOOL_VERSION_TEXT);

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

// RAM: slots in dtcm as scenes cut them, 1604 of tags, 62 of other metadata,
// and its state.
enum {
  PARTICLES_COUNT = 400,
  PARTICLES_SIZE = 24,
};
TP_STATIC_ASSERT(sizeof(struct particle) <= PARTICLES_SIZE,
                 "pools.toml:10: particles: size = 24 is less than sizeof(struct particle)");
TP_STATIC_ASSERT(TP_ALIGNOF(struct particle) <= 8,
                 "pools.toml:10: particles: align = 8 is less than struct particle needs");
extern struct tp_pool particles_pool;

// A slot, not initialised. When all that the scene gives it are live: NULL.
static inline TP_CALL struct particle *particles_alloc(void)
{
  return (struct particle *)tp_pool_alloc(&particles_pool);
}

// Takes back what particles_alloc() returned.
static inline TP_CALL void particles_free(struct particle *object)
{
  tp_pool_free(&particles_pool, object);
}

// RAM: slots in dtcm as scenes cut them, 196 of tags, 62 of other metadata, and
// its state.
enum {
  ENEMIES_COUNT = 48,
  ENEMIES_SIZE = 96,
};
TP_STATIC_ASSERT(sizeof(struct enemy) <= ENEMIES_SIZE,
                 "pools.toml:11: enemies: size = 96 is less than sizeof(struct enemy)");
TP_STATIC_ASSERT(TP_ALIGNOF(struct enemy) <= 8,
                 "pools.toml:11: enemies: align = 8 is less than struct enemy needs");
void enemy_gone(struct enemy *object);
extern struct tp_pool enemies_pool;

// A slot, not initialised. When all that the scene gives it are live: a fault,
// FULL.
static inline TP_CALL struct enemy *enemies_alloc(void)
{
  return (struct enemy *)tp_pool_alloc(&enemies_pool);
}

// Takes back what enemies_alloc() returned.
static inline TP_CALL void enemies_free(struct enemy *object)
{
  tp_pool_free(&enemies_pool, object);
}

// RAM: slots in dtcm as scenes cut them, 68 of ages, 68 of tags, 62 of other
// metadata, and its state.
// Handles: 27 bits of generation wrap after 25.9 days of 60 reuses a second.
enum {
  VOICES_COUNT = 16,
  VOICES_SIZE = 8,
};
TP_STATIC_ASSERT(sizeof(struct voice) <= VOICES_SIZE,
                 "pools.toml:12: voices: size = 8 is less than sizeof(struct voice)");
TP_STATIC_ASSERT(TP_ALIGNOF(struct voice) <= 8,
                 "pools.toml:12: voices: align = 8 is less than struct voice needs");
extern struct tp_pool voices_pool;

// A slot, not initialised. When all that the scene gives it are live: the
// oldest is stolen, its handle is stale. NULL iff each is changing hands.
static inline TP_CALL struct voice *voices_alloc(void)
{
  return (struct voice *)tp_pool_alloc(&voices_pool);
}

// Takes back what voices_alloc() returned.
static inline TP_CALL void voices_free(struct voice *object)
{
  tp_pool_free(&voices_pool, object);
}

// voices_alloc(), and the handle of what it returns.
static inline TP_CALL struct voice *voices_alloc_handle(tp_handle_t *handle)
{
  return (struct voice *)tp_handle_alloc(&voices_pool, handle);
}

// The handle of a live object; TP_NO_HANDLE iff it is none of these.
static inline TP_CALL tp_handle_t voices_handle(const struct voice *object)
{
  return tp_handle_of(&voices_pool, object);
}

// What the handle refers to; NULL iff that is gone.
static inline TP_CALL struct voice *voices_get(tp_handle_t handle)
{
  return (struct voice *)tp_handle_get(&voices_pool, handle);
}

// Takes it back; false iff it is gone already.
static inline TP_CALL bool voices_free_handle(tp_handle_t handle)
{
  return tp_handle_free(&voices_pool, handle);
}

// Keeps it from being stolen; NULL iff it is gone.
static inline TP_CALL struct voice *voices_pin_handle(tp_handle_t handle)
{
  return (struct voice *)tp_handle_pin(&voices_pool, handle);
}

// Lets it be stolen again; false iff it is gone.
static inline TP_CALL bool voices_unpin_handle(tp_handle_t handle)
{
  return tp_handle_unpin(&voices_pool, handle);
}

// RAM: 40 bytes of slots, 24 of tags (8 at off), and its state.
enum {
  FIXED_COUNT = 5,
  FIXED_SIZE = 8,
};
extern const struct tp_pool fixed_pool;

// A slot, not initialised. When all 5 are live: NULL.
static inline TP_CALL void *fixed_alloc(void)
{
  return tp_pool_alloc(&fixed_pool);
}

// Takes back what fixed_alloc() returned.
static inline TP_CALL void fixed_free(void *object)
{
  tp_pool_free(&fixed_pool, object);
}

// One for the fight, one for the menu; the shop has few of all.
// RAM: 10880 bytes in dtcm, 16 of metadata.
enum tp_scene_id {
  TP_SCENE_BATTLE,
  TP_SCENE_TITLE,
  TP_SCENE_SHOP,
  TP_SCENE_N,
};
extern const struct tp_scenes scenes_scenes;

// Leaves the current scene for another. Returns how many pools still have live
// objects, and lists them in [holders]; 0 iff it is entered.
static inline TP_CALL uint32_t scenes_switch(uint32_t scene,
                                             struct tp_scene_holder *holders)
{
  return tp_scene_switch(&scenes_scenes, scene, holders);
}

// The same, but takes every live object back first.
static inline TP_CALL void scenes_force(uint32_t scene)
{
  tp_scene_force(&scenes_scenes, scene);
}

// The scene entered last; TP_NO_SCENE iff there was none.
static inline TP_CALL uint32_t scenes_current(void)
{
  return tp_scene_current(&scenes_scenes);
}

#ifdef __cplusplus
}
#endif

#endif
