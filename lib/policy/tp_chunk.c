// SPDX-License-Identifier: MIT
// tp_chunk.c - chunks come and go: their memory is released, taken again, and
// added to the list of a pool.
#include "core/tp_claim.h"
#include "core/tp_words.h"
#include "policy/tp_chunk_state.h"

// Memory of a chunk: from the red zone before slot 1 to that behind the last.
static tp_word_t *memory_of(const struct tp_chunk *chunk)
{
  const struct tp_pool *pool = chunk->pool;
  return pool->storage - (pool->stride - pool->size) / 4u;
}

static uint32_t words_of(const struct tp_chunk *chunk)
{
  const struct tp_pool *pool = chunk->pool;
  return ((uint32_t)pool->capacity * pool->stride + pool->zone) / 4;
}

void tp_chunk_raise(const struct tp_chunk *at, tp_site_t site)
{
  tp_raise_misuse(TP_FAULT_INVARIANT, at->pool->name, at->state,
                  at->state->phase, TP_CHUNK_OPEN, site);
}

// How many objects of [pool]'s own lie where that spills. Who frees them calls
// [pool], so its memory must be there.
static uint32_t away_from(const struct tp_pool *pool)
{
  if (!pool->takes_foreign) return 0;
  if (pool->policy->take_back != tp_spill_take_back) return 0;
  return tp_spill_of(pool)->state->live;
}

static bool is_idle(const struct tp_chunk *chunk, uint32_t patience)
{
  const struct tp_chunk_state *state = chunk->state;
  return state->phase == TP_CHUNK_OPEN && state->live == 0 &&
         tp_list_live(chunk->pool) == 0 &&
         tp_clock_now - state->emptied >= patience;
}

// Takes the memory of [chunk] away. Returns true iff it is gone, now or before:
// its phase was then [left], TP_CHUNK_BUSY to keep others out, ever since.
static TP_NOINLINE bool take_away(const struct tp_chunk *chunk,
                                  uint32_t patience, uint8_t left,
                                  tp_site_t site)
{
  struct tp_chunk_state *state = chunk->state;
  uint32_t key = tp_port_lock();
  bool broken = TP_MISUSE(tp_chunk_broken(state));
  bool gone = state->phase == TP_CHUNK_RELEASED;
  bool idle = is_idle(chunk, patience);
  if (gone) state->phase = left;
  if (idle) state->phase = TP_CHUNK_BUSY;
  tp_port_unlock(key);
  if (broken) tp_chunk_raise(chunk, site);
  if (!idle) return gone;
  if (away_from(chunk->pool) > 0) {
    state->phase = TP_CHUNK_OPEN;
    return false;
  }
  tp_fill_words(memory_of(chunk), words_of(chunk), TP_POISON);
  if (chunk->reclaim) TP_PORT_UNPOISON(memory_of(chunk), words_of(chunk) * 4u);
  state->releases++;
  TP_BARRIER();
  state->phase = left;
  return true;
}

TP_NOINLINE bool tp_chunk_release(const struct tp_chunk *chunk)
{
  return take_away(chunk, chunk->patience, TP_CHUNK_RELEASED, tp_site(NULL));
}

// Makes slots of the memory again, whatever stands there. Wants the chunk not
// to be open.
static void make_slots(const struct tp_chunk *chunk, tp_site_t site)
{
  tp_pool_rebuild(chunk->pool, site);
  chunk->state->reopens++;
}

// Faults on the first word that was written to while it was nobody's.
static void check_untouched(const struct tp_chunk *chunk, tp_site_t site)
{
  const tp_word_t *words = memory_of(chunk);
  uint32_t at = tp_intact_words(words, words_of(chunk), TP_POISON);
  if (TP_LIKELY(at == words_of(chunk))) return;
  tp_raise_misuse(TP_FAULT_POISON, chunk->pool->name, words + at, words[at],
                  TP_POISON, site);
}

bool tp_chunk_reopen(const struct tp_chunk *chunk, tp_site_t site)
{
  struct tp_chunk_state *state = chunk->state;
  bool granted = !chunk->reclaim || chunk->reclaim(chunk);
  if (granted) {
    if (!chunk->reclaim) check_untouched(chunk, site);
    make_slots(chunk, site);
  }
  uint32_t key = tp_port_lock();
  if (granted) tp_chunk_count(state, 1);
  state->phase = granted ? TP_CHUNK_OPEN : TP_CHUNK_RELEASED;
  tp_port_unlock(key);
  return granted;
}

