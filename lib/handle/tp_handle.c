// SPDX-License-Identifier: MIT
#include "handle/tp_handle.h"

#include "check/tp_check.h"
#include "pool/tp_age.h"
#include "pool/tp_slot.h"

// Is there a live slot of that number? Wants the pool locked, as do all here
// that read a tag.
static bool is_live(const struct tp_pool *pool, uintptr_t slot)
{
  return slot >= 1 && slot <= pool->capacity && pool->tag[slot] >= TP_LIVE;
}

// The handle of the life [slot] leads now. In 32 bits its generation loses the
// high bits that the slot's number takes.
static tp_handle_t narrow(const struct tp_pool *pool, uint32_t slot)
{
  return pool->tag[slot] << pool->handle_bits | slot;
}

static tp_handle64_t wide(const struct tp_pool *pool, uint32_t slot)
{
  return (tp_handle64_t)pool->tag[slot] << 16 | slot;
}

// The slot a handle refers to; 0 iff it is stale.
static uint32_t resolve(const struct tp_pool *pool, tp_handle_t handle)
{
  uint32_t slot = handle & ((1u << pool->handle_bits) - 1);
  bool current = is_live(pool, slot) && narrow(pool, slot) == handle;
  return current ? slot : 0;
}

static uint32_t resolve64(const struct tp_pool *pool, tp_handle64_t handle)
{
  uint32_t slot = (uint16_t)handle;
  bool current = is_live(pool, slot) && wide(pool, slot) == handle;
  return current ? slot : 0;
}

static void *object_in(const struct tp_pool *pool, uint32_t slot)
{
  return slot ? tp_slot_words(pool, slot) : NULL;
}

// Takes back live [slot], if it is not 0. Unlocks.
static bool take_back(const struct tp_pool *pool, uint32_t slot, uint32_t key)
{
  if (slot != 0) {
    tp_word_t *words = tp_slot_words(pool, slot);
    tp_tag_retire(pool, slot);
    if (pool->age) tp_age_remove(pool->age, (tp_slot_t)slot);
    key = tp_check_dead(pool, pool->lock, words, key);
    tp_list_put(pool, words, slot);
  }
  tp_pool_unlock(pool, key);
  return slot != 0;
}

tp_handle_t tp_handle_of(const struct tp_pool *pool, const void *object)
{
  uintptr_t slot = tp_slot_of(pool, object);
  uint32_t key = tp_pool_lock(pool);
  tp_handle_t handle = TP_NO_HANDLE;
  if (is_live(pool, slot)) handle = narrow(pool, (uint32_t)slot);
  tp_pool_unlock(pool, key);
  return handle;
}

void *tp_handle_get(const struct tp_pool *pool, tp_handle_t handle)
{
  uint32_t key = tp_pool_lock(pool);
  uint32_t slot = resolve(pool, handle);
  tp_pool_unlock(pool, key);
  return object_in(pool, slot);
}

bool tp_handle_free(const struct tp_pool *pool, tp_handle_t handle)
{
  uint32_t key = tp_pool_lock(pool);
  return take_back(pool, resolve(pool, handle), key);
}

tp_handle64_t tp_handle64_of(const struct tp_pool *pool, const void *object)
{
  uintptr_t slot = tp_slot_of(pool, object);
  uint32_t key = tp_pool_lock(pool);
  tp_handle64_t handle = TP_NO_HANDLE;
  if (is_live(pool, slot)) handle = wide(pool, (uint32_t)slot);
  tp_pool_unlock(pool, key);
  return handle;
}

void *tp_handle64_get(const struct tp_pool *pool, tp_handle64_t handle)
{
  uint32_t key = tp_pool_lock(pool);
  uint32_t slot = resolve64(pool, handle);
  tp_pool_unlock(pool, key);
  return object_in(pool, slot);
}

bool tp_handle64_free(const struct tp_pool *pool, tp_handle64_t handle)
{
  uint32_t key = tp_pool_lock(pool);
  return take_back(pool, resolve64(pool, handle), key);
}
