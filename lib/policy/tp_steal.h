// SPDX-License-Identifier: MIT
// tp_steal.h - internal: stealing the oldest, written once. The policy object
// compiles it for all pools, TP_POOL_OWN_STEALING() for one.
#ifndef TP_STEAL_H
#define TP_STEAL_H

#include "check/tp_check.h"
#include "pool/tp_core.h"

// The oldest slot, now on no ring and on no list, so that nobody else can
// steal, free or resolve it; TP_NO_SLOT iff there is none to take.
TP_INLINE tp_slot_t tp_steal_detach(const struct tp_pool *pool, uint32_t lock)
{
  uint32_t key = tp_lock_take(lock);
  tp_slot_t victim = tp_age_oldest(pool->age);
  if (TP_LIKELY(victim != TP_NO_SLOT)) {
    tp_age_remove(pool->age, victim);
    tp_tag_bury(pool, victim);
    pool->state->steals++;
  }
  tp_lock_give(lock, key);
  return victim;
}

TP_INLINE void *tp_steal_core(const struct tp_pool *pool, uint32_t lock,
                              uint32_t *tag)
{
  tp_slot_t victim = tp_steal_detach(pool, lock);
  if (!TP_LIKELY(victim != TP_NO_SLOT)) return NULL;

  tp_word_t *words = tp_slot_words(pool, victim);
  if (pool->evict) pool->evict(words);
  tp_check_stolen(pool, words);
  tp_tag_renew(pool, victim);
  tp_core_join(pool, lock, victim, tag);
  return words;
}

#endif
