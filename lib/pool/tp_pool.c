// SPDX-License-Identifier: MIT
#include "pool/tp_pool.h"

#include "pool/tp_core.h"

void *tp_pool_alloc(const struct tp_pool *pool)
{
  return tp_core_alloc(pool, TP_LOCK_PRIMASK);
}

void tp_pool_free(const struct tp_pool *pool, void *object)
{
  tp_core_free(pool, TP_LOCK_PRIMASK, object);
}

// The slot on top could not be marked live. It is live already, which is a
// fault; or its generation is worn out and starts again; or an interrupt freed
// it since, and all is well.
static void *retry(const struct tp_pool *pool, uint32_t key, uint32_t top)
{
  uint32_t slot = tp_list_slot(pool, top);
  uint32_t *tag = &pool->tag[slot];
  bool live = tp_tag_kept(pool) && *tag >= TP_LIVE;
  if (tp_tag_kept(pool) && *tag == TP_GENERATION_MAX) *tag = 0;
  tp_pool_unlock(pool, key);
  if (live) return tp_blame_tag(tp_list_words(pool, top), pool);
  return tp_pool_alloc(pool);
}

// Issues the first slot that never was. Wants one to be left.
static void *issue_fresh(const struct tp_pool *pool, uint32_t key)
{
  uint32_t slot = ++pool->state->fresh;
  tp_list_grow(pool);
  tp_tag_renew(pool, slot);
  if (pool->age) tp_age_push(pool->age, (tp_slot_t)slot);
  tp_pool_unlock(pool, key);
  tp_word_t *words = tp_slot_words(pool, slot);
  tp_check_first(pool, words);
  return words;
}

TP_COLD void *tp_pool_extend(const struct tp_pool *pool)
{
  uint32_t key = tp_pool_lock(pool);
  uint32_t top = tp_list_top(pool);
  if (top != 0) return retry(pool, key, top);
  if (pool->state->fresh < pool->capacity) return issue_fresh(pool, key);
  pool->state->overflows++;
  tp_pool_unlock(pool, key);
  return pool->policy->overflow(pool);
}
