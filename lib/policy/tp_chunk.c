// SPDX-License-Identifier: MIT
#include "policy/tp_chunk.h"

#include "check/tp_misuse.h"
#include "core/tp_core.h"
#include "core/tp_list.h"
#include "core/tp_reset.h"
#include "policy/tp_chunk_region.h"

// All under PRIMASK: the pools that share a chunk may differ in their locks.
static enum tp_chunk_phase enter(struct tp_chunk_state *state)
{
  uint32_t key = tp_port_lock();
  enum tp_chunk_phase phase = (enum tp_chunk_phase)state->phase;
  if (phase == TP_CHUNK_OPEN) state->live++;
  if (phase == TP_CHUNK_GIVEN) state->phase = TP_CHUNK_BUSY;
  tp_port_unlock(key);
  return phase;
}

static void leave(struct tp_chunk_state *state)
{
  uint32_t key = tp_port_lock();
  if (--state->live == 0) state->emptied = tp_clock_now;
  tp_port_unlock(key);
}

static bool is_idle(const struct tp_chunk *chunk, uint32_t patience)
{
  const struct tp_chunk_state *state = chunk->state;
  return state->phase == TP_CHUNK_OPEN && state->live == 0 &&
         tp_list_counts(chunk->pool, 0) &&
         tp_clock_now - state->emptied >= patience;
}

bool tp_region_give(const struct tp_chunk *chunk, uint32_t patience)
{
  struct tp_chunk_state *state = chunk->state;
  uint32_t key = tp_port_lock();
  bool idle = is_idle(chunk, patience);
  if (idle) state->phase = TP_CHUNK_BUSY;
  tp_port_unlock(key);
  if (!idle) return state->phase == TP_CHUNK_GIVEN;

  tp_misuse_fill(tp_region_begin(chunk), tp_region_words(chunk), TP_POISON);
  state->returns++;
  TP_BARRIER();
  state->phase = TP_CHUNK_GIVEN;
  return true;
}

void tp_region_take(const struct tp_chunk *chunk)
{
  tp_pool_rebuild(chunk->pool);
  chunk->state->takes++;
}

// Faults on the first word of a region that was nobody's and was written to.
static void check_untouched(const struct tp_chunk *chunk, tp_site_t site)
{
  const tp_word_t *words = tp_region_begin(chunk);
  uint32_t count = tp_region_words(chunk);
  uint32_t intact = tp_misuse_intact(words, count, TP_POISON);
  if (TP_LIKELY(intact == count)) return;
  tp_raise_misuse(TP_FAULT_POISON, chunk->pool->name, words + intact,
                  words[intact], TP_POISON, site);
}

// Takes the region again for a first object. The phase, which keeps others
// out, is this context's.
static bool reopen(const struct tp_chunk *chunk, tp_site_t site)
{
  struct tp_chunk_state *state = chunk->state;
  bool granted = !chunk->borrow || chunk->borrow(chunk);
  if (granted) {
    if (!chunk->borrow) check_untouched(chunk, site);
    tp_region_take(chunk);
    state->live = 1;
  }
  TP_BARRIER();
  state->phase = granted ? TP_CHUNK_OPEN : TP_CHUNK_GIVEN;
  return granted;
}

static bool is_slot(const struct tp_pool *pool, uintptr_t slot)
{
  return slot - 1 < pool->capacity;
}

void *tp_chunk_lend(const struct tp_chunk *chunk, const void *owner,
                    tp_site_t site)
{
  enum tp_chunk_phase phase = enter(chunk->state);
  if (phase == TP_CHUNK_BUSY) return NULL;
  if (phase == TP_CHUNK_GIVEN && !reopen(chunk, site)) return NULL;

  void *object = tp_pool_alloc_for(chunk->pool, NULL, site);
  if (!object) {
    leave(chunk->state);
    return NULL;
  }
  uintptr_t slot = tp_slot_of(chunk->pool, object);
  if (chunk->owner && is_slot(chunk->pool, slot)) chunk->owner[slot] = owner;
  return object;
}

// Takes [object] back to the pool or, if it is no slot of it, to where that
// spills. The owner of a slot is kept on: a double free is then its pool's to
// name.
static bool give_home(const struct tp_chunk *chunk, const void *owner,
                      void *object, tp_site_t site)
{
  const struct tp_pool *pool = chunk->pool;
  uintptr_t slot = tp_slot_of(pool, object);
  if (!is_slot(pool, slot)) {
    return pool->takes_foreign && pool->policy->take_back(pool, object, site);
  }
  if (chunk->owner && chunk->owner[slot] != owner) return false;
  tp_pool_free_for(pool, object, site);
  return true;
}

bool tp_chunk_return(const struct tp_chunk *chunk, const void *owner,
                     void *object, tp_site_t site)
{
  if (!give_home(chunk, owner, object, site)) return false;
  leave(chunk->state);
  return true;
}

bool tp_chunk_give_back(const struct tp_chunk *chunk)
{
  return tp_region_give(chunk, chunk->patience);
}

bool tp_chunk_has_room(const struct tp_chunk *chunk)
{
  const volatile struct tp_chunk_state *state = chunk->state;
  return state->phase != TP_CHUNK_BUSY && state->live < chunk->pool->capacity;
}
