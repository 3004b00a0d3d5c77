// SPDX-License-Identifier: MIT
#include "object/tp_scene.h"

#include "check/tp_check.h"
#include "core/tp_calls.h"
#include "core/tp_sound.h"
#include "core/tp_slot.h"
#include "core/tp_core.h"
#include "object/tp_object.h"
#include "object/tp_object_slots.h"

// How many parts have something live, and which.
static uint32_t list_holders(const struct tp_scenes *scenes,
                             struct tp_scene_holder *holders)
{
  uint32_t count = 0;
  for (uint32_t i = 0; i < scenes->part_count; i++) {
    const struct tp_scene_part *part = &scenes->parts[i];
    uint32_t live = part->kind->live(part->allocator);
    if (live == 0) continue;
    if (holders) holders[count] = (struct tp_scene_holder){part->name, live};
    count++;
  }
  return count;
}

static void note_peak(const struct tp_scenes *scenes,
                      const struct tp_scene_part *part)
{
  uint32_t scene = tp_scene_current(scenes);
  uint32_t peak = part->kind->peak(part->allocator);
  if (scene == TP_NO_SCENE) return;
  if (part->peaks[scene] < peak) part->peaks[scene] = peak;
}

// The bytes of the arena that [amount] of [part] takes.
static uint32_t bytes_of(const struct tp_scenes *scenes,
                         const struct tp_scene_part *part, uint32_t amount)
{
  if (amount == 0) return 0;
  uint32_t bytes = part->kind->bytes(part->allocator, amount);
  return (bytes + scenes->align - 1u) & (0u - scenes->align);
}

uint32_t tp_scene_bytes(const struct tp_scenes *scenes, uint32_t scene)
{
  uint32_t bytes = 0;
  for (uint32_t i = 0; i < scenes->part_count; i++) {
    const struct tp_scene_part *part = &scenes->parts[i];
    bytes += bytes_of(scenes, part, part->amounts[scene]);
  }
  return bytes;
}

// [pool] is not empty though nothing of it was seen. An interrupt was issued
// something meanwhile; or its words were written over, and would say so for
// ever. Others may come while it is looked at, which tp_pool_verify() does not
// know of: so it is broken if it is with them masked, too.
static void doubt(const struct tp_pool *pool, tp_site_t site)
{
  struct tp_finding finding;
  uint32_t lock = pool->lock;
  if (tp_pool_verify(pool, NULL)) return;
  uint32_t key = tp_lock_take(lock);
  bool whole = tp_pool_verify(pool, &finding);
  tp_lock_give(lock, key);
  if (whole) return;
  tp_raise_slot(TP_FAULT_INVARIANT, pool, finding.slot, 0, finding.broken,
                TP_SOUND, site);
}

// Of [part]; NULL at off, where nobody compares.
static const struct tp_seal *seal_of(const struct tp_scene_part *part)
{
  return TP_MISUSE(part->seal != NULL) ? part->seal : NULL;
}

// As the kind does. From its closing on until it is open nobody compares.
static bool close_part(const struct tp_scene_part *part)
{
  const struct tp_seal *seal = seal_of(part);
  if (seal) tp_seal_off(seal);
  return part->kind->close(part->allocator);
}

static void open_part(const struct tp_scene_part *part, void *memory,
                      uint32_t amount)
{
  const struct tp_seal *seal = seal_of(part);
  if (seal) tp_seal_off(seal);
  part->kind->open(part->allocator, memory, amount);
  if (seal) tp_seal_on(seal);
}

// Gives each part what [scene] has for it.
static void open_all(const struct tp_scenes *scenes, uint32_t scene)
{
  char *memory = (char *)(void *)scenes->arena;
  for (uint32_t i = 0; i < scenes->part_count; i++) {
    const struct tp_scene_part *part = &scenes->parts[i];
    uint32_t amount = part->amounts[scene];
    open_part(part, memory, amount);
    memory += bytes_of(scenes, part, amount);
  }
}

