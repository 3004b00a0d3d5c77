// SPDX-License-Identifier: MIT
#include "object/tp_dma.h"

#include "check/tp_check.h"
#include "core/tp_calls.h"
#include "core/tp_claim.h"
#include "core/tp_shape.h"
#include "core/tp_tag.h"

#if TP_DMA_PORTED

enum { NOT_LENT = 0 };

// May tp_tag_doubted() be so?
enum { DOUBTS_CALLERS = TP_AUDITED || TP_CORES_NUMBERED };

// The memory of an object: its slot, with what stands before the link.
struct extent {
  uintptr_t begin;
  uint32_t bytes;
};

static struct extent extent_of(const struct tp_pool *pool, const void *object)
{
  uint32_t bytes = (uint32_t)pool->stride - pool->zone;
  uint32_t before = bytes - pool->size;
  return (struct extent){(uintptr_t)object - before, bytes};
}

// What live [slot] is lent for; NOT_LENT iff it is not.
static uint32_t lent_for(const struct tp_dma *dma, uint32_t slot)
{
  return TP_LENT_FOR(dma->lent[slot - 1], dma->pool->tag[slot]);
}

static void raise_lent(const struct tp_dma *dma, uint32_t slot, uint32_t found,
                       uint32_t expected, tp_site_t site)
{
  tp_raise_slot(TP_FAULT_LENT, dma->pool, slot, 0, found, expected, site);
}

// The slot of [object]; faults unless it lives.
static uint32_t live_slot(const struct tp_dma *dma, void *object,
                          tp_site_t site)
{
  const struct tp_pool *pool = dma->pool;
  uintptr_t slot = tp_slot_of(pool, object);
  if (TP_MISUSE(!tp_claim_slot(pool, slot))) tp_raise_free(pool, object, site);
  if (TP_MISUSE(pool->tag[slot] < TP_LIVE)) tp_raise_free(pool, object, site);
  return (uint32_t)slot;
}

// Lends [slot] for something, or takes it back for NOT_LENT. Returns what it
// was lent for until now: nothing has changed if it was lent, or was not,
// already. What is written is of the object that lives there at entry.
static uint32_t turn(const struct tp_dma *dma, uint32_t slot, uint32_t what)
{
  uint16_t *lent = &dma->lent[slot - 1];
  uint32_t tag = dma->pool->tag[slot];
  uint16_t now = TP_LENT_AS(tag, what);
  uint32_t lock = dma->pool->lock, key = tp_lock_take(lock);
  uint32_t before = TP_LENT_FOR(*lent, tag);
  if ((before == NOT_LENT) != (what == NOT_LENT)) *lent = now;
  tp_lock_give(lock, key);
  return before;
}

// Only who pinned it unpins it, so that it stays so.
static void check_pinned(const struct tp_pool *pool, uint32_t slot,
                         tp_site_t site)
{
  if (!pool->age) return;
  if (TP_MISUSE(!tp_age_pinned(pool->age, (tp_slot_t)slot))) {
    tp_raise_slot(TP_FAULT_PIN, pool, slot, 0, 0, 1, site);
  }
}

static void check_caller(const struct tp_pool *pool, tp_site_t site)
{
  if (DOUBTS_CALLERS) {  // Else it is not even linked.
    if (tp_tag_doubted(pool, pool->lock)) tp_pool_check_caller(pool, site);
  }
}

static void note_lent(const struct tp_dma *dma, void *object, uint32_t what,
                      tp_site_t site)
{
  if (!tp_tag_lent_noted()) return;
  check_caller(dma->pool, site);
  uint32_t slot = live_slot(dma, object, site);
  check_pinned(dma->pool, slot, site);
  uint32_t before = turn(dma, slot, what);
  if (TP_MISUSE(before != NOT_LENT)) raise_lent(dma, slot, before, 0, site);
}

TP_NOINLINE void tp_dma_lend(const struct tp_dma *dma, void *object,
                             enum tp_dma_direction direction)
{
  struct extent all = extent_of(dma->pool, object);
  note_lent(dma, object, direction, tp_site(NULL));
  tp_dma_port_barrier();
  tp_dma_port_clean(all.begin, all.bytes);
  tp_dma_port_barrier();
}

static void drop_lines(const struct tp_pool *pool, const void *object)
{
  struct extent all = extent_of(pool, object);
  tp_dma_port_barrier();
  tp_dma_port_invalidate(all.begin, all.bytes);
  tp_dma_port_barrier();
}

// Until its lines are dropped it stays lent, so that nobody frees it.
TP_NOINLINE void tp_dma_take(const struct tp_dma *dma, void *object)
{
  if (!tp_tag_lent_noted()) {
    drop_lines(dma->pool, object);
    return;
  }
  tp_site_t site = tp_site(NULL);
  check_caller(dma->pool, site);
  uint32_t slot = live_slot(dma, object, site);
  uint32_t what = lent_for(dma, slot);
  if (what & TP_DMA_RX) drop_lines(dma->pool, object);
  what = turn(dma, slot, NOT_LENT);
  if (TP_MISUSE(what == NOT_LENT)) raise_lent(dma, slot, 0, 1, site);
}

// Faults if the slot of [claim] is lent, and still of the same generation.
static void check_given(const struct tp_dma *dma,
                        const struct tp_generation *claim, tp_site_t site)
{
  if (claim->slot == 0) return;
  if (!tp_generation_holds(dma->pool, claim)) return;
  uint32_t what = lent_for(dma, claim->slot);
  if (TP_MISUSE(what != NOT_LENT)) raise_lent(dma, claim->slot, what, 0, site);
}

TP_NOINLINE void *tp_dma_give(const struct tp_dma *dma, void *object)
{
  uintptr_t slot = tp_slot_of(dma->pool, object);
  if (!tp_tag_lent_noted()) return object;
  if (!tp_claim_slot(dma->pool, slot)) return object;
  struct tp_generation claim = {(uint32_t)slot, TP_LIVE, TP_LIVE};
  check_given(dma, &claim, tp_site(NULL));
  return object;
}

TP_NOINLINE tp_handle_t tp_dma_give_handle(const struct tp_dma *dma,
                                           tp_handle_t handle)
{
  if (!tp_tag_lent_noted()) return handle;
  struct tp_generation claim = tp_claim_narrow(dma->pool, handle);
  check_given(dma, &claim, tp_site(NULL));
  return handle;
}

TP_NOINLINE tp_handle64_t tp_dma_give_handle64(const struct tp_dma *dma,
                                               tp_handle64_t handle)
{
  if (!tp_tag_lent_noted()) return handle;
  struct tp_generation claim = tp_claim_wide(dma->pool, handle);
  check_given(dma, &claim, tp_site(NULL));
  return handle;
}

// At off nobody knows what is lent.
static void check_none_lent(const struct tp_dma *dma, tp_site_t site)
{
  const struct tp_pool *pool = dma->pool;
  if (!tp_tag_lent_noted()) return;
  for (uint32_t slot = 1; slot <= pool->capacity; slot++) {
    struct tp_generation claim = {slot, TP_LIVE, TP_LIVE};
    check_given(dma, &claim, site);
  }
}

TP_NOINLINE void tp_dma_reset(const struct tp_dma *dma)
{
  tp_site_t site = tp_site(NULL);
  check_none_lent(dma, site);
  tp_pool_reset_for(dma->pool, site);
}

#endif
