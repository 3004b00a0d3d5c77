// SPDX-License-Identifier: MIT
// tp_slot.h - internal: slot number <-> address, and the lock.
#ifndef TP_SLOT_H
#define TP_SLOT_H

#include "tidepool.h"
#include "tp_port.h"

// Masks what [lock] says: an enum tp_pool_lock, or a value of BASEPRI. Returns
// the key that tp_lock_give() wants.
//@ assigns \nothing;
TP_INLINE uint32_t tp_lock_take(uint32_t lock)
{
  if (lock == TP_LOCK_PRIMASK) return tp_port_lock();
  return lock == TP_LOCK_NONE ? 0 : tp_port_lock_below(lock);
}

// The usual lock first: what is decided here is decided while masked.
//@ assigns \nothing;
TP_INLINE void tp_lock_give(uint32_t lock, uint32_t key)
{
  if (lock == TP_LOCK_PRIMASK) {
    tp_port_unlock(key);
  } else if (lock != TP_LOCK_NONE) {
    tp_port_unlock_below(key);
  }
}

// The address of [slot]; of slot 0, one stride before the storage.
/*@ requires slot_memory(pool) && slot <= pool->capacity;
    assigns \nothing;
    ensures \result == slot_address(pool, slot); */
TP_INLINE uintptr_t tp_slot_address(const struct tp_pool *pool, uint32_t slot)
{
  return (uintptr_t)pool->storage - pool->stride +
         (uintptr_t)slot * pool->stride;
}

/*@ requires slot_memory(pool) && 1 <= slot <= pool->capacity;
    assigns \nothing;
    ensures \result == slot_words(pool, slot); */
TP_INLINE tp_word_t *tp_slot_words(const struct tp_pool *pool, uint32_t slot)
{
  //@ assert (uintptr_t)slot_words(pool, slot) == slot_address(pool, slot);
  tp_word_t *words = (tp_word_t *)tp_slot_address(pool, slot);
  TP_KEEP(words);
  return words;
}

// The gate every pointer from outside passes: the number of the slot that
// begins at [object]; a number above the capacity iff none does, or 0 for the
// address one stride before the storage.
//
// A stride is an odd number times 2^shift. Multiplying the offset by the odd
// part's inverse divides it exactly when it is a multiple and scatters it
// upward when it is not; rotating by shift divides by the rest and moves any
// lost bit to the top. So foreign, interior, unaligned and past-the-end
// addresses all fail one comparison, without a division.
/*@ requires slot_memory(pool) && has_address(object);
    requires pool->shift == TP_PROOF_SHIFT && pool->inverse == TP_PROOF_INVERSE;
    assigns \nothing;
    ensures sound: 1 <= \result <= pool->capacity ==>
              object_words(object) == slot_words(pool, \result);
    ensures complete: \forall integer s; 1 <= s <= pool->capacity &&
              object_words(object) == slot_words(pool, s) ==> \result == s; */
TP_INLINE uintptr_t tp_slot_of(const struct tp_pool *pool, const void *object)
{
  uintptr_t offset = (uintptr_t)object - tp_slot_address(pool, 0);
  uintptr_t scaled = offset * pool->inverse;
  unsigned width = sizeof(uintptr_t) * 8;
  uintptr_t slot =
      scaled >> pool->shift | scaled << (-pool->shift & (width - 1));
  /*@ assert addressed: \forall integer s; 1 <= s <= pool->capacity &&
        object_words(object) == slot_words(pool, s) ==>
          slot_begins(offset, s); */
  //@ assert rotated: slot == slot_rotated(scaled);
  /*@ assert wrapped: slot_wraps(offset, scaled,
                                wraps(offset * TP_PROOF_INVERSE)); */
  //@ assert divided: slot <= 32767 ==> slot_begins(offset, slot);
  /*@ assert undone: \forall integer s; 0 <= s <= 32767 &&
        slot_begins(offset, s) ==> slot == s; */
  return slot;
}

#endif
