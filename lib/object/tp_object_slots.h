// SPDX-License-Identifier: MIT
// tp_object_slots.h - internal: in which slot an object lies, at home or at the
// lender's, and whether one lives there; for tp_object.c, which issues objects,
// frees them and meets them all, for tp_update.c, which lets each live on for a
// frame, and for tp_scene.c, which ends them all.
//
// Where both are numbered as one, the slots of the lender count on from those
// at home, as in tp_lent.h.
#ifndef TP_OBJECT_SLOTS_H
#define TP_OBJECT_SLOTS_H

#include "core/tp_core.h"
#include "object/tp_object.h"

// What tag [slot] of [pool] has, TP_LIVE or more iff an object lives there: the
// pools of objects have tags at every level. Interrupts may create objects, so
// each tag is read once, then and there.
TP_INLINE uint32_t tp_object_tag(const struct tp_pool *pool, uintptr_t slot)
{
  return ((const volatile uint32_t *)pool->tag)[slot];
}

// Is [slot] of the lender's lent to these, and live? Its owner alone does not
// say so: tp_pool_reset() of the lender's pool leaves that as it was.
TP_INLINE bool tp_object_is_lent(const struct tp_objects *objects,
                                 uintptr_t slot)
{
  const struct tp_chunk *lender = objects->lender;
  return lender->owner[slot] == tp_spill_of(objects->pool)->state &&
         tp_object_tag(lender->pool, slot) >= TP_LIVE;
}

// The slot of [pool] that begins at [object]; 0 iff none does, as of what is
// lent, of what lies within a slot, and of NULL.
TP_INLINE uintptr_t tp_object_slot(const struct tp_pool *pool,
                                   const void *object)
{
  uintptr_t slot = tp_slot_of(pool, object);
  return slot <= pool->capacity ? slot : 0;
}

// The slot of [object], which was issued, both numbered as one.
TP_INLINE uintptr_t tp_object_slot_of_all(const struct tp_objects *objects,
                                          const void *object)
{
  const struct tp_pool *home = objects->pool;
  uintptr_t slot = tp_object_slot(home, object);
  if (slot != 0) return slot;
  return home->capacity + tp_object_slot(objects->lender->pool, object);
}

// Of a pool that steals: ends the object that [claim] is of, at home. False iff
// it is gone: it was freed, or an interrupt has stolen it since.
bool tp_object_free_generation(const struct tp_objects *objects,
                               struct tp_generation claim, tp_site_t site);

// Of a slot, both numbered as one: 1 iff its object was created in the update
// that is under way.
TP_INLINE volatile uint8_t *tp_object_newborn(const struct tp_objects *objects,
                                              uintptr_t slot)
{
  return (volatile uint8_t *)objects->newborn + slot - 1;
}

#endif
