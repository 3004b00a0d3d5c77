// SPDX-License-Identifier: MIT
// tp_ring.h - internal: the ring of live slots, oldest first.
//
// The live slots in order of birth are threaded through an array indexed by
// slot. Link 0 is the ring's head, so adding and removing have no special case,
// and zeroed memory is an empty ring. A pinned slot is a ring of its own:
// nobody who steals finds it, and it is removed like any.
//
// Side memory, indexed by slot: an overrun of an object cannot relink it, and
// only pools that steal pay for it. Every function wants the pool locked.
#ifndef TP_RING_H
#define TP_RING_H

#include "tidepool.h"
#include "tp_port.h"

// The slot issued longest ago; TP_NO_SLOT iff the ring is empty.
/*@ requires ring_memory(age) && ring_sound(age);
    assigns \nothing;
    ensures \result != 0 ==> on_ring(\result);
    ensures \forall integer s; on_ring(s) ==>
              \result != 0 && tp_birth[\result] <= tp_birth[s]; */
TP_INLINE tp_slot_t tp_age_oldest(const struct tp_age_link *age)
{
  return age[0].newer;
}

// Makes [slot] the newest. It must be on the ring no longer, or not yet.
/*@ requires ring_memory(age) && ring_sound(age);
    requires 1 <= slot <= tp_slots && !on_ring(slot);
    requires tp_clock < 0x7fffffffffffffff;
    assigns age[0 .. tp_slots], tp_ringed[slot], tp_birth[slot], tp_clock;
    ensures on_ring(slot) && age[0].older == slot;
    TP_ENSURES_RING(age); */
TP_INLINE void tp_age_push(struct tp_age_link *age, tp_slot_t slot)
{
  tp_slot_t newest = age[0].older;
  /*@ assert last: \forall integer s; is_link(s) && s != 0 ==>
        age[s].older != newest; */
  age[slot].older = newest;
  age[slot].newer = 0;
  age[newest].newer = slot;
  age[0].older = slot;
  /*@ ghost tp_ringed[slot] = 1;
            tp_birth[slot] = tp_clock;
            tp_clock = tp_clock + 1; */
}

// Takes [slot] out, wherever it stands.
/*@ TP_LEAVES_RING(age, slot);
    ensures !is_aged(slot); */
TP_INLINE void tp_age_remove(struct tp_age_link *age, tp_slot_t slot)
{
  tp_slot_t older = age[slot].older;
  tp_slot_t newer = age[slot].newer;
  age[older].newer = newer;
  age[newer].older = older;
  //@ ghost tp_ringed[slot] = 0;
}

// Is live [slot] a ring of its own?
/*@ requires ring_memory(age) && ring_sound(age) && is_aged(slot);
    assigns \nothing;
    ensures \result <==> is_pinned(slot); */
TP_INLINE bool tp_age_pinned(const struct tp_age_link *age, tp_slot_t slot)
{
  return age[slot].newer == slot;
}

// Takes [slot] out and makes it a ring of its own, where nobody finds it who
// looks for the oldest; tp_age_remove() then changes nothing.
/*@ TP_LEAVES_RING(age, slot);
    ensures is_pinned(slot); */
TP_INLINE void tp_age_pin(struct tp_age_link *age, tp_slot_t slot)
{
  tp_age_remove(age, slot);
  age[slot].older = slot;
  age[slot].newer = slot;
  //@ ghost tp_ringed[slot] = 2;
}

#endif
