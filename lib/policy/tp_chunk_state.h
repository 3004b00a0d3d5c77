// SPDX-License-Identifier: MIT
// tp_chunk_state.h - internal: what stands in the state of a chunk, and whether
// it was written over; for tp_spill.c, which lends, and tp_chunk.c, which gives
// memory up.
#ifndef TP_CHUNK_STATE_H
#define TP_CHUNK_STATE_H

#include "check/tp_check.h"
#include "policy/tp_spill.h"

// What stands as the owner of a slot that [owner] is giving back by a handle.
// No one flipped bit makes it [owner], or tp_chunk_former().
TP_INLINE const void *tp_chunk_leaving(const void *owner)
{
  return (const char *)owner + 12;
}

// Both halves of [live], by exclusive or.
TP_INLINE uint16_t tp_chunk_fold(uint32_t live)
{
  return (uint16_t)(live ^ live >> 16);
}

// From now on it has lent [live] objects.
TP_INLINE void tp_chunk_count(struct tp_chunk_state *state, uint32_t live)
{
  state->live = live;
  if (TP_AUDITED) state->folded = tp_chunk_fold(live);
}

TP_INLINE bool tp_chunk_miscounted(const struct tp_chunk_state *state)
{
  return TP_AUDITED ? state->folded != tp_chunk_fold(state->live) : false;
}

// Does it lend anything, as far as what is counted was not written over?
TP_INLINE bool tp_chunk_lending(const struct tp_chunk_state *state)
{
  return state->live > 0 || tp_chunk_miscounted(state);
}

// Was the phase written over, or what is counted?
static inline bool tp_chunk_broken(const struct tp_chunk_state *state)
{
  if (tp_chunk_miscounted(state)) return true;
  return state->phase != TP_CHUNK_OPEN && state->phase != TP_CHUNK_BUSY &&
         state->phase != TP_CHUNK_RELEASED;
}

TP_NORETURN void tp_chunk_raise(const struct tp_chunk *at, tp_site_t site);

// The chunk that [link], of a list of [pool], leads to.
static inline const struct tp_chunk *tp_chunk_follow(
    const struct tp_pool *pool, const struct tp_chunk_link *link,
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

// Opens [chunk], which was released, for a first object; false iff that is not
// granted. The phase, which keeps others out, is this context's.
bool tp_chunk_reopen(const struct tp_chunk *chunk, tp_site_t site);

#endif
