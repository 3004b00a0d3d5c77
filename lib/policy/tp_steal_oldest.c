// SPDX-License-Identifier: MIT
#include "policy/tp_policy.h"

#include "check/tp_check.h"
#include "pool/tp_age.h"
#include "pool/tp_slot.h"

// The oldest slot, now on no ring and on no list, so that nobody else can
// steal, free or resolve it; TP_NO_SLOT iff there is none to take.
static tp_slot_t detach_oldest(const struct tp_pool *pool)
{
  uint32_t key = tp_pool_lock(pool);
  tp_slot_t victim = tp_age_oldest(pool->age);
  if (victim != TP_NO_SLOT) {
    tp_age_remove(pool->age, victim);
    tp_tag_retire(pool, victim);
    pool->state->steals++;
  }
  tp_pool_unlock(pool, key);
  return victim;
}

static void issue_as_newest(const struct tp_pool *pool, tp_slot_t slot)
{
  uint32_t key = tp_pool_lock(pool);
  tp_tag_renew(pool, slot);
  tp_age_push(pool->age, slot);
  tp_pool_unlock(pool, key);
}

static void *steal(const struct tp_pool *pool)
{
  tp_slot_t victim = detach_oldest(pool);
  if (victim == TP_NO_SLOT) return NULL;

  tp_word_t *words = tp_slot_words(pool, victim);
  if (pool->evict) pool->evict(words);
  tp_check_stolen(pool, words);
  issue_as_newest(pool, victim);
  return words;
}

const struct tp_policy tp_steal_oldest = {.overflow = steal};
