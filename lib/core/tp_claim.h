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

/*@ requires \valid_read(pool);
    assigns \nothing;
    ensures \result <==> 1 <= slot <= pool->capacity; */
TP_INLINE bool tp_claim_slot(const struct tp_pool *pool, uintptr_t slot)
{
  return slot - 1 < pool->capacity;
}

// 32 bits: the generation without the high bits that the slot's number takes.
/*@ TP_HANDLES(pool);
    assigns \nothing;
    ensures slot: \result.slot == slot_or_none(pool, handle_slot(handle));
    ensures tag: \result.tag == handle_tag(handle);
    ensures mask: \result.mask == handle_mask; */
TP_INLINE struct tp_generation tp_claim_narrow(const struct tp_pool *pool,
                                               tp_handle_t handle)
{
  uint32_t bits = pool->handle_bits;
  uint32_t slot = handle & ((1u << bits) - 1);
  uint32_t mask = TP_LIVE | UINT32_MAX >> bits;
  uint32_t tag = TP_LIVE | handle >> bits;
  struct tp_generation claim = {tp_claim_slot(pool, slot) ? slot : 0, tag,
                                mask};
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

// Is the object still there that it claims?
/*@ requires \valid_read(pool) && \valid_read(claim);
    requires \valid_read(pool->tag + claim->slot);
    assigns \nothing;
    ensures \result <==> generation_holds(pool, claim); */
TP_INLINE bool tp_claim_holds(const struct tp_pool *pool,
                              const struct tp_generation *claim)
{
  if (!tp_tag_stands(pool, claim->slot)) return false;
  return tp_generation_holds(pool, claim);
}

//@ TP_CLAIM_FREES(pool, claim);
TP_INLINE bool tp_claim_free(const struct tp_pool *pool,
                             struct tp_generation claim, tp_site_t site)
{
  if (claim.slot == 0) return false;
  uint32_t lock = pool->lock, last = pool->capacity;
  tp_slot_t slot = (tp_slot_t)claim.slot;
  //@ assert same: slot == claim.slot;
  struct tp_age_link *age = pool->age;
  bool doubt = tp_claim_doubts(age, last, slot), sound = true;
  tp_core_audit(pool, site);
  uint32_t key = tp_lock_take(lock);
  bool held = tp_claim_holds(pool, &claim);
  if (held) {
    pool->tag[slot] -= 0u - tp_tag_death(pool);  // At every level.
    tp_tag_died(pool);
    //@ assert retired: list_begins(pool);
    sound = tp_claim_leave(age, last, slot, doubt);
    //@ assert sound: list_sound(pool) && pool_aged(pool);
  }
  tp_lock_give(lock, key);
  if (!held) {
    tp_claim_stale(pool, slot, site);
    return false;
  }
  if (!sound) tp_pool_raise_ring(pool, slot, site);
  tp_word_t *words = tp_slot_words(pool, slot);
  tp_hook_event(TP_EVENT_FREE, words, site);
  tp_check_retired(pool, words, site);
  key = tp_lock_take(lock);
  tp_list_put(pool, words, slot);
  tp_lock_give(lock, key);
  tp_core_audit(pool, site);
  return true;
}

#endif