// Where the list of [pool] leads to [chunk], or would, if it were in it.
static struct tp_chunk_link *place_of(const struct tp_pool *pool,
                                      const struct tp_chunk *chunk,
                                      tp_site_t site)
{
  struct tp_chunk_link *place = &tp_spill_of(pool)->state->attached;
  const struct tp_chunk *at = tp_chunk_follow(pool, place, site);
  while (at && at->pool->storage < chunk->pool->storage) {
    place = &at->state->next;
    at = tp_chunk_follow(pool, place, site);
  }
  return place;
}

// Masked, for interrupts walk the list.
static void lead_to(struct tp_chunk_link *link, const struct tp_chunk *chunk)
{
  uint32_t key = tp_port_lock();
  *link = (struct tp_chunk_link){chunk, chunk};
  tp_port_unlock(key);
}

// The link of [chunk] before the one to it: interrupts walk the list.
TP_NOINLINE void tp_chunk_attach(const struct tp_pool *pool,
                                 const struct tp_chunk *chunk)
{
  tp_site_t site = tp_site(NULL);
  struct tp_chunk_state *state = chunk->state;
  bool known = state->attached || chunk == tp_spill_of(pool)->into;
  bool fits = !known && chunk->pool->stride == pool->stride;
  if (TP_MISUSE(!fits)) {
    tp_raise_misuse(TP_FAULT_CHUNK, pool->name, chunk->pool->storage,
                    chunk->pool->stride, pool->stride, site);
  }
  if (TP_MISUSE(tp_chunk_broken(state))) tp_chunk_raise(chunk, site);
  struct tp_chunk_link *place = place_of(pool, chunk, site);
  if (state->phase == TP_CHUNK_RELEASED) make_slots(chunk, site);
  state->phase = TP_CHUNK_OPEN;
  state->attached = 1;
  state->next = *place;
  lead_to(place, chunk);
}

// Until nothing leads to it nobody opens it again. Its own link stays: an
// interrupted walk may stand there.
static bool detach(const struct tp_pool *pool, const struct tp_chunk *chunk,
                   tp_site_t site)
{
  struct tp_chunk_state *state = chunk->state;
  struct tp_chunk_link *place = place_of(pool, chunk, site);
  if (TP_MISUSE(place->chunk != chunk)) {
    tp_raise_misuse(TP_FAULT_CHUNK, pool->name, chunk->pool->storage, 0, 1,
                    site);
  }
  if (!take_away(chunk, 0, TP_CHUNK_BUSY, site)) return false;
  lead_to(place, tp_chunk_follow(pool, &state->next, site));
  state->attached = 0;
  state->phase = TP_CHUNK_RELEASED;
  return true;
}

TP_NOINLINE bool tp_chunk_detach(const struct tp_pool *pool,
                                 const struct tp_chunk *chunk)
{
  return detach(pool, chunk, tp_site(NULL));
}

TP_NOINLINE uint32_t tp_spill_release(const struct tp_pool *pool)
{
  tp_site_t site = tp_site(NULL);
  uint32_t left = 0;
  const struct tp_chunk_link *link = &tp_spill_of(pool)->state->attached;
  const struct tp_chunk *chunk = tp_chunk_follow(pool, link, site);
  while (chunk) {
    const struct tp_chunk *next =
        tp_chunk_follow(pool, &chunk->state->next, site);
    left += !detach(pool, chunk, site);
    chunk = next;
  }
  return left;
}

// Returns how many objects it has lent no more. What it passed on stays lent.
static uint32_t reset_chunk(const struct tp_chunk *chunk, tp_site_t site)
{
  struct tp_chunk_state *state = chunk->state;
  if (TP_MISUSE(tp_chunk_broken(state))) tp_chunk_raise(chunk, site);
  if (state->phase != TP_CHUNK_OPEN) return 0;
  uint32_t before = state->live, left = away_from(chunk->pool);
  if (left > before) left = before;
  tp_pool_reset_for(chunk->pool, site);
  tp_chunk_count(state, left);
  state->emptied = tp_clock_now;
  return before - left;
}

TP_NOINLINE void tp_spill_reset(const struct tp_pool *pool)
{
  tp_site_t site = tp_site(NULL);
  struct tp_spill_state *state = tp_spill_of(pool)->state;
  tp_pool_reset_for(pool, site);
  const struct tp_chunk *chunk = tp_chunk_follow(pool, &state->attached, site);
  while (chunk) {
    state->live -= reset_chunk(chunk, site);
    chunk = tp_chunk_follow(pool, &chunk->state->next, site);
  }
}
