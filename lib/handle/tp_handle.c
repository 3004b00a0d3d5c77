// SPDX-License-Identifier: MIT
#include "handle/tp_handle.h"

#include "check/tp_check.h"
#include "pool/tp_age.h"
#include "pool/tp_core.h"

// A handle as what it says, whatever its width. slot is 0 iff it cannot be one
// of the pool's.
struct claim {
  uint32_t slot;
  uint32_t tag;   // What the slot's tag must be,
  uint32_t mask;  // in these bits.
};

static bool is_slot(const struct tp_pool *pool, uintptr_t slot)
{
  return slot >= 1 && slot <= pool->capacity;
}

// 32 bits: the generation without the high bits that the slot's number takes.
static struct claim narrow_claim(const struct tp_pool *pool, tp_handle_t handle)
{
  uint32_t bits = pool->handle_bits;
  uint32_t slot = handle & ((1u << bits) - 1);
  uint32_t mask = TP_LIVE | UINT32_MAX >> bits;
  uint32_t tag = TP_LIVE | handle >> bits;
  return (struct claim){is_slot(pool, slot) ? slot : 0, tag, mask};
}

static struct claim wide_claim(const struct tp_pool *pool, tp_handle64_t handle)
{
  uint32_t slot = (uint16_t)handle;
  bool known = is_slot(pool, slot) && handle >> 47 == 1;
  return (struct claim){known ? slot : 0, (uint32_t)(handle >> 16), UINT32_MAX};
}

// Does the slot still lead the life it was claimed for? Wants the pool locked,
// for what follows to be true.
static bool holds(const struct tp_pool *pool, const struct claim *claim)
{
  return ((pool->tag[claim->slot] ^ claim->tag) & claim->mask) == 0;
}

static void *get(const struct tp_pool *pool, struct claim claim)
{
  TP_BARRIER();  // Asked again, it must look again, after what was read.
  if (claim.slot == 0 || !holds(pool, &claim)) return NULL;
  return tp_slot_words(pool, claim.slot);
}

static bool take_back(const struct tp_pool *pool, struct claim claim)
{
  if (claim.slot == 0) return false;
  tp_word_t *words = tp_slot_words(pool, claim.slot);
  uint32_t lock = pool->lock;
  uint32_t key = tp_lock_take(lock);
  bool held = holds(pool, &claim);
  if (held) {
    tp_tag_bury(pool, claim.slot);
    if (pool->age) tp_age_remove(pool->age, (tp_slot_t)claim.slot);
  }
  tp_lock_give(lock, key);
  if (!held) return false;
  tp_check_buried(pool, words);
  key = tp_lock_take(lock);
  tp_list_put(pool, words, claim.slot);
  tp_lock_give(lock, key);
  return true;
}

// The handle of the life whose [tag] says that it is [slot]'s.
static tp_handle_t narrow(const struct tp_pool *pool, uintptr_t slot,
                          uint32_t tag)
{
  return tag ? tag << pool->handle_bits | (uint32_t)slot : TP_NO_HANDLE;
}

static tp_handle64_t wide(uintptr_t slot, uint32_t tag)
{
  return tag ? (tp_handle64_t)tag << 16 | (uint32_t)slot : TP_NO_HANDLE;
}

// The tag of [slot] if it is a live one of the pool's; else 0.
static uint32_t tag_of(const struct tp_pool *pool, uintptr_t slot)
{
  if (!is_slot(pool, slot)) return 0;
  uint32_t tag = pool->tag[slot];
  return tag >= TP_LIVE ? tag : 0;
}

void *tp_handle_alloc(const struct tp_pool *pool, tp_handle_t *handle)
{
  uint32_t tag = 0;
  void *object = tp_pool_alloc_tagged(pool, &tag);
  *handle = narrow(pool, tp_slot_of(pool, object), tag);
  return object;
}

tp_handle_t tp_handle_of(const struct tp_pool *pool, const void *object)
{
  uintptr_t slot = tp_slot_of(pool, object);
  return narrow(pool, slot, tag_of(pool, slot));
}

void *tp_handle_get(const struct tp_pool *pool, tp_handle_t handle)
{
  return get(pool, narrow_claim(pool, handle));
}

bool tp_handle_free(const struct tp_pool *pool, tp_handle_t handle)
{
  return take_back(pool, narrow_claim(pool, handle));
}

void *tp_handle64_alloc(const struct tp_pool *pool, tp_handle64_t *handle)
{
  uint32_t tag = 0;
  void *object = tp_pool_alloc_tagged(pool, &tag);
  *handle = wide(tp_slot_of(pool, object), tag);
  return object;
}

tp_handle64_t tp_handle64_of(const struct tp_pool *pool, const void *object)
{
  uintptr_t slot = tp_slot_of(pool, object);
  return wide(slot, tag_of(pool, slot));
}

void *tp_handle64_get(const struct tp_pool *pool, tp_handle64_t handle)
{
  return get(pool, wide_claim(pool, handle));
}

bool tp_handle64_free(const struct tp_pool *pool, tp_handle64_t handle)
{
  return take_back(pool, wide_claim(pool, handle));
}
