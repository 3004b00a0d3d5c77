// SPDX-License-Identifier: MIT
// tp_scene.h - the same RAM cut differently for each level of a game, or mode
// of a device: many sparks and few foes, or the other way round. The idea is
// that of the "Object Pool" chapter of Game Programming Patterns, which tunes
// sizes per scenario.
//
// What scenes cut are parts of an arena as large as the greediest scene: pools,
// the classes of blocks, stacks, frames and dense pools. Their descriptors lie
// in RAM: entering a scene writes where each one's memory begins and how much
// it is, and each generated call sees first that it is so, core/tp_seal.h. A
// scene can be left only when nothing lives in it, and generations go on, so
// every handle of an old scene is stale in the next. Until the first scene is
// entered, and in one that gives it nothing, a part is full: its policy
// answers.
#ifndef TP_SCENE_H
#define TP_SCENE_H

#include "core/tp_seal.h"
#include "tidepool.h"

#ifdef __cplusplus
extern "C" {
#endif

#define TP_NO_SCENE UINT32_MAX

// How scenes cut allocators of one kind. An amount is one of slots, of objects,
// or of bytes: of a frame, those of each buffer.
struct tp_scene_kind {
  uint32_t (*bytes)(const void *allocator, uint32_t amount);  // It takes.
  uint32_t (*live)(const void *allocator);  // What must go before a switch.
  uint32_t (*peak)(const void *allocator);  // Most at a time in this scene.
  // Takes its memory away, so that an interrupt finds it full. Returns false,
  // and leaves it as it is, iff something of it is live.
  bool (*close)(void *allocator);
  // Gives it [amount] from [memory] on.
  void (*open)(void *allocator, void *memory, uint32_t amount);
};

// An allocator that scenes cut. An interrupt may use one that is for it, also
// while a switch is under way: it then finds it full, or as the next scene has
// it.
struct tp_scene_part {
  const struct tp_scene_kind *kind;
  void *allocator;  // By kind: struct tp_pool *, struct tp_stack * and so on.
  const void *beside;  // What .end needs to know of it beside that, or NULL.
  const char *name;
  const uint32_t *amounts;  // By scene. 0: it has nothing there.
  uint32_t *peaks;          // By scene; of scenes left since boot.
  // Ends all lives of it, for tp_scene_force().
  void (*end)(const struct tp_scene_part *part, tp_site_t site);
  void (*release)(void *object);  // Told before, of a pool. May be NULL.
  const struct tp_seal *seal;     // Of the allocator. NULL: nobody compares.
};

// The kinds, and how lives end in each. A pool has tags at every level, so that
// they know who lives.
extern const struct tp_scene_kind tp_scene_pool;    // struct tp_pool *.
extern const struct tp_scene_kind tp_scene_stack;   // struct tp_stack *.
extern const struct tp_scene_kind tp_scene_dstack;  // struct tp_dstack *.
extern const struct tp_scene_kind tp_scene_frame;   // struct tp_frame *.
extern const struct tp_scene_kind tp_scene_dense;   // struct tp_dense *.

void tp_pool_end_scene(const struct tp_scene_part *part, tp_site_t site);
// Of a pool with hooks: [beside] is its struct tp_objects.
void tp_object_end_scene(const struct tp_scene_part *part, tp_site_t site);
// Of one that retains, the same, and what is retained is closed.
void tp_retain_end_scene(const struct tp_scene_part *part, tp_site_t site);
// Of a class: [beside] is its struct tp_blocks.
void tp_blocks_end_scene(const struct tp_scene_part *part, tp_site_t site);
void tp_stack_end_scene(const struct tp_scene_part *part, tp_site_t site);
void tp_dstack_end_scene(const struct tp_scene_part *part, tp_site_t site);
void tp_frame_end_scene(const struct tp_scene_part *part, tp_site_t site);
void tp_dense_end_scene(const struct tp_scene_part *part, tp_site_t site);
// With handles of 64 bits: [beside] is its struct tp_dense64.
void tp_dense64_end_scene(const struct tp_scene_part *part, tp_site_t site);

// Internal: calls [finish] for each live object of a pool, unless who was told
// of it has freed it already.
void tp_scene_end_for(const struct tp_scene_part *part, tp_site_t site,
                      void (*finish)(const struct tp_scene_part *part,
                                     void *object, tp_site_t site));

// Zero at boot.
struct tp_scene_state {
  uint32_t entered;   // The current scene + 1; 0: none.
  uint32_t switches;  // Scenes entered. Wraps.
  uint32_t refused;   // Switches refused. Wraps.
  uint32_t peak;      // Bytes the greediest scene entered so far took.
};

struct tp_scenes {
  const struct tp_scene_part *parts;
  tp_word_t *arena;
  struct tp_scene_state *state;
  const char *name;
  const char *link_check;  // As that of a pool.
  uint32_t bytes;          // Of the arena.
  uint16_t part_count;
  uint8_t scene_count;
  uint8_t align;  // Of every part: the largest of theirs.
};

// A part that stands in the way of a switch.
struct tp_scene_holder {
  const char *name;
  uint32_t live;  // Objects or bytes that must go first.
};

// Leaves the current scene for [scene], also when it is the same. Unless
// [holders] is NULL, what stands in the way is listed there: room for
// part_count entries. Of a frame that is what any of its buffers holds.
//
// Returns  how many parts still have something live; 0 iff [scene] is entered,
//          all of them empty. Otherwise nothing has changed.
// Faults   SCENE: there is no such scene (fast). LARGE: it does not fit the
//          arena, which the generator has checked. INVARIANT (fast): the
//          current one is none that there is; a descriptor was written over;
//          or a pool's list says that something lives, and its tags that
//          nothing does.
// Time     O(slots) of these pools: their tags are counted. One locked window a
//          part, from poison up two, O(1) from fast up, O(buffers) of a frame;
//          and one of O(slots) of a pool that seems to be broken.
// Context  The one that all other users of these parts may interrupt; not in an
//          evict() or deinit() of theirs, where a slot is between two lives.
uint32_t tp_scene_switch(const struct tp_scenes *scenes, uint32_t scene,
                         struct tp_scene_holder *holders);

// The same, but takes everything back first, part by part in their order. Of an
// object in a pool release() is told, which may free it, or others, itself;
// what it leaves is retired as by tp_object_free(), and what slots retain is
// closed, as by tp_retain_close(). Blocks are freed, stacks and dense pools
// reset, and all buffers of a frame are wiped. What these hooks create in parts
// that were ended already is taken back in another round, when what it has of
// parts behind, as a block, is gone; and one that always creates never ends.
//
// Faults   also those of tp_pool_free(), and INVARIANT (fast): more slots of a
//          pool were issued than there are, say its words.
// Time     O(slots), and release() once for each live object; from poison up
//          O(bytes in use).
// Context  As tp_scene_switch(). Of a pool without hooks, an interrupt may free
//          by handle meanwhile; with hooks, and of blocks, nobody frees. What
//          is for one context, stacks, frames and dense pools, nobody uses.
void tp_scene_force(const struct tp_scenes *scenes, uint32_t scene);

// Returns  the scene entered last; TP_NO_SCENE iff there was none.
static inline uint32_t tp_scene_current(const struct tp_scenes *scenes)
{
  return scenes->state->entered - 1u;
}

// Returns  the bytes of the arena that [scene], below scene_count, takes.
// Time     O(parts).
// Context  The one that uses them.
uint32_t tp_scene_bytes(const struct tp_scenes *scenes, uint32_t scene);

#ifdef __cplusplus
}
#endif

#endif
