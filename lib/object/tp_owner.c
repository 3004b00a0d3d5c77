// SPDX-License-Identifier: MIT
#include "object/tp_owner.h"

#include "core/tp_claim.h"

// The slot that begins at [object], of the first of [owned] that has one there;
// 0 iff none has.
static uint32_t find(const struct tp_owned **owned, const void *object)
{
  for (; *owned; *owned = (*owned)->next) {
    uintptr_t slot = tp_slot_of((*owned)->pool, object);
    if (tp_claim_slot((*owned)->pool, slot)) return (uint32_t)slot;
  }
  return 0;
}

static bool is_noted(const struct tp_owner *owner, uint32_t tag)
{
  return (owner->asked || owner->freed) && owner->generation == (uint16_t)tag;
}

// On [object], which lives in one of [owned], as it is now; else on none.
static struct tp_generation claim_on(const struct tp_owned **owned,
                                     const void *object)
{
  uint32_t slot = find(owned, object);
  uint32_t tag = slot ? (*owned)->pool->tag[slot] : 0;
  return (struct tp_generation){tag >= TP_LIVE ? slot : 0, tag, UINT32_MAX};
}

// Handles number the slots at home first, then those of the next: tp_lent.h.
static struct tp_generation claim_of(const struct tp_owned **owned,
                                     uint32_t slot, uint32_t tag, uint32_t mask)
{
  for (; *owned && slot > (*owned)->pool->capacity; *owned = (*owned)->next) {
    slot -= (*owned)->pool->capacity;
  }
  return (struct tp_generation){*owned ? slot : 0, tag, mask};
}

static struct tp_generation narrow_claim(const struct tp_owned **owned,
                                         tp_handle_t handle)
{
  uint32_t bits = (*owned)->pool->handle_bits;
  return claim_of(owned, handle & ((1u << bits) - 1), TP_LIVE | handle >> bits,
                  TP_LIVE | UINT32_MAX >> bits);
}

static struct tp_generation wide_claim(const struct tp_owned **owned,
                                       tp_handle64_t handle)
{
  uint32_t slot = handle >> 47 == 1 ? (uint16_t)handle : 0;
  return claim_of(owned, slot, (uint32_t)(handle >> 16), UINT32_MAX);
}

// Notes of what [claim] is on, if that lives, that [by] asked for it or gives
// it back. What the note says is known before anything is masked: unless the
// claim holds, nothing of it is written.
static void note(const struct tp_owned *owned, struct tp_generation claim,
                 const void *by, bool gives)
{
  if (claim.slot == 0) return;
  struct tp_owner *owner = &owned->owners[claim.slot - 1];
  const void *asked = by, *freed = owner->freed;
  uint32_t since = tp_clock_now, context = TP_PORT_CONTEXT();
  if (gives) {
    asked = is_noted(owner, claim.tag) ? owner->asked : NULL;
    freed = by;
    context |= TP_OWNER_FREED;
  }
  uint32_t lock = owned->pool->lock, key = tp_lock_take(lock);
  if (tp_generation_holds(owned->pool, &claim)) {
    owner->asked = asked;
    owner->freed = freed;
    owner->since = since;
    owner->context = (uint16_t)context;
    owner->generation = (uint16_t)claim.tag;
  }
  tp_lock_give(lock, key);
}

TP_NOINLINE void *tp_owner_take(const struct tp_owned *owned, void *object)
{
  const void *by = tp_port_caller(TP_SITE);
  struct tp_generation claim = claim_on(&owned, object);
  if (claim.slot == 0) return object;
  if (is_noted(&owned->owners[claim.slot - 1], claim.tag)) return object;
  note(owned, claim, by, false);
  return object;
}

TP_NOINLINE void *tp_owner_take_handle(const struct tp_owned *owned,
                                       void *object, const tp_handle_t *handle)
{
  struct tp_generation claim = narrow_claim(&owned, *handle);
  note(owned, claim, tp_port_caller(TP_SITE), false);
  return object;
}

TP_NOINLINE void *tp_owner_take_handle64(const struct tp_owned *owned,
                                         void *object,
                                         const tp_handle64_t *handle)
{
  struct tp_generation claim = wide_claim(&owned, *handle);
  note(owned, claim, tp_port_caller(TP_SITE), false);
  return object;
}

TP_NOINLINE void *tp_owner_give(const struct tp_owned *owned, void *object)
{
  const void *by = tp_port_caller(TP_SITE);
  struct tp_generation claim = claim_on(&owned, object);
  note(owned, claim, by, true);
  return object;
}

TP_NOINLINE tp_handle_t tp_owner_give_handle(const struct tp_owned *owned,
                                             tp_handle_t handle)
{
  struct tp_generation claim = narrow_claim(&owned, handle);
  note(owned, claim, tp_port_caller(TP_SITE), true);
  return handle;
}

TP_NOINLINE tp_handle64_t tp_owner_give_handle64(const struct tp_owned *owned,
                                                 tp_handle64_t handle)
{
  struct tp_generation claim = wide_claim(&owned, handle);
  note(owned, claim, tp_port_caller(TP_SITE), true);
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
