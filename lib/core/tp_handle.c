// SPDX-License-Identifier: MIT
#include "tidepool.h"

#include "check/tp_check.h"
#include "core/tp_calls.h"
#include "core/tp_claim.h"
#include "core/tp_core.h"

// The tag of [slot] if it is a live one of the pool's; else 0.
/*@ requires pool_memory(pool);
    assigns \nothing;
    ensures live: 1 <= slot <= pool->capacity && is_live(pool, slot) ==>
      \result == pool->tag[slot];
    ensures dead: !(1 <= slot <= pool->capacity && is_live(pool, slot)) ==>
      \result == 0; */
static uint32_t tag_of(const struct tp_pool *pool, uintptr_t slot)
{
  if (!tp_claim_slot(pool, slot)) return 0;
  uint32_t tag = pool->tag[slot];
  return tag >= TP_LIVE ? tag : 0;
}

//@ TP_CLAIM_FREES(pool, claim);
bool tp_generation_free(const struct tp_pool *pool, struct tp_generation claim,
                        tp_site_t site)
{
  if (claim.slot == 0) return false;
  return tp_claim_free(pool, false, pool->lock, false, 0, claim, site);
}

//@ TP_CLAIM_TURNS(pool, claim, pin);
void *tp_generation_turn(const struct tp_pool *pool, struct tp_generation claim,
                         bool pin, tp_site_t site)
{
  if (claim.slot == 0) return NULL;
  enum tp_pin_outcome outcome = tp_pin_turn(pool, claim, pin, site);
  if (outcome == TP_PIN_STALE) return NULL;
  void *object = tp_slot_words(pool, claim.slot);
  if (TP_MISUSE(outcome == TP_PIN_ALREADY)) {
    tp_raise_slot(TP_FAULT_PIN, pool, claim.slot, 0, pin, !pin, site);
  }
  return object;
}

// The calls, in either width.

// Of a pool that a quick call sees, no slot is free: or its tag or link wants
// to be looked at. To the others they are closed, and this begins anew.
//@ TP_ALLOCATES(pool, tag);
static void *issue_more(const struct tp_pool *pool, uint32_t *tag,
                        tp_site_t site)
{
  return tp_slot_most(pool, true) ? tp_pool_extend(pool, tag, site)
                                  : tp_pool_alloc_for(pool, tag, site);
}

/*@ TP_HANDLES(pool);
    TP_NAMED(pool, object, tag, handle_of); */
tp_handle_t tp_handle_by_tag(const struct tp_pool *pool, const void *object,
                             uint32_t tag)
{
  return object ? tp_claim_handle(pool, tp_slot_of(pool, object), tag)
                : TP_NO_HANDLE;
}

//@ TP_NAMED(pool, object, tag, wide_of);
tp_handle64_t tp_handle64_by_tag(const struct tp_pool *pool, const void *object,
                                 uint32_t tag)
{
  return object ? tp_claim_handle64(tp_slot_of(pool, object), tag)
                : TP_NO_HANDLE;
}

// Where a quick call could not go on. It asked already whether the request is
// refused on purpose.
/*@ TP_HANDLES(pool);
    TP_HANDS_OUT(pool, handle, handle_of); */
static TP_NOINLINE void *alloc_more(const struct tp_pool *pool,
                                    tp_handle_t *handle, tp_site_t site)
{
  uint32_t tag = 0;
  void *object = issue_more(pool, &tag, site);
  //@ assert same: TP_SAME(pool);
  *handle = tp_handle_by_tag(pool, object, tag);
  return object;
}

//@ TP_HANDS_OUT(pool, handle, wide_of);
static TP_NOINLINE void *alloc_more64(const struct tp_pool *pool,
                                      tp_handle64_t *handle, tp_site_t site)
{
  uint32_t tag = 0;
  void *object = issue_more(pool, &tag, site);
  //@ assert same: TP_SAME(pool);
  *handle = tp_handle64_by_tag(pool, object, tag);
  return object;
}

/*@ TP_HANDLES(pool);
    TP_HANDS_OUT(pool, handle, handle_of); */
