// SPDX-License-Identifier: MIT
#include "tidepool.h"

#include "check/tp_check.h"
#include "core/tp_calls.h"
#include "core/tp_core.h"

// A handle says which slot and which of its generations, in 32 bits or in 64:
// narrow_claim() and wide_claim() read one, narrow() and wide() write one. What
// is done with it is written once, for both.

/*@ requires \valid_read(pool);
    assigns \nothing;
    ensures \result <==> 1 <= slot <= pool->capacity; */
static bool is_slot(const struct tp_pool *pool, uintptr_t slot)
{
  return slot >= 1 && slot <= pool->capacity;
}

// 32 bits: the generation without the high bits that the slot's number takes.
/*@ TP_HANDLES(pool);
    assigns \nothing;
    ensures slot: \result.slot == slot_or_none(pool, handle_slot(handle));
    ensures tag: \result.tag == handle_tag(handle);
    ensures mask: \result.mask == handle_mask; */
static struct tp_generation narrow_claim(const struct tp_pool *pool,
                                         tp_handle_t handle)
{
  uint32_t bits = pool->handle_bits;
  uint32_t slot = handle & ((1u << bits) - 1);
  uint32_t mask = TP_LIVE | UINT32_MAX >> bits;
  uint32_t tag = TP_LIVE | handle >> bits;
  return (struct tp_generation){is_slot(pool, slot) ? slot : 0, tag, mask};
}

/*@ TP_HANDLES(pool);
    assigns \nothing;
    ensures \result == (tag ? handle_of(tag, slot) : 0); */
static tp_handle_t narrow(const struct tp_pool *pool, uintptr_t slot,
                          uint32_t tag)
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
static struct tp_generation wide_claim(const struct tp_pool *pool,
                                       tp_handle64_t handle)
{
  uint32_t slot = (uint16_t)handle;
  bool known = is_slot(pool, slot) && handle >> 47 == 1;
  return (struct tp_generation){known ? slot : 0, (uint32_t)(handle >> 16),
                                UINT32_MAX};
}

/*@ assigns \nothing;
    ensures \result == (tag ? wide_of(tag, slot) : 0); */
static tp_handle64_t wide(uintptr_t slot, uint32_t tag)
{
  return tag ? (tp_handle64_t)tag << 16 | (uint32_t)slot : TP_NO_HANDLE;
}

// The tag of [slot] if it is a live one of the pool's; else 0.
/*@ requires pool_memory(pool);
    assigns \nothing;
    ensures live: 1 <= slot <= pool->capacity && is_live(pool, slot) ==>
      \result == pool->tag[slot];
    ensures dead: !(1 <= slot <= pool->capacity && is_live(pool, slot)) ==>
      \result == 0; */
static uint32_t tag_of(const struct tp_pool *pool, uintptr_t slot)
{
  if (!is_slot(pool, slot)) return 0;
  uint32_t tag = pool->tag[slot];
  return tag >= TP_LIVE ? tag : 0;
}

/*@ requires pool_memory(pool) && claim.slot <= pool->capacity;
    assigns \nothing;
    ensures held: claim_held(pool, claim) ==>
      object_words(\result) == slot_words(pool, claim.slot);
    ensures stale: !claim_held(pool, claim) ==> \result == \null; */
static void *get(const struct tp_pool *pool, struct tp_generation claim)
{
  TP_BARRIER();  // Asked again, it must look again, after what was read.
  if (claim.slot == 0 || !tp_generation_holds(pool, &claim)) return NULL;
  return tp_slot_words(pool, claim.slot);
}

/*@ requires pool_memory(pool) && pool_sound(pool);
    requires claim.slot <= pool->capacity;
    requires claim_held(pool, claim) ==> is_live(pool, claim.slot);
    assigns TP_CHANGES(pool);
    TP_ENSURES_SOUND(pool);
    ensures held: \result <==> \old(claim_held(pool, claim));
    ensures frees: \result ==> frees{Pre, Here}(pool, \old(claim.slot));
    ensures refuses: !\result ==>
      changes_nothing{Pre, Here}(pool) && tp_raised == \old(tp_raised); */
bool tp_generation_free(const struct tp_pool *pool, struct tp_generation claim,
                        tp_site_t site)
{
  if (claim.slot == 0) return false;
  uint32_t lock = pool->lock;
  tp_core_audit(pool, site);
  uint32_t key = tp_lock_take(lock);
  bool held = tp_generation_holds(pool, &claim);
  if (held) {
    pool->tag[claim.slot] -= TP_LIVE;  // At every level: it has handles.
    //@ assert retired: list_begins(pool);
    if (pool->age) tp_age_remove(pool->age, (tp_slot_t)claim.slot);
    //@ assert sound: list_sound(pool) && pool_aged(pool);
  }
  tp_lock_give(lock, key);
  if (!held) return false;
  tp_word_t *words = tp_slot_words(pool, claim.slot);
  tp_check_retired(pool, words, site);
  key = tp_lock_take(lock);
  tp_list_put(pool, words, claim.slot);
  tp_lock_give(lock, key);
  tp_core_audit(pool, site);
  return true;
}

