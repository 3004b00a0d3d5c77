// SPDX-License-Identifier: MIT
#include "object/tp_lent.h"

#include "check/tp_check.h"
#include "core/tp_claim.h"
#include "policy/tp_chunk_state.h"

// What a handle claims, by the number of a slot of either pool.
static struct tp_generation narrow_claim(const struct tp_pool *pool,
                                         tp_handle_t handle)
{
  uint32_t bits = pool->handle_bits;
  return (struct tp_generation){handle & ((1u << bits) - 1),
                                TP_LIVE | handle >> bits,
                                TP_LIVE | UINT32_MAX >> bits};
}

static struct tp_generation wide_claim(tp_handle64_t handle)
{
  uint32_t number = handle >> 47 == 1 ? (uint16_t)handle : 0;
  return (struct tp_generation){number, (uint32_t)(handle >> 16), UINT32_MAX};
}

static const struct tp_chunk *lender_of(const struct tp_pool *pool)
{
  return tp_spill_of(pool)->into;
}

// Is [slot] of [lender]'s lent to [borrower]?
TP_INLINE bool is_lent(const struct tp_chunk *lender,
                       const struct tp_spill_state *borrower, uintptr_t slot)
{
  return tp_claim_slot(lender->pool, slot) && lender->owner[slot] == borrower;
}

// The claim on a slot of the lender's, as that numbers it: 0 at home.
static struct tp_generation away(const struct tp_pool *pool,
                                 struct tp_generation claim)
{
  claim.slot =
      tp_claim_slot(pool, claim.slot) ? 0 : claim.slot - pool->capacity;
  return claim;
}

TP_INLINE bool holds(const struct tp_chunk *lender,
                     const struct tp_spill_state *borrower,
                     const struct tp_generation *claim)
{
  return is_lent(lender, borrower, claim->slot) &&
         tp_generation_holds(lender->pool, claim);
}

// At full: a claim that holds is on what this pool borrowed, or is just being
// taken back. If not, it is another borrower's handle, or the owner was written
// over.
static void check_owner(const struct tp_pool *pool,
                        const struct tp_generation *claim, tp_site_t site)
{
  if (!TP_AUDITED) return;
  const struct tp_chunk *lender = lender_of(pool);
  const struct tp_spill_state *borrower = tp_spill_of(pool)->state;
  if (!tp_claim_slot(lender->pool, claim->slot)) return;
  const void **owner = &lender->owner[claim->slot];
  bool going = *owner == tp_chunk_leaving(borrower) ||
               *owner == tp_chunk_former(borrower);
  if (*owner == borrower || going) return;
  if (!tp_generation_holds(lender->pool, claim)) return;
  tp_raise_misuse(TP_FAULT_HANDLE_POOL, pool->name, owner,
                  (uint32_t)(uintptr_t)*owner, (uint32_t)(uintptr_t)borrower,
                  site);
}

// The object at the lender's; NULL iff the claim does not hold.
static void *get(const struct tp_pool *pool, struct tp_generation claim,
                 tp_site_t site)
{
  const struct tp_chunk *lender = lender_of(pool);
  claim = away(pool, claim);
  check_owner(pool, &claim, site);
  if (!holds(lender, tp_spill_of(pool)->state, &claim)) return NULL;
  return tp_slot_words(lender->pool, claim.slot);
}

// Once another than its owner stands there, nobody else's claim holds, and the
// slot is live until it is freed.
static bool take_back(const struct tp_pool *pool, struct tp_generation claim,
                      tp_site_t site)
{
  bool home = tp_claim_slot(pool, claim.slot);
  if (home) return tp_generation_free(pool, claim, site);
  const struct tp_chunk *lender = lender_of(pool);
  const struct tp_spill_state *borrower = tp_spill_of(pool)->state;
  claim = away(pool, claim);
  check_owner(pool, &claim, site);
  uint32_t key = tp_port_lock();
  bool held = holds(lender, borrower, &claim);
  if (held) lender->owner[claim.slot] = tp_chunk_leaving(borrower);
  tp_port_unlock(key);
  if (!held) return false;
  tp_pool_free_for(pool, tp_slot_words(lender->pool, claim.slot), site);
  return true;
}

// Where nothing is stolen there is no pin to turn.
static void *turn(const struct tp_pool *pool, struct tp_generation claim,
                  bool pin, tp_site_t site)
{
  if (!tp_claim_slot(pool, claim.slot)) return get(pool, claim, site);
  if (!pool->age) return tp_claim_get(pool, &claim);
  return tp_generation_turn(pool, claim, pin, site);
}

// The number of [object], which is lent, and its tag; 0 iff it is not, or dead.
static uint32_t number_of(const struct tp_pool *pool, const void *object,
                          uint32_t *tag)
{
  const struct tp_chunk *from = lender_of(pool);
  const struct tp_pool *lender = from->pool;
  uintptr_t slot = tp_slot_of(lender, object);
  if (!is_lent(from, tp_spill_of(pool)->state, slot)) return 0;
  *tag = lender->tag[slot];
  return *tag >= TP_LIVE ? (uint32_t)slot + pool->capacity : 0;
}

