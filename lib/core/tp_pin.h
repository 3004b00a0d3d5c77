// SPDX-License-Identifier: MIT
// tp_pin.h - internal: pinning an object that is known by its generation.
#ifndef TP_PIN_H
#define TP_PIN_H

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

enum tp_pin_outcome {
  TP_PIN_DONE,
  TP_PIN_STALE,    // The object is gone.
  TP_PIN_ALREADY,  // It was pinned, or unpinned, before: nothing changed.
};

// Pins or unpins an object of an aged pool in one locked window.
enum tp_pin_outcome tp_pin_turn(const struct tp_pool *pool,
                                const struct tp_generation *generation,
                                bool pin);

#ifdef __cplusplus
}
#endif

#endif