TP_NOINLINE void *tp_handle_alloc(const struct tp_pool *pool,
                                  tp_handle_t *handle)
{
  if (tp_tag_absent(true)) return alloc_more(pool, handle, tp_site(NULL));
  uint32_t deferred;
  struct tp_generation made;
  //@ assert own: \separated(pool, &made) && \separated(pool, &deferred);
  void *object = tp_claim_alloc(pool, true, TP_LOCK_PRIMASK, &made, &deferred);
  //@ assert same: TP_SAME(pool);
  //@ assert apart: TP_APART(pool, handle, handle);
  if (!object && deferred) {
    /*@ assert next: list_top(pool) == \at(list_top(pool), Pre) &&
          pool->state->fresh == \at(pool->state->fresh, Pre); */
    /*@ assert again: same_tags_but{Pre, Here}(pool, 0) &&
          (list_top(pool) != 0 ==>
            (top_link_fits(pool) <==> \at(top_link_fits(pool), Pre))); */
    object = alloc_more(pool, handle, tp_site(NULL));
    //@ assert still: pool->capacity == \at(pool->capacity, Pre);
    /*@ assert born: \at(list_top(pool) == 0 &&
            pool->state->fresh < pool->capacity, Pre) ==>
          pool->state->fresh == \at(pool->state->fresh, Pre) + 1 &&
          reborn{Pre, Here}(pool, pool->state->fresh) &&
          same_tags_but{Pre, Here}(pool, pool->state->fresh); */
    return object;
  }
  *handle = object ? tp_claim_made(pool, made.slot, made.tag) : TP_NO_HANDLE;
  return object;
}

//@ TP_HANDS_OUT(pool, handle, wide_of);
TP_NOINLINE void *tp_handle64_alloc(const struct tp_pool *pool,
                                    tp_handle64_t *handle)
{
  if (tp_tag_absent(true)) return alloc_more64(pool, handle, tp_site(NULL));
  uint32_t deferred;
  struct tp_generation made;
  //@ assert own: \separated(pool, &made) && \separated(pool, &deferred);
  void *object = tp_claim_alloc(pool, true, TP_LOCK_PRIMASK, &made, &deferred);
  //@ assert same: TP_SAME(pool);
  //@ assert apart: TP_APART(pool, handle, handle);
  if (!object && deferred) {
    /*@ assert next: list_top(pool) == \at(list_top(pool), Pre) &&
          pool->state->fresh == \at(pool->state->fresh, Pre); */
    /*@ assert again: same_tags_but{Pre, Here}(pool, 0) &&
          (list_top(pool) != 0 ==>
            (top_link_fits(pool) <==> \at(top_link_fits(pool), Pre))); */
    object = alloc_more64(pool, handle, tp_site(NULL));
    //@ assert still: pool->capacity == \at(pool->capacity, Pre);
    /*@ assert born: \at(list_top(pool) == 0 &&
            pool->state->fresh < pool->capacity, Pre) ==>
          pool->state->fresh == \at(pool->state->fresh, Pre) + 1 &&
          reborn{Pre, Here}(pool, pool->state->fresh) &&
          same_tags_but{Pre, Here}(pool, pool->state->fresh); */
    return object;
  }
  *handle = object ? tp_claim_made64(made.slot, made.tag) : TP_NO_HANDLE;
  return object;
}

/*@ TP_HANDLES(pool);
    TP_HANDS_OUT(pool, handle, handle_of); */
TP_NOINLINE void *tp_handle_alloc_aged(const struct tp_pool *pool,
                                       tp_handle_t *handle)
{
  uint32_t tag = 0;
  void *object = tp_pool_alloc_for(pool, &tag, tp_site(NULL));
  //@ assert same: TP_SAME(pool);
  *handle = tp_handle_by_tag(pool, object, tag);
  return object;
}

//@ TP_HANDS_OUT(pool, handle, wide_of);
TP_NOINLINE void *tp_handle64_alloc_aged(const struct tp_pool *pool,
                                         tp_handle64_t *handle)
{
  uint32_t tag = 0;
  void *object = tp_pool_alloc_for(pool, &tag, tp_site(NULL));
  //@ assert same: TP_SAME(pool);
  *handle = tp_handle64_by_tag(pool, object, tag);
  return object;
}

/*@ TP_HANDLES(pool);
    TP_NAMES(pool, object, handle_of); */
tp_handle_t tp_handle_of(const struct tp_pool *pool, const void *object)
{
  uintptr_t slot = tp_slot_of(pool, object);
  return tp_claim_handle(pool, slot, tag_of(pool, slot));
}

//@ TP_NAMES(pool, object, wide_of);
tp_handle64_t tp_handle64_of(const struct tp_pool *pool, const void *object)
{
  uintptr_t slot = tp_slot_of(pool, object);
  return tp_claim_handle64(slot, tag_of(pool, slot));
}

/*@ TP_HANDLES(pool);
    TP_RESOLVES(pool, handle, handle_of, handle_current); */
