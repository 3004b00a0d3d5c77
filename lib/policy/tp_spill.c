// SPDX-License-Identifier: MIT
#include "policy/tp_spill.h"

#include "check/tp_check.h"
#include "core/tp_claim.h"
#include "core/tp_words.h"

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

static uint16_t fold(uint32_t live)
{
  return (uint16_t)(live ^ live >> 16);
}

static void set_live(struct tp_chunk_state *state, uint32_t live)
{
  state->live = live;
  if (TP_AUDITED) state->folded = fold(live);
}

static bool is_miscounted(const struct tp_chunk_state *state)
{
  return TP_AUDITED ? state->folded != fold(state->live) : false;
}

// Was the phase written over, or what is counted?
static bool is_broken(const struct tp_chunk_state *state)
{
  if (is_miscounted(state)) return true;
  return state->phase != TP_CHUNK_OPEN && state->phase != TP_CHUNK_BUSY &&
         state->phase != TP_CHUNK_RELEASED;
}

TP_NORETURN static void raise_broken(const struct tp_chunk *at, tp_site_t site)
{
  tp_raise_misuse(TP_FAULT_INVARIANT, at->pool->name, at->state,
                  at->state->phase, TP_CHUNK_OPEN, site);
}

// Counts an object that is about to be lent, if the chunk is open; if it is
// released, the caller may open it, and nobody else. Returns its phase. All of
// it is masked by PRIMASK: pools that share a chunk may differ in their locks.
static uint8_t enter(const struct tp_chunk *chunk, tp_site_t site)
{
  struct tp_chunk_state *state = chunk->state;
  uint32_t key = tp_port_lock();
  bool broken = TP_MISUSE(is_broken(state));
  uint8_t phase = state->phase;
  if (phase == TP_CHUNK_OPEN) set_live(state, state->live + 1);
  if (phase == TP_CHUNK_RELEASED) state->phase = TP_CHUNK_BUSY;
  tp_port_unlock(key);
  if (broken) raise_broken(chunk, site);
  return phase;
}

static void leave(const struct tp_chunk *chunk, tp_site_t site)
{
  struct tp_chunk_state *state = chunk->state;
  uint32_t key = tp_port_lock();
  bool broken = TP_MISUSE(is_miscounted(state));
  set_live(state, state->live - 1);
  if (state->live == 0) state->emptied = tp_clock_now;
  tp_port_unlock(key);
  if (broken) raise_broken(chunk, site);
}

static bool is_idle(const struct tp_chunk *chunk, uint32_t patience)
{
  const struct tp_chunk_state *state = chunk->state;
  return state->phase == TP_CHUNK_OPEN && state->live == 0 &&
         tp_list_live(chunk->pool) == 0 &&
         tp_clock_now - state->emptied >= patience;
}

static bool release(const struct tp_chunk *chunk, uint32_t patience,
                    tp_site_t site)
{
  struct tp_chunk_state *state = chunk->state;
  uint32_t key = tp_port_lock();
  bool broken = TP_MISUSE(is_broken(state));
  bool idle = is_idle(chunk, patience);
  if (idle) state->phase = TP_CHUNK_BUSY;
  tp_port_unlock(key);
  if (broken) raise_broken(chunk, site);
  if (!idle) return state->phase == TP_CHUNK_RELEASED;
  tp_fill_words(memory_of(chunk), words_of(chunk), TP_POISON);
  if (chunk->reclaim) TP_PORT_UNPOISON(memory_of(chunk), words_of(chunk) * 4u);
  state->releases++;
  TP_BARRIER();
  state->phase = TP_CHUNK_RELEASED;
  return true;
}

