// SPDX-License-Identifier: MIT
// tp_age.h - internal: the ring of live slots, oldest first.
//
// Side memory, indexed by slot: an overrun of an object cannot relink it, and
// only pools that steal pay for it. Every function wants the pool locked.
#ifndef TP_AGE_H
#define TP_AGE_H

#include "pool/tp_pool.h"
#include "tp_port.h"

// The slot issued longest ago; TP_NO_SLOT iff the ring is empty.
TP_INLINE tp_slot_t tp_age_oldest(const struct tp_age_link *age)
{
  return age[0].newer;
}

// Makes [slot] the newest. It must be on the ring no longer, or not yet.
TP_INLINE void tp_age_push(struct tp_age_link *age, tp_slot_t slot)
{
  tp_slot_t newest = age[0].older;
  age[slot].older = newest;
  age[slot].newer = 0;
  age[newest].newer = slot;
  age[0].older = slot;
}

// Takes [slot] out, wherever it stands.
TP_INLINE void tp_age_remove(struct tp_age_link *age, tp_slot_t slot)
{
  tp_slot_t older = age[slot].older;
  tp_slot_t newer = age[slot].newer;
  age[older].newer = newer;
  age[newer].older = older;
}

#endif
