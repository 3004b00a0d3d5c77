// SPDX-License-Identifier: MIT
#include "object/tp_scene.h"

#include "check/tp_check.h"
#include "core/tp_slot.h"
#include "core/tp_core.h"

static uint32_t live_of(const struct tp_pool *pool)
{
  struct tp_stats stats;
  tp_pool_stats(pool, &stats);
  return stats.live;
}

// How many pools have live objects, and which.
static uint32_t list_holders(const struct tp_scenes *scenes,
                             struct tp_scene_holder *holders)
{
  uint32_t count = 0;
  for (uint32_t i = 0; i < scenes->pool_count; i++) {
    const struct tp_pool *pool = scenes->pools[i].pool;
    uint32_t live = live_of(pool);
    if (live == 0) continue;
    if (holders) holders[count] = (struct tp_scene_holder){pool, live};
    count++;
  }
  return count;
}

static void note_peak(const struct tp_scenes *scenes,
                      const struct tp_scene_pool *cut)
{
  uint32_t scene = tp_scene_current(scenes);
  tp_slot_t peak = cut->pool->state->fresh;
  if (scene == TP_NO_SCENE) return;
  if (cut->peaks[scene] < peak) cut->peaks[scene] = peak;
}

// Takes a pool's slots away, so that an interrupt finds it full. Returns false,
// and leaves it as it is, iff it has a live object.
static bool close_pool(const struct tp_scenes *scenes,
                       const struct tp_scene_pool *cut)
{
  struct tp_pool *pool = cut->pool;
  uint32_t lock = pool->lock;
  uint32_t key = tp_lock_take(lock);
  bool empty = tp_list_live(pool) == 0;
  if (empty) {
    note_peak(scenes, cut);
    tp_pool_forget(pool);
    pool->capacity = 0;
  }
  tp_lock_give(lock, key);
  return empty;
}

// Gives the slots of the current scene back.
static void reopen(const struct tp_scenes *scenes)
{
  uint32_t scene = tp_scene_current(scenes);
  for (uint32_t i = 0; i < scenes->pool_count && scene != TP_NO_SCENE; i++) {
    scenes->pools[i].pool->capacity = scenes->pools[i].counts[scene];
  }
}

// Closes all of them, or none.
static bool close_all(const struct tp_scenes *scenes)
{
  for (uint32_t i = 0; i < scenes->pool_count; i++) {
    if (close_pool(scenes, &scenes->pools[i])) continue;
    reopen(scenes);
    return false;
  }
  return true;
}

// Gives a closed pool [count] slots from [part] on. Returns where the part of
// the next one begins.
static uintptr_t cut_pool(struct tp_pool *pool, uintptr_t part, tp_slot_t count,
                          uint32_t align)
{
  pool->storage = (tp_word_t *)(part + pool->stride - pool->size);
  TP_BARRIER();
  pool->capacity = count;
  if (count == 0) return part;
  uintptr_t end = part + pool->zone + (uintptr_t)count * pool->stride;
  return (end + align - 1) & ~((uintptr_t)align - 1);
}

static void cut_all(const struct tp_scenes *scenes, uint32_t scene)
{
  struct tp_scene_state *state = scenes->state;
  uintptr_t part = (uintptr_t)scenes->arena;
  for (uint32_t i = 0; i < scenes->pool_count; i++) {
    const struct tp_scene_pool *cut = &scenes->pools[i];
    part = cut_pool(cut->pool, part, cut->counts[scene], scenes->align);
  }
  uint32_t bytes = (uint32_t)(part - (uintptr_t)scenes->arena);
  if (state->peak < bytes) state->peak = bytes;
  state->entered = scene + 1;
  state->switches++;
}

uint32_t tp_scene_bytes(const struct tp_scenes *scenes, uint32_t scene)
{
  uint32_t bytes = 0;
  for (uint32_t i = 0; i < scenes->pool_count; i++) {
    const struct tp_pool *pool = scenes->pools[i].pool;
    uint32_t count = scenes->pools[i].counts[scene];
    if (count == 0) continue;
    bytes += pool->zone + count * pool->stride;
    bytes = (bytes + scenes->align - 1u) & (0u - scenes->align);
  }
  return bytes;
}

// Is [scene] one that can be entered? Otherwise faults.
static bool is_possible(const struct tp_scenes *scenes, uint32_t scene,
                        tp_site_t site)
{
  if (TP_MISUSE(scene >= scenes->scene_count)) {
    tp_raise_misuse(TP_FAULT_SCENE, scenes->name, scenes->arena, scene,
                    scenes->scene_count, site);
    return false;
  }
  uint32_t bytes = tp_scene_bytes(scenes, scene);
  if (bytes <= scenes->bytes) return true;
  tp_raise_misuse(TP_FAULT_LARGE, scenes->name, scenes->arena, bytes,
                  scenes->bytes, site);
  return false;
}

TP_NOINLINE uint32_t tp_scene_switch(const struct tp_scenes *scenes,
                                     uint32_t scene,
                                     struct tp_scene_holder *holders)
{
  if (!is_possible(scenes, scene, tp_site(NULL))) return UINT32_MAX;
  do {
    uint32_t blocking = list_holders(scenes, holders);
    if (blocking != 0) {
      scenes->state->refused++;
      return blocking;
    }
  } while (!close_all(scenes));  // An interrupt came between.
  cut_all(scenes, scene);
  return 0;
}

// Told, an owner may have freed it already.
static void release(const struct tp_scene_pool *cut, uint32_t slot,
                    tp_site_t site)
{
  struct tp_pool *pool = cut->pool;
  tp_word_t *words = tp_slot_words(pool, slot);
  uint32_t tag = pool->tag[slot];
  if (cut->release) cut->release(words);
  if (pool->tag[slot] != tag) return;
  if (cut->retire) cut->retire(words);
  tp_pool_free_for(pool, words, site);
}

// Ends all lives of a pool and closes what its slots retain.
static void end_all(const struct tp_scene_pool *cut, tp_site_t site)
{
  for (uint32_t slot = 1; slot <= cut->pool->state->fresh; slot++) {
    if (cut->pool->tag[slot] >= TP_LIVE) release(cut, slot, site);
  }
  if (cut->close) cut->close();
}

TP_NOINLINE void tp_scene_force(const struct tp_scenes *scenes, uint32_t scene)
{
  tp_site_t site = tp_site(NULL);
  if (!is_possible(scenes, scene, site)) return;
  do {
    for (uint32_t i = 0; i < scenes->pool_count; i++) {
      end_all(&scenes->pools[i], site);
    }
  } while (!close_all(scenes));
  cut_all(scenes, scene);
}
