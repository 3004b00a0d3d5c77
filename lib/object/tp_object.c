// SPDX-License-Identifier: MIT
#include "object/tp_object.h"

#include "check/tp_check.h"
#include "core/tp_slot.h"
#include "core/tp_core.h"
#include "core/tp_words.h"

// A pointer, and a place where its owner keeps one, as memory of any type.
typedef void *__attribute__((may_alias)) any_pointer;
typedef any_pointer *__attribute__((may_alias)) any_place;

static any_place *owner_of(const struct tp_objects *objects, void *object)
{
  return (any_place *)((uintptr_t)object + objects->owner - 1);
}

static void disown(const struct tp_objects *objects, void *object)
{
  any_place *owner = owner_of(objects, object);
  if (*owner) **owner = NULL;
}

static void save(const struct tp_objects *objects, void *object)
{
  if (objects->retain) objects->retain->save(objects, object);
}

// Gives back what init could not make an object of.
static void *abandon(const struct tp_objects *objects, void *object,
                     tp_site_t site)
{
  save(objects, object);
  tp_pool_free_for(objects->pool, object, site);
  return NULL;
}

TP_INLINE void *alloc(const struct tp_objects *objects, void *context,
                      uint32_t *tag, tp_site_t site)
{
  void *object = tp_pool_alloc_for(objects->pool, tag, site);
  if (!object) return NULL;
  if (objects->owner) *owner_of(objects, object) = NULL;
  if (objects->retain) objects->retain->restore(objects, object, site);
  if (!objects->init || objects->init(object, context)) return object;
  return abandon(objects, object, site);
}

TP_NOINLINE void *tp_object_alloc(const struct tp_objects *objects,
                                  void *context)
{
  return alloc(objects, context, NULL, tp_site(NULL));
}

TP_NOINLINE void *tp_object_alloc_scored(const struct tp_objects *objects,
                                         void *context, uint32_t score)
{
  uint32_t tag = ~score;
  return alloc(objects, context, &tag, tp_site(NULL));
}

TP_NOINLINE void *tp_object_alloc_handle(const struct tp_objects *objects,
                                         void *context, uint32_t score,
                                         tp_handle_t *handle)
{
  uint32_t tag = ~score;
  void *object = alloc(objects, context, &tag, tp_site(NULL));
  *handle = tp_handle_by_tag(objects->pool, object, tag);
  return object;
}

TP_NOINLINE void *tp_object_alloc_handle64(const struct tp_objects *objects,
                                           void *context, uint32_t score,
                                           tp_handle64_t *handle)
{
  uint32_t tag = ~score;
  void *object = alloc(objects, context, &tag, tp_site(NULL));
  *handle = tp_handle64_by_tag(objects->pool, object, tag);
  return object;
}

void tp_object_retire(const struct tp_objects *objects, void *object)
{
  if (objects->deinit) objects->deinit(object);
  if (objects->owner) disown(objects, object);
  save(objects, object);
}

void tp_object_free_for(const struct tp_objects *objects, void *object,
                        tp_site_t site)
{
  if (TP_MISUSE(!tp_object_is_live(objects, object))) {
    tp_raise_free(objects->pool, object, site);
    return;
  }
  tp_object_retire(objects, object);
  tp_pool_free_for(objects->pool, object, site);
}

TP_NOINLINE void tp_object_free(const struct tp_objects *objects, void *object)
{
  tp_object_free_for(objects, object, tp_site(NULL));
}

bool tp_object_is_live(const struct tp_objects *objects, const void *object)
{
  uintptr_t slot = tp_slot_of(objects->pool, object);
  return slot >= 1 && slot <= objects->pool->capacity &&
         objects->pool->tag[slot] >= TP_LIVE;
}

uint32_t tp_object_unset(const struct tp_objects *objects, const void *object)
{
  const tp_word_t *word = (const tp_word_t *)object;
  uint32_t size = objects->pool->size;
  uint32_t set = tp_other_words(word, size / 4, TP_POISON_NEW);
  return set == size / 4 ? size : set * 4;
}