TP_NOINLINE bool tp_chunk_release(const struct tp_chunk *chunk)
{
  return release(chunk, chunk->patience, tp_site(NULL));
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

// Opens a released chunk for a first object. The phase, which keeps others
// out, is this context's.
static bool reopen(const struct tp_chunk *chunk, tp_site_t site)
{
  struct tp_chunk_state *state = chunk->state;
  bool granted = !chunk->reclaim || chunk->reclaim(chunk);
  if (granted) {
    if (!chunk->reclaim) check_untouched(chunk, site);
    make_slots(chunk, site);
  }
  uint32_t key = tp_port_lock();
  if (granted) set_live(state, 1);
  state->phase = granted ? TP_CHUNK_OPEN : TP_CHUNK_RELEASED;
  tp_port_unlock(key);
  return granted;
}

// A slot of [chunk] for [owner]; NULL iff it has none to lend.
static void *lend(const struct tp_chunk *chunk, const void *owner,
                  tp_site_t site)
{
  uint8_t phase = enter(chunk, site);
  if (phase == TP_CHUNK_BUSY) return NULL;
  if (phase == TP_CHUNK_RELEASED && !reopen(chunk, site)) return NULL;

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

// Did [owner] borrow [slot]? If it gave the slot back, or nobody notes who has
// it, that is known while nothing is lent: not even what a free is just at. The
// double free is the chunk's pool's to name.
static bool has_borrowed(const struct tp_chunk *chunk, const void *owner,
                         uintptr_t slot)
{
  const struct tp_chunk_state *state = chunk->state;
  const void *former = tp_chunk_former(owner);
  const void *by = chunk->owner ? chunk->owner[slot] : former;
  if (by != former) return by == owner;
  if (state->live > 0 || is_miscounted(state)) return true;
  return TP_MISUSE(chunk->pool->tag[slot] < TP_LIVE);
}

// Takes [object] back to the chunk's pool or, if it is no slot of it, to where
// that spills.
static bool free_in(const struct tp_chunk *chunk, const void *owner,
                    void *object, tp_site_t site)
{
  const struct tp_pool *pool = chunk->pool;
  uintptr_t slot = tp_slot_of(pool, object);
  if (!tp_claim_slot(pool, slot)) {
    return pool->takes_foreign && pool->policy->take_back(pool, object, site);
  }
  if (!has_borrowed(chunk, owner, slot)) return false;
  if (chunk->owner) chunk->owner[slot] = tp_chunk_former(owner);
  tp_pool_free_for(pool, object, site);
  return true;
}

// Takes back [object], if [owner] borrowed it from [chunk]. Returns false, and
// changes nothing, iff not.
static bool take_home(const struct tp_chunk *chunk, const void *owner,
                      void *object, tp_site_t site)
{
  if (!free_in(chunk, owner, object, site)) return false;
  leave(chunk, site);
  return true;
}

// The chunk that [link], of a list of [pool], leads to.
static const struct tp_chunk *follow(const struct tp_pool *pool,
                                     const struct tp_chunk_link *link,
                                     tp_site_t site)
{
  const struct tp_chunk *chunk = link->chunk;
  if (TP_MISUSE(chunk != link->copy)) {
    tp_raise_misuse(TP_FAULT_INVARIANT, pool->name, link,
                    (uint32_t)(uintptr_t)chunk, (uint32_t)(uintptr_t)link->copy,
                    site);
  }
  return chunk;
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
  return follow(pool, link_after(spill, chunk), site);
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

// Where the list of [pool] leads to [chunk], or would, if it were in it.
static struct tp_chunk_link *place_of(const struct tp_pool *pool,
                                      const struct tp_chunk *chunk,
                                      tp_site_t site)
{
  struct tp_chunk_link *place = &tp_spill_of(pool)->state->attached;
  const struct tp_chunk *at = follow(pool, place, site);
  while (at && at->pool->storage < chunk->pool->storage) {
    place = &at->state->next;
    at = follow(pool, place, site);
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
  bool fits = !state->attached && chunk->pool->stride == pool->stride;
  if (TP_MISUSE(!fits)) {
    tp_raise_misuse(TP_FAULT_CHUNK, pool->name, chunk->pool->storage,
                    chunk->pool->stride, pool->stride, site);
  }
  if (TP_MISUSE(is_broken(state))) raise_broken(chunk, site);
  struct tp_chunk_link *place = place_of(pool, chunk, site);
  if (state->phase == TP_CHUNK_RELEASED) make_slots(chunk, site);
  state->phase = TP_CHUNK_OPEN;
  state->attached = 1;
  state->next = *place;
  lead_to(place, chunk);
}

// The link of [chunk] stays: an interrupted walk may stand there.
static bool detach(const struct tp_pool *pool, const struct tp_chunk *chunk,
                   tp_site_t site)
{
  struct tp_chunk_link *place = place_of(pool, chunk, site);
  if (TP_MISUSE(place->chunk != chunk)) {
    tp_raise_misuse(TP_FAULT_CHUNK, pool->name, chunk->pool->storage, 0, 1,
                    site);
  }
  if (!release(chunk, 0, site)) return false;
  lead_to(place, follow(pool, &chunk->state->next, site));
  chunk->state->attached = 0;
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
  const struct tp_chunk *chunk = follow(pool, link, site);
  while (chunk) {
    const struct tp_chunk *next = follow(pool, &chunk->state->next, site);
    left += !detach(pool, chunk, site);
    chunk = next;
  }
  return left;
}

static void reset_chunk(const struct tp_chunk *chunk, tp_site_t site)
{
  struct tp_chunk_state *state = chunk->state;
  if (TP_MISUSE(is_broken(state))) raise_broken(chunk, site);
  if (state->phase != TP_CHUNK_OPEN) return;
  tp_pool_reset_for(chunk->pool, site);
  set_live(state, 0);
  state->emptied = tp_clock_now;
}

TP_NOINLINE void tp_spill_reset(const struct tp_pool *pool)
{
  tp_site_t site = tp_site(NULL);
  const struct tp_chunk_link *link = &tp_spill_of(pool)->state->attached;
  tp_pool_reset_for(pool, site);
  const struct tp_chunk *chunk = follow(pool, link, site);
  while (chunk) {
    reset_chunk(chunk, site);
    chunk = follow(pool, &chunk->state->next, site);
  }
  tp_spill_of(pool)->state->live = 0;
}
