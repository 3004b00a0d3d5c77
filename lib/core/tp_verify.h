// SPDX-License-Identifier: MIT
// tp_verify.h - the invariants of a pool, as code anyone can call.
#ifndef TP_VERIFY_H
#define TP_VERIFY_H

#include "core/tp_pool.h"

#ifdef __cplusplus
extern "C" {
#endif

// The invariants, in the order they are looked at.
enum tp_broken {
  TP_SOUND = 0,
  TP_BROKEN_FRESH,  // fresh <= capacity.
  TP_BROKEN_LIST,   // The list leads to slots 1..fresh, none of them live, each
                    // with the live count of its turn in its link.
  TP_BROKEN_LINK,    // Each link on it is as it was left (fast).
  TP_BROKEN_LIVE,   // As many tags are live as the list word says.
  TP_BROKEN_LENGTH,  // Length of the list + live == fresh.
  TP_BROKEN_AGE,     // The ring holds the live slots, each once, but pinned ones.
  TP_BROKEN_POISON,  // Dead slots hold TP_POISON (poison and up).
  TP_BROKEN_ZONE,    // Red zones are whole (full).
};

struct tp_finding {
  uint32_t broken;  // enum tp_broken.
  uint32_t slot;    // Where; 0 when it concerns no one slot.
};

// Looks at everything [pool] believes and reports the first thing that is not
// so. At off, without tags, it checks only the list's length and membership.
//
// Returns  true iff every invariant holds. Otherwise [finding], unless NULL,
//          says which does not.
// Time     O(capacity), plus O(its bytes) from poison up. Nothing is locked.
// Context  One that no user of the pool interrupts, with no call of the pool
//          under way: an evict() callback sees a slot that is on no list.
bool tp_pool_verify(const struct tp_pool *pool, struct tp_finding *finding);

// Internal: what TP_AUDIT does before and after each call. Here calls of other
// contexts may be under way, whose slots are between two states.
//
// Faults   those of the damage found; else INVARIANT, [found] an enum tp_broken.
// Time     O(capacity) and O(its bytes), with interrupts masked.
void tp_verify_around(const struct tp_pool *pool);

// Looks at the next [budget] slots of [pool], round and round, and faults on a
// dead one whose poison or red zones were written to: what tp_pool_alloc()
// would find only when the slot's turn comes, which for the bottom of a last
// in, first out list may be never. Below poison there is nothing to look at.
//
// Faults   POISON (poison), RED_ZONE (full).
// Time     O(budget * stride), nothing locked: call it once a frame.
// Context  The one that every other user of the pool may interrupt.
void tp_pool_scrub(const struct tp_pool *pool, uint32_t budget);

#ifdef __cplusplus
}
#endif

#endif
