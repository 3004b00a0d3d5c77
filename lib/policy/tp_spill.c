// SPDX-License-Identifier: MIT
#include "policy/tp_spill.h"

#include "core/tp_claim.h"
#include "policy/tp_chunk_state.h"

// Counts an object that is about to be lent, if the chunk is open; if it is
// released, the caller may open it, and nobody else. Returns its phase. All of
// it is masked by PRIMASK: pools that share a chunk may differ in their locks.
static uint8_t enter(const struct tp_chunk *chunk, tp_site_t site)
{
  struct tp_chunk_state *state = chunk->state;
  uint32_t key = tp_port_lock();
  bool broken = TP_MISUSE(tp_chunk_broken(state));
  uint8_t phase = state->phase;
  if (phase == TP_CHUNK_OPEN) tp_chunk_count(state, state->live + 1);
  if (phase == TP_CHUNK_RELEASED) state->phase = TP_CHUNK_BUSY;
  tp_port_unlock(key);
  if (broken) tp_chunk_raise(chunk, site);
  return phase;
}

static void leave(const struct tp_chunk *chunk, tp_site_t site)
{
  struct tp_chunk_state *state = chunk->state;
  uint32_t key = tp_port_lock();
  bool broken = TP_MISUSE(tp_chunk_miscounted(state));
  tp_chunk_count(state, state->live - 1);
  if (state->live == 0) state->emptied = tp_clock_now;
  tp_port_unlock(key);
  if (broken) tp_chunk_raise(chunk, site);
}

// A slot of [chunk] for [owner]; NULL iff it has none to lend.
static void *lend(const struct tp_chunk *chunk,
                  const struct tp_spill_state *owner, tp_site_t site)
{
  uint8_t phase = enter(chunk, site);
  if (phase == TP_CHUNK_BUSY) return NULL;
  if (phase == TP_CHUNK_RELEASED && !tp_chunk_reopen(chunk, site)) return NULL;

  void *object = tp_pool_alloc_for(chunk->pool, NULL, site);
  if (!object) {
    leave(chunk, site);
    return NULL;
  }
  uintptr_t slot = tp_slot_of(chunk->pool, object);
  if (chunk->owner && tp_claim_slot(chunk->pool, slot))
    chunk->owner[slot] = owner;
  return object;
}

// Did [owner] borrow [slot]? Where nobody notes who has it, nothing was while
// nothing is lent. The double free is the chunk's pool's to name.
static bool has_borrowed(const struct tp_chunk *chunk,
                         const struct tp_spill_state *owner, uintptr_t slot)
{
  const struct tp_chunk_state *state = chunk->state;
  const void *former = tp_chunk_former(owner);
  const void *by = chunk->owner ? chunk->owner[slot] : former;
  if (by == owner || by == tp_chunk_leaving(owner)) return true;
  if (by != former) return false;
  if (!chunk->owner && tp_chunk_lending(state)) return true;
  return TP_MISUSE(chunk->pool->tag[slot] < TP_LIVE);
}

// Takes [object] back to the chunk's pool or, if it is no slot of it, to where
// that spills: whose it is there is known by the counts alone.
static bool free_in(const struct tp_chunk *chunk,
                    const struct tp_spill_state *owner, void *object,
                    tp_site_t site)
{
  const struct tp_pool *pool = chunk->pool;
  uintptr_t slot = tp_slot_of(pool, object);
  if (!tp_claim_slot(pool, slot)) {
    bool passed_on = pool->takes_foreign && tp_chunk_lending(chunk->state);
    return passed_on && owner->live > 0 &&
           pool->policy->take_back(pool, object, site);
  }
  if (!has_borrowed(chunk, owner, slot)) return false;
  if (chunk->owner) chunk->owner[slot] = tp_chunk_former(owner);
  tp_pool_free_for(pool, object, site);
  return true;
}

// Takes back [object], if [owner] borrowed it from [chunk]. Returns false, and
// changes nothing, iff not.
static bool take_home(const struct tp_chunk *chunk,
                      const struct tp_spill_state *owner, void *object,
                      tp_site_t site)
{
  if (!free_in(chunk, owner, object, site)) return false;
  leave(chunk, site);
  return true;
}

static struct tp_chunk_link *link_after(const struct tp_spill *spill,
                                        const struct tp_chunk *chunk)
{
  return chunk ? &chunk->state->next : &spill->state->attached;
}

// The chunk asked after [chunk]; the first for NULL. [into] stands in no list:
// other pools may have it too.
static const struct tp_chunk *chunk_after(const struct tp_pool *pool,
                                          const struct tp_chunk *chunk,
                                          tp_site_t site)
{
  const struct tp_spill *spill = tp_spill_of(pool);
  if (!chunk && spill->into) return spill->into;
  if (chunk == spill->into) chunk = NULL;
  return tp_chunk_follow(pool, link_after(spill, chunk), site);
}

static void *borrow(const struct tp_pool *pool, tp_site_t site)
{
  const struct tp_chunk *chunk = chunk_after(pool, NULL, site);
  while (chunk) {
    void *object = lend(chunk, tp_spill_of(pool)->state, site);
    if (object) return object;
    chunk = chunk_after(pool, chunk, site);
  }
  return NULL;
}

static void count(const struct tp_pool *pool, struct tp_spill_state *state,
                  bool served)
{
  uint32_t key = tp_port_lock();
  if (served) {
    pool->state->spills++;
    if (++state->live > state->peak) state->peak = state->live;
  } else {
    state->refused++;
  }
  tp_port_unlock(key);
}

void *tp_spill_overflow(const struct tp_pool *pool, uint32_t *tag,
                        tp_site_t site)
{
  const struct tp_spill *spill = tp_spill_of(pool);
  if (!tag || spill->tagged) {
    void *object = borrow(pool, site);
    count(pool, spill->state, object != NULL);
    if (object) return object;
  }
  return spill->then->overflow(pool, tag, site);
}

bool tp_spill_take_back(const struct tp_pool *pool, void *object,
                        tp_site_t site)
{
  const struct tp_spill *spill = tp_spill_of(pool);
  const struct tp_chunk *chunk = chunk_after(pool, NULL, site);
  while (chunk && !take_home(chunk, spill->state, object, site)) {
    chunk = chunk_after(pool, chunk, site);
  }
  if (!chunk) return false;
  uint32_t key = tp_port_lock();
  spill->state->live--;
  tp_port_unlock(key);
  return true;
}

void *tp_reserve_overflow(const struct tp_pool *pool, uint32_t *tag,
                          tp_site_t site)
{
  const struct tp_spill *spill = tp_spill_of(pool);
  const struct tp_chunk *chunk = spill->into;
  const volatile struct tp_chunk_state *state = chunk->state;
  void *object = spill->then->overflow(pool, tag, site);
  bool busy = state->phase == TP_CHUNK_BUSY;
  if (object || busy || state->live >= chunk->pool->capacity) return object;
  uint32_t key = tp_port_lock();
  pool->state->refused_by_rule++;
  tp_port_unlock(key);
  return NULL;
}
