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

// Locked: that [by] was issued the slot, or gives it back.
static void note(struct tp_owner *owner, uint32_t tag, const void *by,
                 bool gives)
{
  if (!gives) {
    owner->asked = by;
  } else {
    if (!is_noted(owner, tag)) owner->asked = NULL;
    owner->freed = by;
  }
  owner->since = tp_clock_now;
  owner->context = (uint16_t)(TP_PORT_CONTEXT() | (gives ? TP_OWNER_FREED : 0));
  owner->generation = (uint16_t)tag;
}

// The same of what [claim] is on, if that lives.
static void note_claim(const struct tp_owned *owned, struct tp_generation claim,
                       const void *by, bool gives)
{
  if (claim.slot == 0) return;
  uint32_t lock = owned->pool->lock, key = tp_lock_take(lock);
  if (tp_generation_holds(owned->pool, &claim)) {
    note(&owned->owners[claim.slot - 1], owned->pool->tag[claim.slot], by,
         gives);
  }
  tp_lock_give(lock, key);
}

TP_NOINLINE void *tp_owner_take(const struct tp_owned *owned, void *object)
{
  const void *by = tp_port_caller(TP_SITE);
  uint32_t slot = find(&owned, object);
  if (slot == 0) return object;
  uint32_t lock = owned->pool->lock, key = tp_lock_take(lock);
  uint32_t tag = owned->pool->tag[slot];
  struct tp_owner *owner = &owned->owners[slot - 1];
  if (tag >= TP_LIVE && !is_noted(owner, tag)) note(owner, tag, by, false);
  tp_lock_give(lock, key);
  return object;
}

TP_NOINLINE void *tp_owner_take_handle(const struct tp_owned *owned,
                                       void *object, const tp_handle_t *handle)
{
  struct tp_generation claim = narrow_claim(&owned, *handle);
  note_claim(owned, claim, tp_port_caller(TP_SITE), false);
  return object;
}

TP_NOINLINE void *tp_owner_take_handle64(const struct tp_owned *owned,
                                         void *object,
                                         const tp_handle64_t *handle)
{
  struct tp_generation claim = wide_claim(&owned, *handle);
  note_claim(owned, claim, tp_port_caller(TP_SITE), false);
  return object;
}

TP_NOINLINE void *tp_owner_give(const struct tp_owned *owned, void *object)
{
  const void *by = tp_port_caller(TP_SITE);
  uint32_t slot = find(&owned, object);
  struct tp_generation claim = {slot, TP_LIVE, TP_LIVE};
  note_claim(owned, claim, by, true);
  return object;
}

TP_NOINLINE tp_handle_t tp_owner_give_handle(const struct tp_owned *owned,
                                             tp_handle_t handle)
{
  struct tp_generation claim = narrow_claim(&owned, handle);
  note_claim(owned, claim, tp_port_caller(TP_SITE), true);
  return handle;
}

TP_NOINLINE tp_handle64_t tp_owner_give_handle64(const struct tp_owned *owned,
                                                 tp_handle64_t handle)
{
  struct tp_generation claim = wide_claim(&owned, handle);
  note_claim(owned, claim, tp_port_caller(TP_SITE), true);
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
