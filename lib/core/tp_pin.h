// SPDX-License-Identifier: MIT
// tp_pin.h - objects that must not be stolen for a while: pinned ones. For aged
// pools; elsewhere there is no thief and these do nothing.
//
// The owner of a raw pointer pins while it must not lose the object; where
// interrupts steal, an object is pinned by handle, tp_handle_pin(), for it may
// be gone before any call begins.
#ifndef TP_PIN_H
#define TP_PIN_H

#include "core/tp_pool.h"

#ifdef __cplusplus
extern "C" {
#endif

// Keeps [object] from being stolen until tp_pool_unpin() or its end: a pinned
// object may be freed.
//
// Faults   PIN: it is pinned already. FOREIGN, INTERIOR, DOUBLE_FREE: it is no
//          live object of [pool] (fast).
// Time     O(1), one locked window.
// Context  Any the pool's lock allows.
void tp_pool_pin(const struct tp_pool *pool, void *object);

// Lets pinned [object] be stolen again: last of all, for it counts as the
// newest now, and its age starts again.
//
// Faults, Time, Context  as above; PIN: it is not pinned.
void tp_pool_unpin(const struct tp_pool *pool, void *object);

// Internal: a life of an object.
struct tp_generation {
  uint32_t slot;  // 0: it cannot be one of the pool's.
  uint32_t tag;   // What the slot's tag must be,
  uint32_t mask;  // in these bits.
};

enum tp_pin_outcome {
  TP_PIN_DONE,
  TP_PIN_STALE,    // That life is over.
  TP_PIN_ALREADY,  // It was pinned, or unpinned, before: nothing changed.
};

// Internal: pins or unpins a life of an aged pool in one locked window.
enum tp_pin_outcome tp_pin_turn(const struct tp_pool *pool,
                                const struct tp_generation *generation,
                                bool pin);

// Declares NAME_pin() and NAME_unpin(), for a pool declared before.
#define TP_POOL_DECLARE_PINS(name, type)  \
  TP_CALL void name##_pin(type *object)   \
  {                                       \
    tp_pool_pin(&name##_pool, object);    \
  }                                       \
  TP_CALL void name##_unpin(type *object) \
  {                                       \
    tp_pool_unpin(&name##_pool, object);  \
  }                                       \
  TP_STATIC_ASSERT(1, "")

#ifdef __cplusplus
}
#endif

#endif
