// SPDX-License-Identifier: MIT
// tp_slot.h - internal: the slots of a pool, each a number and an address; and
// the free list that leads through those that are dead.
#ifndef TP_SLOT_H
#define TP_SLOT_H

#include "check/tp_level.h"
#include "check/tp_plain.h"
#include "core/tp_calls.h"
#include "core/tp_cores.h"
#include "core/tp_shape.h"
#include "core/tp_tag.h"
#include "tidepool.h"
#include "tp_port.h"

#if !TP_CORES_PORTED
//@ assigns \nothing;
TP_INLINE bool tp_cores_port_take(void)
{
  return true;
}

//@ assigns \nothing;
TP_INLINE void tp_cores_port_give(void)
{
}
#endif

// Is [lock] that of all cores? Never, where there is no port.
/*@ assigns \nothing;
    ensures \result <==> TP_CORES_PORTED && lock == TP_LOCK_CORES; */
TP_INLINE bool tp_lock_is_cores(uint32_t lock)
{
  return TP_CORES_PORTED && lock == TP_LOCK_CORES;
}

// Masks interrupts and takes the lock of all cores. While another core has it
// they are masked no longer than it takes to ask.
//@ assigns tp_masked;
TP_INLINE uint32_t tp_lock_cores(void)
{
  for (;;) {
    uint32_t key = tp_port_lock();
    if (TP_LIKELY(tp_cores_port_take())) return key;
    tp_port_unlock(key);
  }
}

// Masks what [lock] says: an enum tp_pool_lock, TP_LOCK_CORES, or a value of
// BASEPRI. Returns the key that tp_lock_give() wants.
/*@ assigns tp_masked, tp_below;
    ensures key: \result == \old(lock_key(lock));
    TP_TAKES_LOCK(lock); */
TP_INLINE uint32_t tp_lock_take(uint32_t lock)
{
  if (lock == TP_LOCK_PRIMASK) return tp_port_lock();
  if (tp_lock_is_cores(lock)) return tp_lock_cores();
  return lock == TP_LOCK_NONE ? 0 : tp_port_lock_below(lock);
}

// The usual lock first: what is decided here is decided while masked.
/*@ assigns tp_masked, tp_below;
    TP_GIVES_LOCK(lock, key); */
TP_INLINE void tp_lock_give(uint32_t lock, uint32_t key)
{
  if (lock == TP_LOCK_PRIMASK) {
    tp_port_unlock(key);
  } else if (tp_lock_is_cores(lock)) {
    tp_cores_port_give();
    tp_port_unlock(key);
  } else if (lock != TP_LOCK_NONE) {
    tp_port_unlock_below(key);
  }
}

// tp_tag_renew(), locked if something is counted that changes with the tag: the
// sum of generations, or how often those of a hardened pool started again.
/*@ requires \valid_read(pool) && \valid(pool->tag + slot);
    requires pool->tag[slot] < TP_LIVE && \separated(pool, pool->tag + slot);
    assigns pool->tag[slot], tp_masked, tp_below;
    TP_KEEPS_LOCKS;
    ensures pool->tag[slot] ==
      TP_LIVE + 1 + \old(pool->tag[slot]) % TP_GENERATION_MAX;
    ensures pool->origin == \old(pool->origin); */
TP_INLINE void tp_slot_renew(const struct tp_pool *pool, uint32_t lock,
                             uint32_t slot)
{
  uint32_t masked = TP_LOCK_NONE;
  if (tp_tag_summed(pool) || tp_tag_coded(pool)) masked = lock;
  uint32_t key = tp_lock_take(masked);
  bool dead = tp_tag_renew(pool, slot);
  tp_lock_give(masked, key);
  if (!dead) tp_tag_raise(pool, slot, NULL);
}

// Where slot 0 would begin. Of a pool that the compiler sees into, by what it
// folds: GCC 12 does not fold an address that is initialised as a number.
/*@ requires slot_memory(pool);
    assigns \nothing;
    ensures \result == pool->origin; */
TP_INLINE uintptr_t tp_slot_origin(const struct tp_pool *pool)
{
  if (!TP_CONSTANT(pool->stride)) return pool->origin;
  return (uintptr_t)pool->storage - pool->stride;
}

// The address of [slot]; of slot 0, one stride before the storage.
/*@ requires slot_memory(pool) && slot <= pool->capacity;
    assigns \nothing;
    ensures \result == slot_address(pool, slot); */
