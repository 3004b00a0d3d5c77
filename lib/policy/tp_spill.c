// SPDX-License-Identifier: MIT
#include "policy/tp_spill.h"

#include "tp_port.h"

// The chunk asked after [chunk]; the first for NULL. [into] stands in no list:
// other pools may have it too.
static const struct tp_chunk *chunk_after(const struct tp_spill *spill,
                                          const struct tp_chunk *chunk)
{
  if (!chunk && spill->into) return spill->into;
  if (!chunk || chunk == spill->into) return spill->state->attached;
  return chunk->state->next;
}

static void *borrow(const struct tp_spill *spill, tp_site_t site)
{
  const struct tp_chunk *chunk = chunk_after(spill, NULL);
  while (chunk) {
    void *object = tp_chunk_lend(chunk, spill->state, site);
    if (object) return object;
    chunk = chunk_after(spill, chunk);
  }
  return NULL;
}

// Books how a request ended.
static void book(const struct tp_pool *pool, struct tp_spill_state *state,
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
  if (!tag) {
    void *object = borrow(spill, site);
    book(pool, spill->state, object != NULL);
    if (object) return object;
  }
  return spill->then->overflow(pool, tag, site);
}

bool tp_spill_take_back(const struct tp_pool *pool, void *object,
                        tp_site_t site)
{
  const struct tp_spill *spill = tp_spill_of(pool);
  const struct tp_chunk *chunk = chunk_after(spill, NULL);
  while (chunk && !tp_chunk_return(chunk, spill->state, object, site)) {
    chunk = chunk_after(spill, chunk);
  }
  if (!chunk) return false;
  uint32_t key = tp_port_lock();
  spill->state->live--;
  tp_port_unlock(key);
  return true;
}