// Closes all of them, or none.
static bool close_all(const struct tp_scenes *scenes, tp_site_t site)
{
  uint32_t scene = tp_scene_current(scenes);
  for (uint32_t i = 0; i < scenes->part_count; i++) {
    const struct tp_scene_part *part = &scenes->parts[i];
    note_peak(scenes, part);
    if (close_part(part)) continue;
    if (TP_MISUSE(part->kind == &tp_scene_pool)) doubt(part->allocator, site);
    if (scene != TP_NO_SCENE) open_all(scenes, scene);
    return false;
  }
  return true;
}

static void enter(const struct tp_scenes *scenes, uint32_t scene)
{
  struct tp_scene_state *state = scenes->state;
  uint32_t bytes = tp_scene_bytes(scenes, scene);
  open_all(scenes, scene);
  if (state->peak < bytes) state->peak = bytes;
  state->entered = scene + 1;
  state->switches++;
}

// Faults unless [scene] is one that can be entered, the current one is one, and
// all descriptors are as scenes left them.
static void check_scene(const struct tp_scenes *scenes, uint32_t scene,
                        tp_site_t site)
{
  const uint32_t *entered = &scenes->state->entered;
  if (TP_MISUSE(*entered > scenes->scene_count)) {
    tp_raise_misuse(TP_FAULT_INVARIANT, scenes->name, entered, *entered,
                    scenes->scene_count, site);
  }
  if (TP_MISUSE(scene >= scenes->scene_count)) {
    tp_raise_misuse(TP_FAULT_SCENE, scenes->name, scenes->arena, scene,
                    scenes->scene_count, site);
  }
  for (uint32_t i = 0; i < scenes->part_count; i++) {
    const struct tp_seal *seal = seal_of(&scenes->parts[i]);
    if (seal) tp_seal_check_for(seal, site);
  }
  uint32_t bytes = tp_scene_bytes(scenes, scene);
  if (bytes <= scenes->bytes) return;
  tp_raise_misuse(TP_FAULT_LARGE, scenes->name, scenes->arena, bytes,
                  scenes->bytes, site);
}

TP_NOINLINE uint32_t tp_scene_switch(const struct tp_scenes *scenes,
                                     uint32_t scene,
                                     struct tp_scene_holder *holders)
{
  tp_site_t site = tp_site(NULL);
  check_scene(scenes, scene, site);
  do {
    uint32_t blocking = list_holders(scenes, holders);
    if (blocking != 0) {
      scenes->state->refused++;
      return blocking;
    }
  } while (!close_all(scenes, site));  // An interrupt came between.
  enter(scenes, scene);
  return 0;
}

TP_NOINLINE void tp_scene_force(const struct tp_scenes *scenes, uint32_t scene)
{
  tp_site_t site = tp_site(NULL);
  check_scene(scenes, scene, site);
  do {
    for (uint32_t i = 0; i < scenes->part_count; i++) {
      note_peak(scenes, &scenes->parts[i]);
      scenes->parts[i].end(&scenes->parts[i], site);
    }
  } while (!close_all(scenes, site));
  enter(scenes, scene);
}

// Pools ----------------------------------------------------------------------

static uint32_t pool_bytes(const void *allocator, uint32_t count)
{
  const struct tp_pool *pool = (const struct tp_pool *)allocator;
  return pool->zone + count * pool->stride;
}

static uint32_t pool_live(const void *allocator)
{
  const struct tp_pool *pool = (const struct tp_pool *)allocator;
  uint32_t live = 0, slot = pool->state->fresh;
  if (slot > pool->capacity) slot = pool->capacity;  // It was written over.
  for (; slot > 0; slot--) live += pool->tag[slot] >= TP_LIVE;
  return live;
}

static uint32_t pool_peak(const void *allocator)
{
  return ((const struct tp_pool *)allocator)->state->fresh;
}

static bool pool_close(void *allocator)
{
  struct tp_pool *pool = (struct tp_pool *)allocator;
  uint32_t lock = pool->lock;
  uint32_t closed = tp_slot_gate(pool, 0);
  uint32_t key = tp_lock_take(lock);
  bool empty = tp_list_live(pool) == 0;
  if (empty) {
    tp_pool_forget(pool);
    pool->capacity = 0;
    pool->gate = closed;
    if (tp_tag_summed(pool)) pool->state->generations = 0;
  }
  tp_lock_give(lock, key);
  return empty;
}

