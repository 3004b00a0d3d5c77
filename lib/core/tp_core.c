// SPDX-License-Identifier: MIT
#include "tidepool.h"

#include "core/tp_calls.h"
#include "core/tp_core.h"
#include "core/tp_sound.h"

static void *ask_policy(const struct tp_pool *pool, uint32_t lock,
                        uint32_t *tag, tp_site_t site)
{
  (void)lock;
  //@ calls tp_any_policy;
  return pool->policy->overflow(pool, tag, site);
}

/*@ requires slot_served(pool);
    TP_ALLOCATES(pool, (uint32_t *)\null); */
TP_NOINLINE void *tp_pool_alloc(const struct tp_pool *pool)
{
  return tp_core_alloc(pool, true, TP_LOCK_PRIMASK, tp_quick_extend, NULL, NULL,
                       NULL);
}

/*@ TP_ALLOCATES(pool, tag); */
void *tp_pool_alloc_for(const struct tp_pool *pool, uint32_t *tag,
                        tp_site_t site)
{
  return tp_core_alloc(pool, false, pool->lock, tp_pool_extend, tag, NULL,
                       site);
}

/*@ TP_ALLOCATES(pool, (uint32_t *)\null); */
TP_NOINLINE void *tp_aged_alloc(const struct tp_pool *pool)
{
  return tp_core_alloc(pool, false, TP_LOCK_PRIMASK, tp_pool_extend, NULL, NULL,
                       NULL);
}

/*@ TP_ALLOCATES(pool, (uint32_t *)\null); */
TP_NOINLINE void *tp_unlocked_alloc(const struct tp_pool *pool)
{
  return tp_core_alloc(pool, false, TP_LOCK_NONE, tp_pool_extend, NULL, NULL,
                       NULL);
}

/*@ requires slot_served(pool);
    TP_FREES(pool, object); */
TP_NOINLINE void tp_pool_free(const struct tp_pool *pool, void *object)
{
  tp_core_free(pool, true, TP_LOCK_PRIMASK, tp_quick_foreign, object, NULL);
}

/*@ TP_FREES(pool, object); */
TP_NOINLINE void tp_aged_free(const struct tp_pool *pool, void *object)
{
  tp_core_free(pool, false, TP_LOCK_PRIMASK, tp_pool_foreign, object, NULL);
}

/*@ TP_FREES(pool, object); */
TP_NOINLINE void tp_unlocked_free(const struct tp_pool *pool, void *object)
{
  tp_core_free(pool, false, TP_LOCK_NONE, tp_pool_foreign, object, NULL);
}

#if TP_CORES_PORTED
TP_NOINLINE void *tp_cores_alloc(const struct tp_pool *pool)
{
  return tp_core_alloc(pool, false, TP_LOCK_CORES, tp_pool_extend, NULL, NULL,
                       NULL);
}

TP_NOINLINE void tp_cores_free(const struct tp_pool *pool, void *object)
{
  tp_core_free(pool, false, TP_LOCK_CORES, tp_pool_foreign, object, NULL);
}

const struct tp_general tp_cores_general = {tp_pool_alloc_for,
                                            tp_pool_free_for};
#endif

/*@ TP_FREES(pool, object); */
void tp_pool_free_for(const struct tp_pool *pool, void *object, tp_site_t site)
{
  tp_core_free(pool, false, pool->lock, tp_pool_foreign, object, site);
}

TP_NOINLINE void tp_pool_foreign(const struct tp_pool *pool, void *object,
                                 tp_site_t site)
{
  const struct tp_policy *policy = pool->policy;
  //@ calls tp_any_take_back;
  if (pool->takes_foreign && policy->take_back(pool, object, site)) return;
  tp_raise_free(pool, object, site);
}

void tp_pool_raise_link(const struct tp_pool *pool, uint32_t word,
                        tp_site_t site)
{
  tp_list_raise(pool, word, site);
}