void *tp_generation_turn(const struct tp_pool *pool, struct tp_generation claim,
                         bool pin, tp_site_t site)
{
  if (claim.slot == 0) return NULL;
  enum tp_pin_outcome outcome = tp_pin_turn(pool, &claim, pin);
  if (outcome == TP_PIN_STALE) return NULL;
  void *object = tp_slot_words(pool, claim.slot);
  if (TP_MISUSE(outcome == TP_PIN_ALREADY)) {
    tp_raise_slot(TP_FAULT_PIN, pool, claim.slot, 0, pin, !pin, site);
  }
  return object;
}

// The calls, in either width.

tp_handle_t tp_handle_by_tag(const struct tp_pool *pool, const void *object,
                             uint32_t tag)
{
  return object ? narrow(pool, tp_slot_of(pool, object), tag) : TP_NO_HANDLE;
}

tp_handle64_t tp_handle64_by_tag(const struct tp_pool *pool, const void *object,
                                 uint32_t tag)
{
  return object ? wide(tp_slot_of(pool, object), tag) : TP_NO_HANDLE;
}

TP_NOINLINE void *tp_handle_alloc(const struct tp_pool *pool,
                                  tp_handle_t *handle)
{
  uint32_t tag = 0;
  void *object = tp_pool_alloc_for(pool, &tag, tp_site(NULL));
  *handle = tp_handle_by_tag(pool, object, tag);
  return object;
}

TP_NOINLINE void *tp_handle64_alloc(const struct tp_pool *pool,
                                    tp_handle64_t *handle)
{
  uint32_t tag = 0;
  void *object = tp_pool_alloc_for(pool, &tag, tp_site(NULL));
  *handle = tp_handle64_by_tag(pool, object, tag);
  return object;
}

/*@ TP_HANDLES(pool);
    TP_NAMES(pool, object, handle_of); */
tp_handle_t tp_handle_of(const struct tp_pool *pool, const void *object)
{
  uintptr_t slot = tp_slot_of(pool, object);
  return narrow(pool, slot, tag_of(pool, slot));
}

//@ TP_NAMES(pool, object, wide_of);
tp_handle64_t tp_handle64_of(const struct tp_pool *pool, const void *object)
{
  uintptr_t slot = tp_slot_of(pool, object);
  return wide(slot, tag_of(pool, slot));
}

/*@ TP_HANDLES(pool);
    TP_RESOLVES(pool, handle, handle_of, handle_current); */
void *tp_handle_get(const struct tp_pool *pool, tp_handle_t handle)
{
  return get(pool, narrow_claim(pool, handle));
}

//@ TP_RESOLVES(pool, handle, wide_of, wide_current);
void *tp_handle64_get(const struct tp_pool *pool, tp_handle64_t handle)
{
  return get(pool, wide_claim(pool, handle));
}

/*@ TP_HANDLES(pool);
    TP_TAKES_BACK(pool, handle, handle_of, handle_current); */
TP_NOINLINE bool tp_handle_free(const struct tp_pool *pool, tp_handle_t handle)
{
  return tp_generation_free(pool, narrow_claim(pool, handle), tp_site(NULL));
}

//@ TP_TAKES_BACK(pool, handle, wide_of, wide_current);
TP_NOINLINE bool tp_handle64_free(const struct tp_pool *pool,
                                  tp_handle64_t handle)
{
  return tp_generation_free(pool, wide_claim(pool, handle), tp_site(NULL));
}

TP_NOINLINE void *tp_handle_pin(const struct tp_pool *pool, tp_handle_t handle)
{
  return tp_generation_turn(pool, narrow_claim(pool, handle), true,
                            tp_site(NULL));
}

TP_NOINLINE void *tp_handle64_pin(const struct tp_pool *pool,
                                  tp_handle64_t handle)
{
  return tp_generation_turn(pool, wide_claim(pool, handle), true,
                            tp_site(NULL));
}

TP_NOINLINE bool tp_handle_unpin(const struct tp_pool *pool, tp_handle_t handle)
{
  return tp_generation_turn(pool, narrow_claim(pool, handle), false,
                            tp_site(NULL)) != NULL;
}

TP_NOINLINE bool tp_handle64_unpin(const struct tp_pool *pool,
                                   tp_handle64_t handle)
{
  return tp_generation_turn(pool, wide_claim(pool, handle), false,
                            tp_site(NULL)) != NULL;
}
