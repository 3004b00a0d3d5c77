// SPDX-License-Identifier: MIT
#include "object/tp_owner.h"

#include "core/tp_claim.h"

// The slot that begins at [object], of the first of [owned] that has one there;
// 0 iff none has.
TP_INLINE uint32_t find(const struct tp_owned **owned, const void *object)
{
  for (; *owned; *owned = (*owned)->next) {
    uintptr_t slot = tp_slot_of((*owned)->pool, object);
    if (tp_claim_slot((*owned)->pool, slot)) return (uint32_t)slot;
  }
  return 0;
}

TP_INLINE bool is_noted(const struct tp_owner *owner, uint32_t tag)
{
  return (owner->asked || owner->freed) && owner->generation == (uint16_t)tag;
}

// On [object], which lives in one of [owned], as it is now; else on none.
TP_INLINE void claim_on(const struct tp_owned **owned, const void *object,
                        struct tp_generation *claim)
{
  claim->slot = find(owned, object);
  claim->tag = claim->slot ? (*owned)->pool->tag[claim->slot] : 0;
  claim->mask = UINT32_MAX;
  if (claim->tag < TP_LIVE) claim->slot = 0;
}

// Handles number the slots at home first, then those of the next: tp_lent.h.
TP_INLINE uint32_t slot_of(const struct tp_owned **owned, uint32_t number)
{
  for (; *owned; *owned = (*owned)->next) {
    if (number <= (*owned)->pool->capacity) return number;
    number -= (*owned)->pool->capacity;
  }
  return 0;
}

TP_INLINE void claim_narrow(const struct tp_owned **owned, tp_handle_t handle,
                            struct tp_generation *claim)
{
  uint32_t bits = (*owned)->pool->handle_bits;
  claim->slot = slot_of(owned, handle & ((1u << bits) - 1));
  claim->tag = TP_LIVE | handle >> bits;
  claim->mask = TP_LIVE | UINT32_MAX >> bits;
}

TP_INLINE void claim_wide(const struct tp_owned **owned, tp_handle64_t handle,
                          struct tp_generation *claim)
{
  claim->slot = handle >> 47 == 1 ? slot_of(owned, (uint16_t)handle) : 0;
  claim->tag = (uint32_t)(handle >> 16);
  claim->mask = UINT32_MAX;
}

// Notes of what [claim] is on, if that lives, that [by] asked for it or gives
// it back. What the note says is known before anything is masked: unless the
// claim holds, nothing of it is written.
TP_INLINE void note(const struct tp_owned *owned,
                    const struct tp_generation *claim, const void *by,
                    bool gives)
{
  if (claim->slot == 0) return;
  struct tp_owner *owner = &owned->owners[claim->slot - 1];
  const void *asked = by, *freed = owner->freed;
  uint32_t since = tp_clock_now, context = TP_PORT_CONTEXT();
  if (gives) {
    asked = is_noted(owner, claim->tag) ? owner->asked : NULL;
    freed = by;
    context |= TP_OWNER_FREED;
  }
  uint32_t lock = owned->pool->lock, key = tp_lock_take(lock);
  if (tp_generation_holds(owned->pool, claim)) {
    owner->asked = asked;
    owner->freed = freed;
    owner->since = since;
    owner->context = (uint16_t)context;
    owner->generation = (uint16_t)claim->tag;
  }
  tp_lock_give(lock, key);
}

TP_NOINLINE void *tp_owner_take(const struct tp_owned *owned, void *object)
{
  const void *by = tp_port_caller(TP_SITE);
  struct tp_generation claim;
  claim_on(&owned, object, &claim);
  if (claim.slot == 0) return object;
  if (is_noted(&owned->owners[claim.slot - 1], claim.tag)) return object;
  note(owned, &claim, by, false);
  return object;
}

TP_NOINLINE void *tp_owner_take_handle(const struct tp_owned *owned,
                                       void *object, const tp_handle_t *handle)
{
  struct tp_generation claim;
  claim_narrow(&owned, *handle, &claim);
  note(owned, &claim, tp_port_caller(TP_SITE), false);
  return object;
}

TP_NOINLINE void *tp_owner_take_handle64(const struct tp_owned *owned,
                                         void *object,
                                         const tp_handle64_t *handle)
{
  struct tp_generation claim;
  claim_wide(&owned, *handle, &claim);
  note(owned, &claim, tp_port_caller(TP_SITE), false);
  return object;
}

TP_NOINLINE void *tp_owner_give(const struct tp_owned *owned, void *object)
{
  const void *by = tp_port_caller(TP_SITE);
  struct tp_generation claim;
  claim_on(&owned, object, &claim);
  note(owned, &claim, by, true);
  return object;
}

TP_NOINLINE tp_handle_t tp_owner_give_handle(const struct tp_owned *owned,
                                             tp_handle_t handle)
{
  struct tp_generation claim;
  claim_narrow(&owned, handle, &claim);
  note(owned, &claim, tp_port_caller(TP_SITE), true);
  return handle;
}

TP_NOINLINE tp_handle64_t tp_owner_give_handle64(const struct tp_owned *owned,
                                                 tp_handle64_t handle)
{
  struct tp_generation claim;
  claim_wide(&owned, handle, &claim);
  note(owned, &claim, tp_port_caller(TP_SITE), true);
  return handle;
}

const struct tp_owner *tp_owner_of(const struct tp_owned *owned,
                                   const void *object)
{
  uint32_t slot = find(&owned, object);
  if (slot == 0) return NULL;
  const struct tp_owner *owner = &owned->owners[slot - 1];
  return is_noted(owner, owned->pool->tag[slot]) ? owner : NULL;
}