TP_INLINE uintptr_t tp_slot_address(const struct tp_pool *pool, uint32_t slot)
{
  return tp_slot_origin(pool) + (uintptr_t)slot * pool->stride;
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
    requires slot_divides(pool);
    assigns \nothing;
    ensures sound: 1 <= \result <= pool->capacity ==>
              object_words(object) == slot_words(pool, \result);
    ensures complete: \forall integer s; 1 <= s <= pool->capacity &&
              object_words(object) == slot_words(pool, s) ==> \result == s; */
TP_INLINE uintptr_t tp_slot_of(const struct tp_pool *pool, const void *object)
{
  uintptr_t origin = tp_slot_origin(pool);
  uintptr_t inverse = pool->inverse;
  if (!TP_CONSTANT(inverse)) TP_KEEP_BOTH(origin, inverse);
  uintptr_t offset = (uintptr_t)object - origin;
  uintptr_t scaled = offset * inverse;
  uintptr_t slot = tp_port_rotate(scaled, pool->gate);
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

// The highest slot of the pool; to a [quick] call, which knows nothing of
// rings, those of a pool that has one are closed.
/*@ requires \valid_read(pool);
    assigns \nothing;
    ensures \result == (quick ? slot_quick(pool) : pool->capacity); */
TP_INLINE uint32_t tp_slot_most(const struct tp_pool *pool, bool quick)
{
  return quick ? pool->gate / 0x10000u : pool->capacity;
}

// The free list --------------------------------------------------------------
//
// Last in, first out: the list word, tag[0], names the dead slot that is issued
// next. The first word of a dead slot holds the list word of the moment before
// it died, so taking it out again is one copy. From fast up the word is
//
//     live * TP_ONE_LIVE + slot        live: how many slots are live
//
// Between a slot's death and its next issue, as many others come as go. So the
// live count in its link is exactly one above the pool's, or the link was
// written over: one comparison checks both halves before the link is followed,
// and it is what keeps the live count, free of charge. At off the word is
// the slot's address: nothing is counted and nothing is translated.
//
// Every function wants the pool locked.

// Behind the tags: what cores keep for themselves, a word of each; or the links
// of all slots. Where, in a pool that has such.
//@ assigns \nothing;
TP_INLINE uint32_t *tp_slot_behind(const struct tp_pool *pool)
{
  uint32_t count = pool->capacity;
  return pool->tag + 1 + (pool->tagged ? count : TP_TAGS(count));
}

// NULL iff it has none.
//@ assigns \nothing; ensures \result == \null;
TP_INLINE uint32_t *tp_slot_magazines(const struct tp_pool *pool)
{
  if (!TP_CORES_NUMBERED || pool->magazine == 0) return NULL;
  return tp_slot_behind(pool);
}

// The link of dead [slot], whose bytes are [words]: its first word, or, where
// the row says so, one behind the tags.
/*@ assigns \nothing;
    ensures \result == words; */
TP_INLINE tp_word_t *tp_list_link(const struct tp_pool *pool, tp_word_t *words,
                                  uintptr_t slot)
{
  if (!TP_HARDENED || !(pool->hardened & TP_OUTSIDE)) return words;
  return (tp_word_t *)tp_slot_behind(pool) + (slot - 1);
}

#if TP_CHECKS >= TP_CHECKS_FAST

#define TP_ONE_LIVE 0x10000u

// How many slots are live, what cores keep for themselves included.
/*@ requires \valid_read(pool) && \valid(pool->tag);
    assigns \nothing;
    ensures \result == list_live(pool); */
TP_INLINE uint32_t tp_list_live(const struct tp_pool *pool)
{
  return pool->tag[0] / TP_ONE_LIVE;
}

// Without those, of [live] slots: their words count down from 0.
//@ assigns \nothing;
TP_INLINE uint32_t tp_list_less(uint32_t live, const volatile uint32_t *kept)
{
  return (uint16_t)(live + kept[0] / TP_ONE_LIVE + kept[1] / TP_ONE_LIVE);
}

// The slot that list [word] issues next; 0 iff it is empty.
/*@ assigns \nothing;
    ensures \result == word % 0x10000; */
TP_INLINE uint32_t tp_list_top_of(uint32_t word)
{
  return word % TP_ONE_LIVE;
}

// The same of the list word as it is: the half alone is read.
/*@ requires \valid_read(pool) && \valid(pool->tag);
    assigns \nothing;
    ensures \result == list_top(pool); */
TP_INLINE uint32_t tp_list_top(const struct tp_pool *pool)
{
  return tp_port_low(pool->tag);
}

//@ assigns \nothing; ensures \result == top;
TP_INLINE uint32_t tp_list_slot(const struct tp_pool *pool, uint32_t top)
{
  (void)pool;
  return top;
}

/*@ requires slot_memory(pool) && 1 <= top <= pool->capacity;
    assigns \nothing;
    ensures \result == slot_words(pool, top); */
TP_INLINE tp_word_t *tp_list_words(const struct tp_pool *pool, uint32_t top)
{
  return tp_slot_words(pool, top);
}

// Can [top] be the slot that is issued next, in a pool of [capacity]? Not when
// it is 0, nor when the list word was written over.
/*@ assigns \nothing;
    ensures \result <==> 1 <= top <= capacity; */
TP_INLINE bool tp_list_names(uint32_t top, uint32_t capacity)
{
  return TP_LIKELY(top - 1 < capacity);
}

// What the link of the top slot of list [word] must hold, less the slot it
// names.
/*@ requires word < 0x80000000;
    assigns \nothing;
    ensures \result == (word / 0x10000 + 1) * 0x10000; */
TP_INLINE uint32_t tp_list_expected(uint32_t word)
{
  return (word / TP_ONE_LIVE + 1) * TP_ONE_LIVE;
}

// Can [link] be that of the top slot of list [word]?
/*@ requires \valid_read(pool) && pool->capacity <= 32767 && word < 0x80000000;
    assigns \nothing;
    ensures \result <==>
      0 <= link - (word / 0x10000 + 1) * 0x10000 <= pool->capacity; */
TP_INLINE bool tp_list_follows(const struct tp_pool *pool, uint32_t word,
                               uint32_t link)
{
  return TP_LIKELY(link - tp_list_expected(word) <= pool->capacity);
}

// The same of the list word as it is, in a pool of [capacity]. The high half is
// read by itself, which is one instruction less than to shift it down.
/*@ requires \valid_read(pool) && \valid_read(pool->tag);
    requires capacity <= 32767 && pool->tag[0] < 0x80000000;
    assigns \nothing;
    ensures \result <==>
      0 <= link - (list_live(pool) + 1) * 0x10000 <= capacity; */
TP_INLINE bool tp_list_leads(const struct tp_pool *pool, uint32_t link,
                             uint32_t capacity)
{
  uint32_t expected = (tp_port_high(pool->tag) + 1) * TP_ONE_LIVE;
  return TP_LIKELY(link - expected <= capacity);
}

// Does list [word] name a slot of the pool, whose link was not written over?
/*@ requires pool_memory(pool) && word < 0x80000000;
    assigns \nothing;
    ensures \result <==> 1 <= word % 0x10000 <= pool->capacity &&
      0 <= list_link(pool, word % 0x10000) - (word / 0x10000 + 1) * 0x10000
        <= pool->capacity; */
TP_INLINE bool tp_list_is_sound(const struct tp_pool *pool, uint32_t word)
{
  uint32_t top = tp_list_top_of(word);
  if (!tp_list_names(top, pool->capacity)) return false;
  tp_word_t *words = tp_list_words(pool, top);
  return tp_list_follows(pool, word, tp_list_link(pool, words, top)[0]);
}

// The list word once [slot], whose bytes are [words], is put on list [word].
TP_INLINE uint32_t tp_list_with(uint32_t word, const tp_word_t *words,
                                uintptr_t slot)
{
  (void)words;
  return ((word - TP_ONE_LIVE) & 0xffff0000u) | (uint32_t)slot;
}

// Is every slot live? Then none is on the list, and none is left that was never
// issued.
/*@ requires \valid_read(pool) && \valid(pool->tag);
    assigns \nothing;
    ensures \result <==> list_live(pool) == pool->capacity; */
TP_INLINE bool tp_list_is_full(const struct tp_pool *pool)
{
  return tp_list_live(pool) == pool->capacity;
}

// Puts [slot], whose bytes are [words], on top.
/*@ requires pool_memory(pool) && list_sound(pool);
    requires 1 <= slot <= pool->state->fresh;
    requires words == slot_words(pool, slot);
    requires tp_place[slot] <= list_live(pool);
    assigns pool->tag[0], words[0], tp_at[0 .. 0x7fff], tp_place[0 .. 0x7fff];
    TP_ENSURES_LIST(pool);
    ensures live: list_live(pool) == \old(list_live(pool)) - 1;
    ensures top: list_top(pool) == slot;
    ensures next: words[0] == \old(pool->tag[0]);
    ensures members: \forall integer s; 1 <= s <= pool->state->fresh ==>
      (tp_place[s] > list_live(pool) <==>
       s == slot || \old(tp_place[s]) > \old(list_live(pool))); */
TP_INLINE void tp_list_put(const struct tp_pool *pool, tp_word_t *words,
                           uintptr_t slot)
{
  uint32_t *list = pool->tag;
  uint32_t word = list[0];
  /*@ ghost int live = (int)(word / TP_ONE_LIVE);
            int place = tp_place[slot];
            int other = tp_at[live];
            tp_at[place] = other;
            tp_place[other] = place;
            tp_at[live] = (int)slot;
            tp_place[slot] = live; */
  tp_list_link(pool, words, slot)[0] = word;
  tp_port_put_less(list, word, (uint32_t)slot);
}

// Counts a slot that becomes live without having been on the list.
/*@ requires \valid_read(pool) && \valid(pool->tag);
    requires pool->tag[0] < 0x80000000;
    assigns pool->tag[0];
    ensures pool->tag[0] == \old(pool->tag[0]) + 0x10000; */
TP_INLINE void tp_list_grow(const struct tp_pool *pool)
{
  pool->tag[0] += TP_ONE_LIVE;
}

// May an empty list be answered with NULL on the spot? Not where refusals are
// counted.
//@ assigns \nothing; ensures !\result;
TP_INLINE bool tp_list_refuses(const struct tp_pool *pool)
{
  (void)pool;
  return false;
}

#else
#include "core/tp_list_off.h"
#endif

#endif