static tp_handle_t narrow(const struct tp_pool *pool, const void *object)
{
  uint32_t tag;
  uint32_t number = number_of(pool, object, &tag);
  return number ? tag << pool->handle_bits | number : TP_NO_HANDLE;
}

static tp_handle64_t wide(const struct tp_pool *pool, const void *object)
{
  uint32_t tag;
  uint32_t number = number_of(pool, object, &tag);
  return number ? (tp_handle64_t)tag << 16 | number : TP_NO_HANDLE;
}

// The handle of what was just issued: at home with [tag], or nobody can have
// taken it.
static tp_handle_t narrow_issued(const struct tp_pool *pool, const void *object,
                                 uint32_t tag)
{
  bool home = tp_claim_slot(pool, tp_slot_of(pool, object));
  return home ? tp_handle_by_tag(pool, object, tag) : narrow(pool, object);
}

static tp_handle64_t wide_issued(const struct tp_pool *pool, const void *object,
                                 uint32_t tag)
{
  bool home = tp_claim_slot(pool, tp_slot_of(pool, object));
  return home ? tp_handle64_by_tag(pool, object, tag) : wide(pool, object);
}

// The calls, in either width.

TP_NOINLINE void *tp_lent_alloc(const struct tp_pool *pool, uint32_t score,
                                tp_handle_t *handle)
{
  uint32_t tag = ~score;
  void *object = tp_pool_alloc_for(pool, &tag, tp_site(NULL));
  *handle = narrow_issued(pool, object, tag);
  return object;
}

TP_NOINLINE void *tp_lent64_alloc(const struct tp_pool *pool, uint32_t score,
                                  tp_handle64_t *handle)
{
  uint32_t tag = ~score;
  void *object = tp_pool_alloc_for(pool, &tag, tp_site(NULL));
  *handle = wide_issued(pool, object, tag);
  return object;
}

TP_NOINLINE void *tp_lent_create(const struct tp_objects *objects,
                                 void *context, uint32_t score,
                                 tp_handle_t *handle)
{
  uint32_t tag = ~score;
  void *object = tp_object_alloc_for(objects, context, &tag, tp_site(NULL));
  *handle = narrow_issued(objects->pool, object, tag);
  return object;
}

TP_NOINLINE void *tp_lent64_create(const struct tp_objects *objects,
                                   void *context, uint32_t score,
                                   tp_handle64_t *handle)
{
  uint32_t tag = ~score;
  void *object = tp_object_alloc_for(objects, context, &tag, tp_site(NULL));
  *handle = wide_issued(objects->pool, object, tag);
  return object;
}

tp_handle_t tp_lent_of(const struct tp_pool *pool, const void *object)
{
  tp_handle_t home = tp_handle_of(pool, object);
  return home ? home : narrow(pool, object);
}

tp_handle64_t tp_lent64_of(const struct tp_pool *pool, const void *object)
{
  tp_handle64_t home = tp_handle64_of(pool, object);
  return home ? home : wide(pool, object);
}

TP_NOINLINE void *tp_lent_get(const struct tp_pool *pool, tp_handle_t handle)
{
  void *object = tp_handle_get(pool, handle);
  if (object) return object;
  return get(pool, narrow_claim(pool, handle), tp_site(NULL));
}

TP_NOINLINE void *tp_lent64_get(const struct tp_pool *pool,
                                tp_handle64_t handle)
{
  void *object = tp_handle64_get(pool, handle);
  return object ? object : get(pool, wide_claim(handle), tp_site(NULL));
}

TP_NOINLINE bool tp_lent_free(const struct tp_pool *pool, tp_handle_t handle)
{
  return take_back(pool, narrow_claim(pool, handle), tp_site(NULL));
}

TP_NOINLINE bool tp_lent64_free(const struct tp_pool *pool,
                                tp_handle64_t handle)
{
  return take_back(pool, wide_claim(handle), tp_site(NULL));
}

TP_NOINLINE void *tp_lent_pin(const struct tp_pool *pool, tp_handle_t handle)
{
  return turn(pool, narrow_claim(pool, handle), true, tp_site(NULL));
}

TP_NOINLINE void *tp_lent64_pin(const struct tp_pool *pool,
                                tp_handle64_t handle)
{
  return turn(pool, wide_claim(handle), true, tp_site(NULL));
}

TP_NOINLINE bool tp_lent_unpin(const struct tp_pool *pool, tp_handle_t handle)
{
  return turn(pool, narrow_claim(pool, handle), false, tp_site(NULL)) != NULL;
}

TP_NOINLINE bool tp_lent64_unpin(const struct tp_pool *pool,
                                 tp_handle64_t handle)
{
  return turn(pool, wide_claim(handle), false, tp_site(NULL)) != NULL;
}
