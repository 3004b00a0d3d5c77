// SPDX-License-Identifier: MIT
// tp_claim.h - internal: what a handle claims, written once: tp_handle.c
// compiles it for all pools ("shared"), tp_pools.c for one ("own").
#ifndef TP_CLAIM_H
#define TP_CLAIM_H

#include "core/tp_calls.h"
#include "core/tp_core.h"

// A handle says which slot and which of its generations, in 32 bits or in 64:
// tp_claim_narrow() and tp_claim_wide() read one, tp_claim_handle() and
// tp_claim_handle64() write one. What is done with it is the same for both.

// Is [slot] one of the first [most]?
/*@ assigns \nothing;
    ensures \result <==> 1 <= slot <= most; */
TP_INLINE bool tp_claim_within(uint32_t slot, uint32_t most)
{
  return TP_LIKELY(slot - 1 < most);
}

/*@ requires \valid_read(pool);
    assigns \nothing;
    ensures \result <==> 1 <= slot <= pool->capacity; */
TP_INLINE bool tp_claim_slot(const struct tp_pool *pool, uintptr_t slot)
{
  return slot - 1 < pool->capacity;
}

// 32 bits: the generation without the high bits that the slot's number takes.
// The number may be that of no slot.
/*@ requires bits == TP_PROOF_BITS;
    assigns \nothing;
    ensures slot: \result.slot == handle_slot(handle);
    ensures tag: \result.tag == handle_tag(handle);
    ensures mask: \result.mask == handle_mask; */
TP_INLINE struct tp_generation tp_claim_parts(uint32_t bits, tp_handle_t handle)
{
  uint32_t generation = handle >> bits;
  uint32_t slot = handle - (generation << bits);
  uint32_t tag = TP_LIVE + generation;
  uint32_t mask = TP_LIVE | UINT32_MAX >> bits;
  struct tp_generation parts = {slot, tag, mask};
  return parts;
}

/*@ TP_HANDLES(pool);
    assigns \nothing;
    ensures slot: \result.slot == slot_or_none(pool, handle_slot(handle));
    ensures tag: \result.tag == handle_tag(handle);
    ensures mask: \result.mask == handle_mask; */
TP_INLINE struct tp_generation tp_claim_narrow(const struct tp_pool *pool,
                                               tp_handle_t handle)
{
  struct tp_generation claim = tp_claim_parts(pool->handle_bits, handle);
  if (!tp_claim_slot(pool, claim.slot)) claim.slot = 0;
  return claim;
}

/*@ TP_HANDLES(pool);
    assigns \nothing;
    ensures \result == (tag ? handle_of(tag, slot) : 0); */
TP_INLINE tp_handle_t tp_claim_handle(const struct tp_pool *pool,
                                      uintptr_t slot, uint32_t tag)
{
  return tag ? tag << pool->handle_bits | (uint32_t)slot : TP_NO_HANDLE;
}

// 64 bits: all of the tag, and it says live.
/*@ requires \valid_read(pool);
    assigns \nothing;
    ensures slot: wide_lives(handle) ==>
      \result.slot == slot_or_none(pool, wide_slot(handle));
    ensures none: !wide_lives(handle) ==> \result.slot == 0;
    ensures tag: \result.tag == wide_tag(handle);
    ensures mask: \result.mask == 0xffffffff; */
TP_INLINE struct tp_generation tp_claim_wide(const struct tp_pool *pool,
                                             tp_handle64_t handle)
{
  uint32_t slot = (uint16_t)handle;
  bool known = tp_claim_slot(pool, slot) && handle >> 47 == 1;
  struct tp_generation claim = {known ? slot : 0, (uint32_t)(handle >> 16),
                                UINT32_MAX};
  return claim;
}

/*@ assigns \nothing;
    ensures \result == (tag ? wide_of(tag, slot) : 0); */
TP_INLINE tp_handle64_t tp_claim_handle64(uintptr_t slot, uint32_t tag)
{
  return tag ? (tp_handle64_t)tag << 16 | (uint32_t)slot : TP_NO_HANDLE;
}

// A handle of [slot] is stale: of a hardened pool, unless its tag is damaged.
//@ assigns \nothing;
TP_INLINE void tp_claim_stale(const struct tp_pool *pool, uint32_t slot,
                              tp_site_t site)
{
  if (tp_tag_coded(pool)) tp_hardened_stale(pool, slot, tp_site(site));
}

