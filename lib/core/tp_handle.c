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
  return tp_claim_free(pool, claim, site);
}

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

tp_handle_t tp_handle_by_tag(const struct tp_pool *pool, const void *object,
                             uint32_t tag)
{
  return object ? tp_claim_handle(pool, tp_slot_of(pool, object), tag)
                : TP_NO_HANDLE;
}

tp_handle64_t tp_handle64_by_tag(const struct tp_pool *pool, const void *object,
                                 uint32_t tag)
{
  return object ? tp_claim_handle64(tp_slot_of(pool, object), tag)
                : TP_NO_HANDLE;
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
  struct tp_generation claim = tp_claim_narrow(pool, handle);
  return tp_claim_get(pool, &claim);
}

//@ TP_RESOLVES(pool, handle, wide_of, wide_current);
void *tp_handle64_get(const struct tp_pool *pool, tp_handle64_t handle)
{
  struct tp_generation claim = tp_claim_wide(pool, handle);
  return tp_claim_get(pool, &claim);
}

/*@ TP_HANDLES(pool);
    TP_TAKES_BACK(pool, handle, handle_of, handle_current); */
TP_NOINLINE bool tp_handle_free(const struct tp_pool *pool, tp_handle_t handle)
{
  return tp_generation_free(pool, tp_claim_narrow(pool, handle), tp_site(NULL));
}

//@ TP_TAKES_BACK(pool, handle, wide_of, wide_current);
TP_NOINLINE bool tp_handle64_free(const struct tp_pool *pool,
                                  tp_handle64_t handle)
{
  return tp_generation_free(pool, tp_claim_wide(pool, handle), tp_site(NULL));
}

TP_NOINLINE void *tp_handle_pin(const struct tp_pool *pool, tp_handle_t handle)
{
  return tp_generation_turn(pool, tp_claim_narrow(pool, handle), true,
                            tp_site(NULL));
}

TP_NOINLINE void *tp_handle64_pin(const struct tp_pool *pool,
                                  tp_handle64_t handle)
{
  return tp_generation_turn(pool, tp_claim_wide(pool, handle), true,
                            tp_site(NULL));
}

TP_NOINLINE bool tp_handle_unpin(const struct tp_pool *pool, tp_handle_t handle)
{
  return tp_generation_turn(pool, tp_claim_narrow(pool, handle), false,
                            tp_site(NULL)) != NULL;
}

TP_NOINLINE bool tp_handle64_unpin(const struct tp_pool *pool,
                                   tp_handle64_t handle)
{
  return tp_generation_turn(pool, tp_claim_wide(pool, handle), false,
                            tp_site(NULL)) != NULL;
}
