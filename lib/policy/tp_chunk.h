// SPDX-License-Identifier: MIT
// tp_chunk.h - a second region of slots: lent by the slot, given back whole.
//
// A chunk is a pool that other pools borrow slots from when they are full:
// tp_spill.h has always the same one, tp_chunks.h attaches and detaches them.
// While nothing is lent its region can be given back; the next need takes it
// again. What happens to the region in between:
//
//   without .borrow   it is nobody's. From poison up it holds TP_POISON
//                     throughout, and a write into it is a fault when it is
//                     taken again.
//   with .borrow      it is the application's, to use for what it likes, from
//                     the moment tp_chunk_give_back() returns true until
//                     borrow() does.
//
//   TP_POOL_DEFINE(rubble, 24, 32, 8, TP_NO_BANK, TP_TAGS_IF_CHECKED,
//                  .policy = &tp_drop, .refuses = 1);
//   TP_CHUNK_DEFINE(rubble, .patience = 60);
#ifndef TP_CHUNK_H
#define TP_CHUNK_H

#include "tidepool.h"

#ifdef __cplusplus
extern "C" {
#endif

enum tp_chunk_phase {
  TP_CHUNK_OPEN = 0,   // Lends. Zero, so at boot the region is the chunk's.
  TP_CHUNK_BUSY = 1,   // A context is giving it back or taking it again.
  TP_CHUNK_GIVEN = 2,  // Given back.
};

// Zero at boot.
//
// Invariant: live > 0 only while open.
struct tp_chunk_state {
  const struct tp_chunk *next;  // In the list of the pool it is attached to.
  uint32_t live;     // Objects lent, or passed on to where its pool spills.
  uint32_t emptied;  // tp_clock_now when the last of them was freed.
  uint32_t returns;  // How often the region was given back. Wraps.
  uint32_t takes;    // How often it was taken again: near to returns, and
                     // many, patience is too short. Wraps.
  uint8_t phase;     // enum tp_chunk_phase.
  uint8_t attached;  // 1: by tp_chunks_attach().
};

struct tp_chunk {
  const struct tp_pool *pool;  // The slots. Not used directly while given
                               // back, nor verified or scrubbed.
  struct tp_chunk_state *state;
  const void **owner;  // Who borrowed each slot, capacity + 1 entries: so that
                       // a pool cannot free what another borrowed. May be NULL
                       // where only one pool borrows.
  // Asked before a region that was given back is taken again, unlocked, in the
  // context of the request; false answers that request as if the chunk were
  // full. NULL: yes, and nobody may have written to it.
  bool (*borrow)(const struct tp_chunk *chunk);
  uint32_t patience;  // Units of tp_clock_now that a region stays empty before
                      // it is given back; against thrashing at the boundary.
};

// Gives the region of [chunk] back: all of it or nothing. Call it once a frame,
// or when the memory is wanted.
//
// Returns  true iff the region is given back now or was before. False while any
//          object is lent or the chunk's pool has one of its own (at off only
//          the former is known), until it was empty for [patience], and while
//          a context that this one interrupts is taking it again.
// Time     O(1) below poison, then O(region). One locked window. Requests that
//          interrupt it find the chunk full.
// Context  Any. With objects lent it fails whoever interrupts whom.
bool tp_chunk_give_back(const struct tp_chunk *chunk);

// For policies, with the [site] they were given: a slot of [chunk], borrowed
// in the name of [owner]. If the
// region was given back it is taken again, which the caller's [owner] pays.
//
// Returns  the object; NULL iff the chunk's own pool refuses, or the region is
//          given back and borrow() said no, or a context that this one
//          interrupts is just giving it back or taking it.
// Faults   those of tp_pool_alloc(); POISON (poison) at the address of a word
//          that was written to while the region was nobody's.
// Time     O(1), and O(region) when it is taken again.
// Context  Any that the lock of the chunk's pool allows.
void *tp_chunk_lend(const struct tp_chunk *chunk, const void *owner,
                    tp_site_t site);

// For policies, as above: takes back [object], if [owner] borrowed it from
// [chunk].
//
// Returns  true; false iff it is no slot of the chunk, nor one its pool's
//          policy knows, or was borrowed by another: nothing changed.
// Faults   those of tp_pool_free().
// Time     O(1). Context as above.
bool tp_chunk_return(const struct tp_chunk *chunk, const void *owner,
                     void *object, tp_site_t site);

// Could tp_chunk_lend() serve a request at this moment?
bool tp_chunk_has_room(const struct tp_chunk *chunk);

// Who borrowed which slot of [name], for a chunk that several pools share.
// Before its TP_CHUNK_DEFINE, which then has .owner = name##_owner.
#define TP_CHUNK_OWNERS(name) \
  static const void *name##_owner[name##_capacity + 1]

// Makes pool [name], defined before in the same file, a chunk. The rest are
// initialisers of struct tp_chunk, at least .patience.
#define TP_CHUNK_DEFINE(name, ...)                 \
  static struct tp_chunk_state name##_chunk_state; \
  const struct tp_chunk name##_chunk = {           \
      .pool = &name##_pool, .state = &name##_chunk_state, __VA_ARGS__}

#ifdef __cplusplus
}
#endif

#endif