void *tp_handle_get(const struct tp_pool *pool, tp_handle_t handle)
{
  return tp_claim_object(pool, handle);
}

//@ TP_RESOLVES(pool, handle, wide_of, wide_current);
void *tp_handle64_get(const struct tp_pool *pool, tp_handle64_t handle)
{
  struct tp_generation claim = tp_claim_wide(pool, handle);
  return tp_claim_get(pool, &claim);
}

/*@ TP_HANDLES(pool);
    TP_TAKES_BACK(pool, handle, handle_of, handle_current); */
static TP_NOINLINE bool free_for(const struct tp_pool *pool, tp_handle_t handle,
                                 tp_site_t site)
{
  return tp_generation_free(pool, tp_claim_narrow(pool, handle), site);
}

/*@ TP_HANDLES(pool);
    TP_TAKES_BACK(pool, handle, handle_of, handle_current); */
TP_NOINLINE bool tp_handle_free_aged(const struct tp_pool *pool,
                                     tp_handle_t handle)
{
  return free_for(pool, handle, tp_site(NULL));
}

/*@ TP_HANDLES(pool);
    TP_TAKES_BACK(pool, handle, handle_of, handle_current); */
TP_NOINLINE bool tp_handle_free(const struct tp_pool *pool, tp_handle_t handle)
{
  if (tp_tag_absent(true)) return free_for(pool, handle, tp_site(NULL));
  uint32_t bits = pool->handle_bits;
  struct tp_generation claim = tp_claim_parts(bits, handle);
  if (!tp_claim_within(claim.slot, tp_slot_most(pool, true)))
    return free_for(pool, handle, tp_site(NULL));
  return tp_claim_free(pool, true, TP_LOCK_PRIMASK, true, bits, claim, NULL);
}

//@ TP_TAKES_BACK(pool, handle, wide_of, wide_current);
static TP_NOINLINE bool free_for64(tp_handle64_t handle,
                                   const struct tp_pool *pool, tp_site_t site)
{
  return tp_generation_free(pool, tp_claim_wide(pool, handle), site);
}

//@ TP_TAKES_BACK(pool, handle, wide_of, wide_current);
TP_NOINLINE bool tp_handle64_free_aged(const struct tp_pool *pool,
                                       tp_handle64_t handle)
{
  return free_for64(handle, pool, tp_site(NULL));
}

//@ TP_TAKES_BACK(pool, handle, wide_of, wide_current);
TP_NOINLINE bool tp_handle64_free(const struct tp_pool *pool,
                                  tp_handle64_t handle)
{
  if (tp_tag_absent(true)) return free_for64(handle, pool, tp_site(NULL));
  struct tp_generation claim = tp_claim_wide(pool, handle);
  if (!tp_claim_within(claim.slot, tp_slot_most(pool, true)))
    return free_for64(handle, pool, tp_site(NULL));
  return tp_claim_free(pool, true, TP_LOCK_PRIMASK, false, 0, claim, NULL);
}

/*@ TP_HANDLES(pool);
    TP_TURNS(pool, handle, handle_of, handle_current, 1,
             object_words(\result) == slot_words(pool, s)); */
TP_NOINLINE void *tp_handle_pin(const struct tp_pool *pool, tp_handle_t handle)
{
  return tp_generation_turn(pool, tp_claim_narrow(pool, handle), true,
                            tp_site(NULL));
}

/*@ TP_TURNS(pool, handle, wide_of, wide_current, 1,
             object_words(\result) == slot_words(pool, s)); */
TP_NOINLINE void *tp_handle64_pin(const struct tp_pool *pool,
                                  tp_handle64_t handle)
{
  return tp_generation_turn(pool, tp_claim_wide(pool, handle), true,
                            tp_site(NULL));
}

/*@ TP_HANDLES(pool);
    TP_TURNS(pool, handle, handle_of, handle_current, 0, \result); */
TP_NOINLINE bool tp_handle_unpin(const struct tp_pool *pool, tp_handle_t handle)
{
  return tp_generation_turn(pool, tp_claim_narrow(pool, handle), false,
                            tp_site(NULL)) != NULL;
}

//@ TP_TURNS(pool, handle, wide_of, wide_current, 0, \result);
TP_NOINLINE bool tp_handle64_unpin(const struct tp_pool *pool,
                                   tp_handle64_t handle)
{
  return tp_generation_turn(pool, tp_claim_wide(pool, handle), false,
                            tp_site(NULL)) != NULL;
}
