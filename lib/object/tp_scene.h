// SPDX-License-Identifier: MIT
// tp_scene.h - the same RAM cut differently for each level of a game, or mode
// of a device: many sparks and few foes, or the other way round. The idea is
// that of the "Object Pool" chapter of Game Programming Patterns, which tunes
// sizes per scenario.
//
// Pools that scenes cut share an arena as large as the greediest scene. Their
// descriptors lie in RAM: entering a scene writes where each one's slots begin
// and how many they are. A scene can be left only when nothing lives in it, and
// generations go on, so every handle of an old scene is stale in the next.
// Until the first scene is entered these pools have no slots.
#ifndef TP_SCENE_H
#define TP_SCENE_H

#include "tidepool.h"

#ifdef __cplusplus
extern "C" {
#endif

#define TP_NO_SCENE UINT32_MAX

// A pool that scenes cut. It has tags at every level, so that they know who
// lives. An interrupt may use it, also while a switch is under way: it then
// finds the pool full, or as the next scene has it.
struct tp_scene_pool {
  struct tp_pool *pool;
  const tp_slot_t *counts;        // Slots, by scene. 0: not in that scene.
  tp_slot_t *peaks;               // Most live objects at a time, by scene; of
                                  // scenes left since boot.
  void (*release)(void *object);  // Told by tp_scene_force(). May be NULL.
  void (*retire)(void *object);   // tp_object_retire(), where the pool has
                                  // objects with hooks; else NULL.
  void (*close)(void);            // tp_retain_close(), where they retain a
                                  // part; else NULL.
};

// Zero at boot.
struct tp_scene_state {
  uint32_t entered;   // The current scene + 1; 0: none.
  uint32_t switches;  // Scenes entered. Wraps.
  uint32_t refused;   // Switches refused. Wraps.
  uint32_t peak;      // Bytes the greediest scene entered so far took.
};

struct tp_scenes {
  const struct tp_scene_pool *pools;
  tp_word_t *arena;
  struct tp_scene_state *state;
  const char *name;
  const char *link_check;  // As that of a pool.
  uint32_t bytes;          // Of the arena.
  uint16_t pool_count;
  uint8_t scene_count;
  uint8_t align;  // Of every pool's part: the largest of theirs.
};

// A pool that stands in the way of a switch.
struct tp_scene_holder {
  const struct tp_pool *pool;
  uint32_t live;  // Objects that must go first.
};

// Leaves the current scene for [scene], also when it is the same. Unless
// [holders] is NULL, what stands in the way is listed there: room for
// pool_count entries.
//
// Returns  how many pools still have live objects; 0 iff [scene] is entered,
//          all its pools empty. Otherwise nothing has changed.
// Faults   SCENE: there is no such scene (fast). LARGE: it does not fit the
//          arena, which the generator has checked.
// Time     O(slots) of these pools: their tags are counted. One locked window a
//          pool, O(1) from fast up.
// Context  The one that all other users of these pools may interrupt.
uint32_t tp_scene_switch(const struct tp_scenes *scenes, uint32_t scene,
                         struct tp_scene_holder *holders);

// The same, but takes every live object back first: its pool's release() is
// told, which may free it, or others, itself. What it leaves is retired as by
// tp_object_free(), and what slots retain is closed, as by tp_retain_close().
//
// Faults   also those of tp_pool_free().
// Time     O(slots), and release() once for each live object.
// Context  As tp_scene_switch().
void tp_scene_force(const struct tp_scenes *scenes, uint32_t scene);

// Returns  the scene entered last; TP_NO_SCENE iff there was none.
static inline uint32_t tp_scene_current(const struct tp_scenes *scenes)
{
  return scenes->state->entered - 1u;
}

// Returns  the bytes of the arena that [scene], below scene_count, takes.
// Time     O(pools).
// Context  The one that uses these pools.
uint32_t tp_scene_bytes(const struct tp_scenes *scenes, uint32_t scene);

#ifdef __cplusplus
}
#endif

#endif
