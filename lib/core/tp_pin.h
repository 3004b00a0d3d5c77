// SPDX-License-Identifier: MIT
// tp_pin.h - internal: a generation of a slot, and pinning it if it goes on.
#ifndef TP_PIN_H
#define TP_PIN_H

#include "tidepool.h"

#ifdef __cplusplus
extern "C" {
#endif

// A life of an object.
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

// Pins or unpins a life of an aged pool in one locked window.
enum tp_pin_outcome tp_pin_turn(const struct tp_pool *pool,
                                const struct tp_generation *generation,
                                bool pin);

#ifdef __cplusplus
}
#endif

#endif