/*@ requires pool_memory(pool) && \valid_read(claim);
    requires claim->slot <= pool->capacity;
    assigns \nothing;
    ensures held: claim_held(pool, *claim) ==>
      object_words(\result) == slot_words(pool, claim->slot);
    ensures stale: !claim_held(pool, *claim) ==> \result == \null; */
TP_INLINE void *tp_claim_get(const struct tp_pool *pool,
                             const struct tp_generation *claim)
{
  TP_BARRIER();  // Asked again, it must look again, after what was read.
  if (claim->slot == 0) return NULL;
  if (!tp_generation_holds(pool, claim)) {
    tp_claim_stale(pool, claim->slot, NULL);
    return NULL;
  }
  return tp_slot_words(pool, claim->slot);
}

// tp_age_doubts() and tp_age_remove() of a pool that may have no ring.
/*@ requires age != \null ==> ring_memory(age) && last == tp_slots;
    requires slot <= last;
    assigns \nothing;
    ensures age == \null || ring_sound(age) && is_aged(slot) ==> !\result; */
TP_INLINE bool tp_claim_doubts(const struct tp_age_link *age, uint32_t last,
                               uint32_t slot)
{
  return age && tp_age_doubts(age, last, slot);
}

/*@ requires age != \null ==> ring_memory(age) && last == tp_slots &&
      ring_sound(age) && is_aged(slot);
    assigns age[0 .. (age == \null ? -1 : tp_slots)], tp_ringed[slot];
    ensures \result;
    ensures age == \null ==> tp_ringed[slot] == \old(tp_ringed[slot]);
    ensures age != \null ==> !is_aged(slot);
    TP_ENSURES_RING_IF(age != \null, age); */
TP_INLINE bool tp_claim_leave(struct tp_age_link *age, uint32_t last,
                              tp_slot_t slot, bool doubt)
{
  return !age || tp_age_remove(age, last, slot, doubt);
}

// Is [tag] what tp_claim_parts() [claimed]? No mask need be made: the [bits]
// that are not compared are shifted out.
/*@ requires bits == TP_PROOF_BITS && handle_narrow(claimed);
    assigns \nothing;
    ensures \result <==> tag_holds(tag, claimed, handle_mask); */
TP_INLINE bool tp_claim_agrees(uint32_t tag, uint32_t claimed, uint32_t bits)
{
  uint32_t differs = tag ^ (claimed - TP_LIVE);
  //@ assert differs == handle_differs(tag, claimed);
  return differs >= TP_LIVE && differs << bits == 0;
}

// Is the object still there that it claims, maybe as a [narrow] one of
// tp_claim_parts()?
/*@ requires \valid_read(pool) && \valid_read(claim);
    requires \valid_read(pool->tag + claim->slot);
    requires narrow ==> bits == TP_PROOF_BITS && claim->mask == handle_mask &&
      handle_narrow(claim->tag);
    assigns \nothing;
    ensures \result <==> generation_holds(pool, claim); */
TP_INLINE bool tp_claim_holds(const struct tp_pool *pool, bool narrow,
                              uint32_t bits, const struct tp_generation *claim)
{
  if (!tp_tag_stands(pool, claim->slot)) return false;
  if (!narrow) return tp_generation_holds(pool, claim);
  return tp_claim_agrees(pool->tag[claim->slot], claim->tag, bits);
}

// The object of a handle of 32 bits.
/*@ TP_HANDLES(pool);
    TP_RESOLVES(pool, handle, handle_of, handle_current); */
TP_INLINE void *tp_claim_object(const struct tp_pool *pool, tp_handle_t handle)
{
  TP_BARRIER();  // Asked again, it must look again, after what was read.
  uint32_t bits = pool->handle_bits;
  if (!TP_CONSTANT(bits)) TP_KEEP_HIGH(bits);
  struct tp_generation claim = tp_claim_parts(bits, handle);
  if (!TP_LIKELY(claim.slot != 0)) return NULL;
  uint32_t most = pool->capacity;
  if (!TP_CONSTANT(most)) TP_KEEP(most);  // Two questions: a register less.
  if (!TP_LIKELY(claim.slot <= most)) return NULL;
  if (!tp_claim_agrees(pool->tag[claim.slot], claim.tag, bits)) {
    tp_claim_stale(pool, claim.slot, NULL);
    return NULL;
  }
  return tp_slot_words(pool, claim.slot);
}