// The sum of one that was not closed, for another part could not be, is right.
// Audits of who interrupts add up as many tags as there are slots.
static void pool_open(void *allocator, void *memory, uint32_t count)
{
  struct tp_pool *pool = (struct tp_pool *)allocator;
  bool sums = pool->capacity == 0 ? tp_tag_summed(pool) : false;
  uint32_t lock = pool->lock, key = 0;
  uint16_t sum = sums ? tp_tag_sum(pool, count) : 0;
  pool->storage = (tp_word_t *)memory + (pool->stride - pool->size) / 4u;
  pool->origin = (uintptr_t)pool->storage - pool->stride;
  TP_BARRIER();
  if (sums) key = tp_lock_take(lock);
  if (sums) pool->state->generations = sum;
  tp_slot_open(pool, (tp_slot_t)count);
  if (sums) tp_lock_give(lock, key);
}

const struct tp_scene_kind tp_scene_pool = {
    .bytes = pool_bytes,
    .live = pool_live,
    .peak = pool_peak,
    .close = pool_close,
    .open = pool_open,
};

// If an object lives in [slot], release() is told of it. Does it live on? [tag]
// becomes its own, of which an interrupt may still end it.
static bool lives_released(const struct tp_scene_part *part, uint32_t slot,
                           uint32_t *tag)
{
  const struct tp_pool *pool = (const struct tp_pool *)part->allocator;
  *tag = pool->tag[slot];
  if (*tag < TP_LIVE) return false;
  if (part->release) part->release(tp_slot_words(pool, slot));
  return pool->tag[slot] == *tag;
}

void tp_scene_end_for(const struct tp_scene_part *part, tp_site_t site,
                      void (*finish)(const struct tp_scene_part *part,
                                     void *object, tp_site_t site))
{
  const struct tp_pool *pool = (const struct tp_pool *)part->allocator;
  uint32_t tag;
  for (uint32_t slot = 1; slot <= tp_sound_fresh(pool, site); slot++) {
    if (!lives_released(part, slot, &tag)) continue;
    finish(part, tp_slot_words(pool, slot), site);
  }
}

// By their generations: what an interrupt frees by handle first, is gone.
void tp_pool_end_scene(const struct tp_scene_part *part, tp_site_t site)
{
  const struct tp_pool *pool = (const struct tp_pool *)part->allocator;
  struct tp_generation claim = {0, 0, UINT32_MAX};
  while (++claim.slot <= tp_sound_fresh(pool, site)) {
    if (!lives_released(part, claim.slot, &claim.tag)) continue;
    (void)tp_generation_free(pool, claim, site);
  }
}

// Where there is stealing, what an interrupt steals first, its next round ends.
void tp_object_end_scene(const struct tp_scene_part *part, tp_site_t site)
{
  const struct tp_objects *objects = (const struct tp_objects *)part->beside;
  const struct tp_pool *pool = objects->pool;
  struct tp_generation claim = {0, 0, UINT32_MAX};
  while (++claim.slot <= tp_sound_fresh(pool, site)) {
    if (!lives_released(part, claim.slot, &claim.tag)) continue;
    if (pool->age) {
      (void)tp_object_free_generation(objects, claim, site);
    } else {
      tp_object_free_for(objects, tp_slot_words(pool, claim.slot), site);
    }
  }
}

static bool closes(const struct tp_scene_part *part, tp_site_t site)
{
  bool empty = close_part(part);
  if (TP_MISUSE(!empty)) doubt(part->allocator, site);
  return empty;
}

// Closed before what is retained, or who interrupts would be given of that.
void tp_retain_end_scene(const struct tp_scene_part *part, tp_site_t site)
{
  do {
    tp_object_end_scene(part, site);
  } while (!closes(part, site));
  tp_retain_close((const struct tp_objects *)part->beside);
}
