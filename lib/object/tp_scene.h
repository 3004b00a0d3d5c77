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
// lives, and is used by one context: a switch locks nothing.
struct tp_scene_pool {
  struct tp_pool *pool;
  const tp_slot_t *counts;        // Slots, by scene. 0: not in that scene.
  tp_slot_t *peaks;               // Most live objects at a time, by scene; of
                                  // scenes left since boot.
  void (*release)(void *object);  // Told by tp_scene_force(). May be NULL.
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
// Time     O(slots) of these pools: their tags are counted.
// Context  The one that uses these pools.
uint32_t tp_scene_switch(const struct tp_scenes *scenes, uint32_t scene,
                         struct tp_scene_holder *holders);

// The same, but takes every live object back first: its pool's release() is
// told, which may free it, or others, itself.
//
// Faults   also those of tp_pool_free().
// Time     O(slots), and release() once for each live object.
// Context  The one that uses these pools.
void tp_scene_force(const struct tp_scenes *scenes, uint32_t scene);

// Returns  the scene entered last; TP_NO_SCENE iff there was none.
static inline uint32_t tp_scene_current(const struct tp_scenes *scenes)
{
  return scenes->state->entered - 1u;
}

<<<<<<< HEAD
=======
// Defines pool [pool] with at most [most] slots in any scene, and, as the last
// arguments, the slots of each scene in their order:
//
//   TP_SCENE_POOL_DEFINE(sparks, 24, 400, 8, (256, 400), .policy = &tp_drop);
//
// C only, and with config/tp_define.h.
#define TP_SCENE_POOL_DEFINE(pool, size_bytes, most, align, by_scene, ...) \
  TP_POOL_SHAPE(pool, size_bytes, most, align, TP_TAGS_ALWAYS);            \
  static const tp_slot_t pool##_counts[] = {TP_SCENE_LIST by_scene};       \
  static tp_slot_t pool##_peaks[sizeof pool##_counts / sizeof(tp_slot_t)]; \
  struct tp_pool pool##_pool = {TP_POOL_FORM(pool), __VA_ARGS__}
#define TP_SCENE_LIST(...) __VA_ARGS__

// The entry of such a pool in TP_SCENES_DEFINE(); [tell]: its release().
#define TP_SCENE_POOL(name, tell) \
  {.pool = &name##_pool,          \
   .counts = name##_counts,       \
   .peaks = name##_peaks,         \
   .release = tell}

// Bytes that [count] slots of [name] take of an arena aligned to [align].
#define TP_SCENE_BYTES(name, count, align)                                     \
  ((count) == 0 ? 0u                                                           \
                : ((unsigned)name##_zone + (count) * (unsigned)name##_stride + \
                   (align) - 1u) &                                             \
                      (0u - (align)))

// Defines scenes [name] over an arena of [size_bytes], and the pools they cut:
//
//   TP_SCENES_DEFINE(game, 10752, 2, 8, TP_NO_BANK,
//                    TP_SCENE_POOL(sparks, NULL), TP_SCENE_POOL(foes, forget_foe));
#define TP_SCENES_DEFINE(scenes, size_bytes, count, alignment, bank, ...)   \
  _Alignas(alignment)                                                       \
      bank static tp_word_t scenes##_arena[((size_bytes) + 3) / 4];         \
  static struct tp_scene_state scenes##_scene_state;                        \
  static const struct tp_scene_pool scenes##_scene_pools[] = {__VA_ARGS__}; \
  const struct tp_scenes scenes##_scenes = {                                \
      .pools = scenes##_scene_pools,                                        \
      .arena = scenes##_arena,                                              \
      .state = &scenes##_scene_state,                                       \
      .name = #scenes,                                                      \
      .bytes = (size_bytes),                                                \
      .pool_count =                                                         \
          sizeof scenes##_scene_pools / sizeof(scenes##_scene_pools[0]),    \
      .scene_count = (count),                                               \
      .align = (alignment)}

>>>>>>> cd07b2a (tests: Names of tests in the words of lib/DESIGN.md)
#ifdef __cplusplus
}
#endif

#endif
