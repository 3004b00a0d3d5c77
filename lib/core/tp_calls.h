// SPDX-License-Identifier: MIT
// tp_calls.h - internal: the calls of a pool that only the library makes: with
// what it knows already, or in the name of who called it at [site].
#ifndef TP_CALLS_H
#define TP_CALLS_H

#include "tidepool.h"

#ifdef __cplusplus
extern "C" {
#endif

// An object, by its slot and what that slot's tag was when it was issued.
struct tp_generation {
  uint32_t slot;  // 0: it cannot be one of the pool's.
  uint32_t tag;   // What the slot's tag must be,
  uint32_t mask;  // in these bits.
};

// The calls that are open to every pool, tp_pool_alloc_for() and
// tp_pool_free_for(), as an object that only pools with a ring or tags for
// handles name: an image without such pools does not link them.
struct tp_general {
  void *(*alloc)(const struct tp_pool *pool, uint32_t *tag, tp_site_t site);
  void (*free)(const struct tp_pool *pool, void *object, tp_site_t site);
};

enum tp_pin_outcome {
  TP_PIN_DONE,
  TP_PIN_STALE,    // The object is gone.
  TP_PIN_ALREADY,  // It was pinned, or unpinned, before: nothing changed.
};

// Pins or unpins an object of an aged pool in one locked window.
//
// Faults   INVARIANT: the ring is broken.
enum tp_pin_outcome tp_pin_turn(const struct tp_pool *pool,
                                struct tp_generation generation, bool pin,
                                tp_site_t site);

// The handle that [tag], told by a call that issued [object], makes of it.
//
// Returns  the handle; TP_NO_HANDLE iff [object] is NULL.
// Time     O(1), nothing locked.
// Context  Any.
tp_handle_t tp_handle_by_tag(const struct tp_pool *pool, const void *object,
                             uint32_t tag);
tp_handle64_t tp_handle64_by_tag(const struct tp_pool *pool, const void *object,
                                 uint32_t tag);

// Takes back the object of [claim]; false iff it is gone: nothing changed. What
// tp_handle_free() does, in the name of who called.
bool tp_generation_free(const struct tp_pool *pool, struct tp_generation claim,
                        tp_site_t site);

// Pins or unpins the object of [claim] and returns it; NULL iff it is gone.
void *tp_generation_turn(const struct tp_pool *pool, struct tp_generation claim,
                         bool pin, tp_site_t site);

// Makes every slot that was ever issued a free one, whatever its bytes are now:
// writes patterns, red zones and the free list anew. No slot may be live.
// Generations and peak stay.
//
// Faults   INVARIANT (fast): the number of slots ever issued was written over.
// Time     O(slots ever issued), O(their bytes) from poison up.
// Context  One that no user of the pool interrupts.
void tp_pool_rebuild(const struct tp_pool *pool, tp_site_t site);

// tp_pool_stats() of a pool that is not hardened.
void tp_pool_sum(const struct tp_pool *pool, struct tp_stats *stats);

// tp_pool_reset() in the name of who called.
void tp_pool_reset_for(const struct tp_pool *pool, tp_site_t site);

// Verifies all of [pool] with interrupts masked. Calls of other contexts may be
// under way, whose slots are between two states.
//
// Faults   those of the damage found; else INVARIANT: [found] is an enum
//          tp_broken.
// Time     O(capacity) and O(its bytes), masked.
void tp_pool_audit(const struct tp_pool *pool, tp_site_t site);

// First thing of tp_pool_audit(), and of what locks a pool without one. A call
// that no lock serves goes well until it meets another.
//
// Faults   CONTEXT: unprivileged code, an NMI or a HardFault, as far as the
//          port tells, calls a pool with a lock; or, where tp_cores_port.h
//          tells which one runs, a core that the pool is not of: it is that
//          one's whose call was the first since boot, unless its lock is of
//          both.
//@ assigns \nothing;
void tp_pool_check_caller(const struct tp_pool *pool, tp_site_t site);

#ifdef __cplusplus
}
#endif

#endif