// Issues what is free. NULL, if it says so, but for who must be asked yet: then
// it is [deferred]. What a handle is [made] of is told.
TP_INLINE void *tp_claim_defer(const struct tp_pool *pool, uint32_t *deferred,
                               tp_site_t site)
{
  (void)pool;
  (void)site;
  *deferred = 1;
  return NULL;
}

/*@ requires quick && \valid(deferred) && made_memory(pool, made, deferred);
    TP_REQUESTS(pool, deferred);
    assigns TP_CHANGES(pool), *deferred, *made;
    TP_KEEPS_LOCKS;
    TP_ENSURES_SOUND_IF(\old(list_links(pool)), pool);
    TP_DEFERS(0 == 0, pool, deferred, made); */
TP_INLINE void *tp_claim_alloc(const struct tp_pool *pool, bool quick,
                               uint32_t lock, struct tp_generation *made,
                               uint32_t *deferred)
{
  *deferred = 0;
  return tp_core_alloc(pool, quick, lock, tp_claim_defer, deferred, made, NULL);
}

// tp_claim_handle() and tp_claim_handle64() of a slot that lives: its [tag] is
// not 0.
/*@ TP_HANDLES(pool);
    assigns \nothing;
    ensures made: \result == handle_of(tag, slot); */
TP_INLINE tp_handle_t tp_claim_made(const struct tp_pool *pool, uint32_t slot,
                                    uint32_t tag)
{
  return tag << pool->handle_bits | slot;
}

/*@ assigns \nothing;
    ensures \result == wide_of(tag, slot); */
TP_INLINE tp_handle64_t tp_claim_made64(uint32_t slot, uint32_t tag)
{
  return (tp_handle64_t)tag << 16 | slot;
}

// tp_core_clean(). A slot that left a ring was masked for long enough by then:
// the window ends.
//@ assigns tp_masked, tp_below; TP_OPENS_LOCK(lock, key);
TP_INLINE uint32_t tp_claim_clean(const struct tp_pool *pool, uint32_t lock,
                                  bool aged, tp_word_t *words, uint32_t key,
                                  tp_site_t site)
{
  if (!aged) return tp_core_clean(pool, lock, words, key, site);
  tp_lock_give(lock, key);
  tp_check_retired(pool, words, site);
  return tp_lock_take(lock);
}

// Of a slot of the pool. [quick] calls know of no ring.
/*@ requires 1 <= claim.slot && (quick ==> pool->age == \null);
    requires narrow ==> bits == TP_PROOF_BITS && claim.mask == handle_mask &&
      handle_narrow(claim.tag);
    TP_CLAIM_FREES(pool, claim); */
TP_INLINE bool tp_claim_free(const struct tp_pool *pool, bool quick,
                             uint32_t lock, bool narrow, uint32_t bits,
                             struct tp_generation claim, tp_site_t site)
{
  uint32_t last = pool->capacity;
  //@ assert same: (tp_slot_t)claim.slot == claim.slot;
  struct tp_age_link *age = quick ? NULL : pool->age;
  bool doubt = tp_claim_doubts(age, last, claim.slot), sound = true;
  tp_slot_t slot = (tp_slot_t)claim.slot;
  tp_core_enter(pool, lock, site);
  bool late = quick || TP_CONSTANT(pool->stride);
  tp_word_t *words = late ? NULL : tp_slot_words(pool, claim.slot);
  uint32_t key = tp_lock_take(lock);
  if (!TP_CONSTANT(pool->stride)) TP_LOADED(pool->tag, pool->origin);
  bool held = tp_claim_holds(pool, narrow, bits, &claim);
  if (TP_LIKELY(held)) {
    pool->tag[claim.slot] -= 0u - tp_tag_death(pool);  // At every level.
    tp_tag_died(pool);
    //@ assert retired: list_begins(pool);
    sound = tp_claim_leave(age, last, slot, doubt);
    //@ assert sound: list_sound(pool) && pool_aged(pool);
    if (sound) {
      if (late) words = tp_slot_words(pool, claim.slot);
      tp_hook_freed(pool, words, site);
      key = tp_claim_clean(pool, lock, age != NULL, words, key, site);
      tp_list_put(pool, words, quick ? claim.slot : slot);
      //@ assert put: same_tags_but{Pre, Here}(pool, claim.slot);
    }
  }
  tp_lock_give(lock, key);
  if (!held) {
    tp_claim_stale(pool, claim.slot, site);
    return false;
  }
  if (!sound) tp_pool_raise_ring(pool, claim.slot, site);
  tp_core_audit(pool, site);
  return true;
}

#endif
