// SPDX-License-Identifier: MIT
#include "handle/tp_handle.h"

#include "check/tp_check.h"
#include "pool/tp_age.h"
#include "pool/tp_slot.h"

// The handle of the life [slot] leads now. Its generation loses the high bits
// that the slot's number takes.
static tp_handle_t current(const struct tp_pool *pool, uint32_t slot)
{
  return pool->tag[slot] << pool->handle_bits | slot;
}

// The slot [handle] refers to; 0 iff it is stale. Wants the pool locked.
static uint32_t resolve(const struct tp_pool *pool, tp_handle_t handle)
{
  uint32_t slot = handle & ((1u << pool->handle_bits) - 1);
  if (slot == 0 || slot > pool->capacity) return 0;
  if (pool->tag[slot] < TP_LIVE) return 0;
  return current(pool, slot) == handle ? slot : 0;
}

tp_handle_t tp_handle_of(const struct tp_pool *pool, const void *object)
{
  uintptr_t slot = tp_slot_of(pool, object);
  if (slot == 0 || slot > pool->capacity) return TP_NO_HANDLE;
  uint32_t key = tp_pool_lock(pool);
  tp_handle_t handle = TP_NO_HANDLE;
  if (pool->tag[slot] >= TP_LIVE) handle = current(pool, (uint32_t)slot);
  tp_pool_unlock(pool, key);
  return handle;
}

void *tp_handle_get(const struct tp_pool *pool, tp_handle_t handle)
{
  uint32_t key = tp_pool_lock(pool);
  uint32_t slot = resolve(pool, handle);
  tp_pool_unlock(pool, key);
  return slot ? tp_slot_words(pool, slot) : NULL;
}

bool tp_handle_free(const struct tp_pool *pool, tp_handle_t handle)
{
  uint32_t key = tp_pool_lock(pool);
  uint32_t slot = resolve(pool, handle);
  if (slot == 0) {
    tp_pool_unlock(pool, key);
    return false;
  }
  tp_word_t *words = tp_slot_words(pool, slot);
  tp_tag_retire(pool, slot);
  if (pool->age) tp_age_remove(pool->age, (tp_slot_t)slot);
  key = tp_check_dead(pool, words, key);
  tp_list_put(pool, words, slot);
  tp_pool_unlock(pool, key);
  return true;
}
