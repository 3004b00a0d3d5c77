// SPDX-License-Identifier: MIT
// tp_core.h - internal: issuing and taking back, written once.
//
// tp_pool.c compiles it for all pools ("shared"), TP_POOL_OWN() for one: the
// same lines against a constant descriptor, which folds away. [lock] is the
// pool's, or PRIMASK, which serves every pool, as a constant.
//
// A slot that is on no list and on no ring belongs to whoever took it off: its
// tag and its bytes are then changed with nothing locked.
#ifndef TP_CORE_H
#define TP_CORE_H

#include "check/tp_check.h"
#include "pool/tp_age.h"
#include "pool/tp_slot.h"

#ifdef __cplusplus
extern "C" {
#endif

// What is rare, out of line and entered unlocked: issues a slot for the first
// time or asks the policy, after another look at the list. [tag] as below.
void *tp_pool_extend(const struct tp_pool *pool, uint32_t *tag);

// tp_pool_alloc(), which also says the tag of the slot it issued.
void *tp_pool_alloc_tagged(const struct tp_pool *pool, uint32_t *tag);

#ifdef __cplusplus
}
#endif

typedef void *tp_core_extender(const struct tp_pool *pool, uint32_t *tag);
typedef void *tp_core_overflow(const struct tp_pool *pool, uint32_t lock,
                               uint32_t *tag);

// Makes a slot that was just issued the newest of its pool. Until then it can
// not be stolen: whoever wants a handle has its [tag] read now. NULL if not.
TP_INLINE void tp_core_join(const struct tp_pool *pool, uint32_t lock,
                            uint32_t slot, uint32_t *tag)
{
  if (tag) *tag = pool->tag[slot];
  if (!pool->age) return;
  uint32_t key = tp_lock_take(lock);
  tp_age_push(pool->age, (tp_slot_t)slot);
  tp_lock_give(lock, key);
}

TP_INLINE void *tp_core_alloc(const struct tp_pool *pool, uint32_t lock,
                              tp_core_extender *extend, uint32_t *tag)
{
  uint32_t key = tp_lock_take(lock);
  uint32_t top = tp_list_top(pool);
  if (TP_LIKELY(top != 0) && tp_tag_issue(pool, tp_list_slot(pool, top))) {
    tp_word_t *words = tp_list_words(pool, top);
    if (tp_list_take(pool, words)) {
      tp_lock_give(lock, key);
      tp_check_reissued(pool, words);
      tp_core_join(pool, lock, tp_list_slot(pool, top), tag);
      return words;
    }
    tp_lock_give(lock, key);
    return tp_blame_link(words, pool);
  }
  bool refused = top == 0 && tp_list_refuses(pool);
  tp_lock_give(lock, key);
  return refused ? NULL : extend(pool, tag);
}

// There is a slot on top, and yet it was not issued. It is live already, which
// is a fault; or its generation is worn out and starts again; or an interrupt
// freed it since, and all is well. Unlocks.
TP_INLINE void *tp_core_retry(const struct tp_pool *pool, uint32_t lock,
                              uint32_t key, uint32_t *tag)
{
  uint32_t top = tp_list_top(pool);
  bool live = tp_tag_rewind(pool, tp_list_slot(pool, top));
  tp_lock_give(lock, key);
  return live ? tp_blame_tag(tp_list_words(pool, top), pool)
              : tp_pool_alloc_tagged(pool, tag);
}

// Issues the first slot that never was. Wants one to be left. Unlocks.
TP_INLINE void *tp_core_fresh(const struct tp_pool *pool, uint32_t lock,
                              uint32_t key, uint32_t *tag)
{
  uint32_t slot = ++pool->state->fresh;
  tp_list_grow(pool);
  tp_check_grown(pool, slot);
  tp_lock_give(lock, key);
  tp_word_t *words = tp_slot_words(pool, slot);
  tp_tag_renew(pool, slot);
  tp_check_first(pool, words);
  tp_core_join(pool, lock, slot, tag);
  return words;
}

TP_INLINE void *tp_core_extend(const struct tp_pool *pool, uint32_t lock,
                               tp_core_overflow *overflow, uint32_t *tag)
{
  struct tp_pool_state *state = pool->state;
  uint32_t key = tp_lock_take(lock);
  if (tp_list_top(pool) != 0) return tp_core_retry(pool, lock, key, tag);
  if (state->fresh < pool->capacity) {
    return tp_core_fresh(pool, lock, key, tag);
  }
  state->overflows++;
  tp_lock_give(lock, key);
  return overflow(pool, lock, tag);
}

TP_INLINE void tp_core_free(const struct tp_pool *pool, uint32_t lock,
                            void *object)
{
  tp_word_t *words = (tp_word_t *)object;
  uintptr_t slot = 0;
  if (tp_check_slot_wanted(pool)) slot = tp_slot_of(pool, object);
  if (TP_LIKELY(slot <= pool->capacity)) {
    uint32_t key = tp_lock_take(lock);
    if (TP_LIKELY(tp_tag_retire(pool, (uint32_t)slot))) {
      if (pool->age) tp_age_remove(pool->age, (tp_slot_t)slot);
      key = tp_check_dead(pool, lock, words, key);
      tp_list_put(pool, words, slot);
      tp_lock_give(lock, key);
      return;
    }
    tp_lock_give(lock, key);
  }
  tp_blame_free(pool, object);
}

#endif