void tp_pool_raise_tag(const struct tp_pool *pool, uint32_t slot,
                       tp_site_t site)
{
  uint32_t tag = pool->tag[slot];
  tp_raise_slot(TP_FAULT_TAG, pool, slot, 0, tag, tag - TP_LIVE, site);
}

void tp_pool_raise_ring(const struct tp_pool *pool, uint32_t slot,
                        tp_site_t site)
{
  tp_raise_slot(TP_FAULT_INVARIANT, pool, slot, 0, TP_BROKEN_AGE, TP_SOUND,
                site);
}

/*@ TP_ALLOCATES(pool, tag); */
TP_NOINLINE void *tp_pool_extend(const struct tp_pool *pool, uint32_t *tag,
                                 tp_site_t site)
{
  return tp_core_extend(pool, false, pool->lock, ask_policy, tag, site);
}

//@ TP_EXTENDS_QUICKLY(pool, tag);
TP_NOINLINE void *tp_quick_extend(const struct tp_pool *pool, uint32_t *tag,
                                  tp_site_t site)
{
  //@ calls tp_pool_alloc_for;
  if (pool->general) return pool->general->alloc(pool, tag, site);
  return tp_core_extend(pool, true, TP_LOCK_PRIMASK, ask_policy, NULL, site);
}

TP_NOINLINE void tp_quick_foreign(const struct tp_pool *pool, void *object,
                                  tp_site_t site)
{
  if (!pool->general) {
    tp_pool_foreign(pool, object, site);
    return;
  }
  //@ calls tp_pool_free_for;
  pool->general->free(pool, object, site);
}

const struct tp_general tp_general = {tp_pool_alloc_for, tp_pool_free_for};

// Taking all back.

// What cores keep is on no list any more.
static void forget_kept(const struct tp_pool *pool)
{
  uint32_t *kept = tp_slot_magazines(pool);
  if (kept) kept[0] = kept[1] = 0;
}

void tp_pool_forget(const struct tp_pool *pool)
{
  struct tp_pool_state *state = pool->state;
  if (state->fresh > state->reached) state->reached = state->fresh;
  state->fresh = 0;
  pool->tag[0] = 0;
  forget_kept(pool);
  if (!tp_tag_kept(pool)) pool->tag[1] = 0;
  if (!pool->age) return;
  pool->age[0] = (struct tp_age_link){TP_NO_SLOT, TP_NO_SLOT};
}

// As if all [fresh] had been live and were freed from the last to the first.
static void list_in_order(const struct tp_pool *pool, uint32_t fresh)
{
  pool->tag[0] = 0;
  forget_kept(pool);
  for (uint32_t slot = 1; slot <= fresh; slot++) tp_list_grow(pool);
  for (uint32_t slot = fresh; slot > 0; slot--) {
    tp_list_put(pool, tp_slot_words(pool, slot), slot);
  }
}

void tp_pool_rebuild(const struct tp_pool *pool, tp_site_t site)
{
  uint32_t fresh = tp_sound_fresh(pool, site);
  for (uint32_t slot = 1; slot <= fresh; slot++) {
    tp_check_grown(pool, tp_slot_words(pool, slot));
  }
  for (uint32_t slot = 1; slot <= fresh; slot++) {
    tp_check_retired(pool, tp_slot_words(pool, slot), NULL);
  }
  list_in_order(pool, fresh);
}

void tp_pool_reset_for(const struct tp_pool *pool, tp_site_t site)
{
  if (!tp_tag_kept(pool)) {
    tp_pool_forget(pool);  // Nobody knows which slots are live.
    return;
  }
  uint32_t fresh = tp_sound_fresh(pool, site);
  for (uint32_t slot = fresh; slot > 0; slot--) {
    if (pool->tag[slot] < TP_LIVE) continue;
    tp_pool_free_for(pool, tp_slot_words(pool, slot), site);
  }
  list_in_order(pool, fresh);
}

// Weak: an image with a hardened pool has another, TP_HARDENED_CALLS.
TP_NOINLINE __attribute__((weak)) void tp_pool_reset(const struct tp_pool *pool)
{
  tp_pool_reset_for(pool, tp_site(NULL));
}