#define LIVE 0x8000u

// Whether a slot is live, and how often it was issued, in 15 bits. Interrupts
// may create objects, so each tag is read once, then and there.
static uint16_t generation_of(const struct tp_pool *pool, uint32_t slot)
{
  uint32_t tag = ((const volatile uint32_t *)pool->tag)[slot];
  return (uint16_t)((tag >> 16 & LIVE) | (tag & (LIVE - 1)));
}

// Returns how many slots it noted.
static uint32_t note_generations(const struct tp_objects *objects)
{
  uint32_t fresh = objects->pool->state->fresh;
  for (uint32_t slot = 1; slot <= fresh; slot++) {
    objects->generations[slot - 1] = generation_of(objects->pool, slot);
  }
  return fresh;
}

static bool is_over(const struct tp_objects *objects, const void *object)
{
  return objects->in_use && !objects->in_use(object);
}

// Does the slot still have the live object it had when the update began?
static bool goes_on(const struct tp_objects *objects, uint32_t slot)
{
  uint16_t then = objects->generations[slot - 1];
  return then >= LIVE && then == generation_of(objects->pool, slot);
}

static void update(const struct tp_objects *objects, uint32_t slot,
                   bool (*step)(void *, void *), void *context, tp_site_t site)
{
  if (!goes_on(objects, slot)) return;
  void *object = tp_slot_words(objects->pool, slot);
  if (!is_over(objects, object) && step(object, context)) return;
  if (TP_MISUSE(!goes_on(objects, slot))) {
    tp_raise_free(objects->pool, object, site);
    return;
  }
  tp_object_free_for(objects, object, site);
}

TP_NOINLINE void tp_object_update(const struct tp_objects *objects,
                                  bool (*step)(void *object, void *context),
                                  void *context)
{
  tp_site_t site = tp_site(NULL);
  uint32_t last = note_generations(objects);
  for (uint32_t slot = 1; slot <= last; slot++) {
    update(objects, slot, step, context, site);
  }
}

void tp_object_walk(const struct tp_objects *objects,
                    void (*visit)(void *object, void *context), void *context)
{
  const struct tp_pool *pool = objects->pool;
  for (uint32_t slot = 1; slot <= pool->state->fresh; slot++) {
    if (generation_of(pool, slot) >= LIVE)
      visit(tp_slot_words(pool, slot), context);
  }
}

void tp_object_clear_for(const struct tp_objects *objects, tp_site_t site)
{
  const struct tp_pool *pool = objects->pool;
  for (uint32_t slot = 1; slot <= pool->state->fresh; slot++) {
    if (generation_of(pool, slot) < LIVE) continue;
    tp_object_free_for(objects, tp_slot_words(pool, slot), site);
  }
}

TP_NOINLINE void tp_object_clear(const struct tp_objects *objects)
{
  tp_object_clear_for(objects, tp_site(NULL));
}

static void audit(const struct tp_objects *objects, uint32_t slot,
                  tp_site_t site)
{
  const struct tp_pool *pool = objects->pool;
  bool live = generation_of(pool, slot) >= LIVE;
  TP_PORT_UNPOISON(tp_slot_words(pool, slot), pool->size);
  bool in_use = objects->in_use(tp_slot_words(pool, slot));
  tp_check_shut(tp_slot_words(pool, slot), live ? 0 : pool->size);
  if (!TP_MISUSE(in_use != live)) return;
  tp_raise_slot(TP_FAULT_IN_USE, pool, slot, 0, in_use, live, site);
}

TP_NOINLINE void tp_object_audit(const struct tp_objects *objects)
{
  uint32_t last = objects->pool->state->fresh;
  if (!objects->in_use) return;
  for (uint32_t slot = 1; slot <= last; slot++) {
    audit(objects, slot, tp_site(NULL));
  }
}
