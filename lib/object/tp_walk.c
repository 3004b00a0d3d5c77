// SPDX-License-Identifier: MIT
#include "object/tp_walk.h"

#include "check/tp_check.h"
#include "check/tp_misuse.h"
#include "core/tp_tag.h"
#include "core/tp_slot.h"

#define LIVE 0x8000u

// Which life a slot leads: whether it is live, and how often it was issued, in
// 15 bits. Creators may interrupt, so each tag is read once, then and there.
static uint16_t life_of(const struct tp_pool *pool, uint32_t slot)
{
  uint32_t tag = ((const volatile uint32_t *)pool->tag)[slot];
  return (uint16_t)((tag >> 16 & LIVE) | (tag & (LIVE - 1)));
}

// Returns how many slots there are lives of.
static uint32_t note_lives(const struct tp_objects *objects)
{
  uint32_t fresh = objects->pool->state->fresh;
  for (uint32_t slot = 1; slot <= fresh; slot++) {
    objects->generations[slot - 1] = life_of(objects->pool, slot);
  }
  return fresh;
}

static bool denies(const struct tp_objects *objects, const void *object)
{
  return objects->in_use && !objects->in_use(object);
}

// Does the slot still lead the life it led when the walk began?
static bool goes_on(const struct tp_objects *objects, uint32_t slot)
{
  uint16_t life = objects->generations[slot - 1];
  return life >= LIVE && life == life_of(objects->pool, slot);
}

static void update(const struct tp_objects *objects, uint32_t slot,
                   bool (*step)(void *, void *), void *context, tp_site_t site)
{
  if (!goes_on(objects, slot)) return;
  void *object = tp_slot_words(objects->pool, slot);
  if (!denies(objects, object) && step(object, context)) return;
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
  uint32_t last = note_lives(objects);
  for (uint32_t slot = 1; slot <= last; slot++) {
    update(objects, slot, step, context, site);
  }
}

void tp_object_walk(const struct tp_objects *objects,
                    void (*visit)(void *object, void *context), void *context)
{
  const struct tp_pool *pool = objects->pool;
  for (uint32_t slot = 1; slot <= pool->state->fresh; slot++) {
    if (life_of(pool, slot) >= LIVE) visit(tp_slot_words(pool, slot), context);
  }
}

void tp_object_clear_for(const struct tp_objects *objects, tp_site_t site)
{
  const struct tp_pool *pool = objects->pool;
  for (uint32_t slot = 1; slot <= pool->state->fresh; slot++) {
    if (life_of(pool, slot) < LIVE) continue;
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
  bool live = life_of(pool, slot) >= LIVE;
  bool in_use = objects->in_use(tp_slot_words(pool, slot));
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
