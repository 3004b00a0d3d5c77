// SPDX-License-Identifier: MIT
#include "policy/tp_chunks.h"

#include "check/tp_misuse.h"
#include "core/tp_reset.h"
#include "policy/tp_chunk_region.h"

// Where the list of [pool] points to [chunk], or would, if it were in it.
static const struct tp_chunk **place_of(const struct tp_pool *pool,
                                        const struct tp_chunk *chunk)
{
  const struct tp_chunk **place = &tp_spill_of(pool)->state->attached;
  while (*place && (*place)->pool->storage < chunk->pool->storage) {
    place = &(*place)->state->next;
  }
  return place;
}

// The link of [chunk] before the one to it: interrupts walk the list.
TP_NOINLINE void tp_chunks_attach(const struct tp_pool *pool,
                                  const struct tp_chunk *chunk)
{
  struct tp_chunk_state *state = chunk->state;
  if (TP_MISUSE(state->attached || chunk->pool->stride != pool->stride)) {
    tp_raise_misuse(TP_FAULT_CHUNK, pool->name, chunk->pool->storage,
                    chunk->pool->stride, pool->stride, TP_CALLER);
  }
  const struct tp_chunk **place = place_of(pool, chunk);
  if (state->phase == TP_CHUNK_GIVEN) tp_region_take(chunk);
  state->phase = TP_CHUNK_OPEN;
  state->attached = 1;
  state->next = *place;
  TP_BARRIER();
  *place = chunk;
}

// The link of [chunk] stays: an interrupted walk may stand there.
TP_NOINLINE bool tp_chunks_detach(const struct tp_pool *pool,
                                  const struct tp_chunk *chunk)
{
  struct tp_chunk_state *state = chunk->state;
  const struct tp_chunk **place = place_of(pool, chunk);
  if (TP_MISUSE(*place != chunk)) {
    tp_raise_misuse(TP_FAULT_CHUNK, pool->name, chunk->pool->storage, 0, 1,
                    TP_CALLER);
  }
  if (!tp_region_give(chunk, 0)) return false;
  *place = state->next;
  state->attached = 0;
  return true;
}

static void reset_chunk(const struct tp_chunk *chunk, tp_site_t site)
{
  if (chunk->state->phase != TP_CHUNK_OPEN) return;
  tp_pool_reset_for(chunk->pool, site);
  chunk->state->live = 0;
  chunk->state->emptied = tp_clock_now;
}

TP_NOINLINE void tp_chunks_reset(const struct tp_pool *pool)
{
  tp_site_t site = tp_site(NULL);
  struct tp_spill_state *state = tp_spill_of(pool)->state;
  tp_pool_reset_for(pool, site);
  const struct tp_chunk *chunk = state->attached;
  for (; chunk; chunk = chunk->state->next) reset_chunk(chunk, site);
  state->live = 0;
}
