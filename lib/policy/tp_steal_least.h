// SPDX-License-Identifier: MIT
// tp_steal_least.h - stealing what is noticed least: the object of the lowest
// score, such as the quietest voice. The rule is the one of the "Object Pool"
// chapter of Game Programming Patterns; the newcomer's own score is from audio
// middleware, which refuses a newcomer that would be the quietest of all.
//
//   voices = { size = 32, count = 16, full = "steal-least", score = "loudness",
//              refuse_below = true, evict = "voice_stopped" }
#ifndef TP_STEAL_LEAST_H
#define TP_STEAL_LEAST_H

#include "tidepool.h"

#ifdef __cplusplus
extern "C" {
#endif

// A pool with this policy is aged and has tags at every level.
struct tp_steal_least {
  struct tp_policy policy;  // .overflow = tp_least_overflow
  // How much [object] would be missed: a function of its bytes alone. Called
  // with nothing locked, so an interrupt may free or steal the object while it
  // is looked at; its score is then ignored. Of an object that was just issued
  // the bytes are still those that the last one left: where interrupts ask, it
  // is min_age that spares it until they are its own.
  uint32_t (*score)(const void *object);
  uint8_t refuses_below;  // 1: tp_least_alloc() refuses a newcomer whose score
                          // is below all others'.
};

// When every slot is live, takes the object with the lowest score; of equals
// the oldest. Pinned objects and those younger than min_age are spared.
//
// Returns  the object, in the victim's slot. NULL iff nobody may be taken, or
//          interrupts changed the pool in the middle of each of four scans.
// Faults   RED_ZONE (full): beside the victim. Those of tp_pool_alloc(), if an
//          interrupt freed a slot meanwhile: the request takes that one, and
//          nobody is evicted.
// Time     O(n) for n live objects: on a Cortex-M3 22 instructions each, 36 if
//          it is less than all older ones, and those of score(). Nothing is
//          locked over the scan: a short locked window at its begin, at its
//          end, and wherever an interrupt changed what it stood on. evict()
//          once a theft, unlocked.
// Context  That of the request, which is any that the pool's lock allows.
void *tp_least_overflow(const struct tp_pool *pool, uint32_t *tag,
                        tp_site_t site);

// tp_pool_alloc() for a newcomer whose [score] is known. Only a full pool of
// this policy compares it; to tp_pool_alloc() every newcomer matters most.
//
// Returns  as tp_pool_alloc(); NULL also iff the policy refuses_below and
//          [score] is lower than that of everybody who might be taken.
// Faults, Time, Context  those of tp_pool_alloc() and of the policy.
void *tp_least_alloc(const struct tp_pool *pool, uint32_t score);

// The same, and the object's handle in [handle]; TP_NO_HANDLE iff NULL is
// returned.
void *tp_least_alloc_handle(const struct tp_pool *pool, uint32_t score,
                            tp_handle_t *handle);
void *tp_least_alloc_handle64(const struct tp_pool *pool, uint32_t score,
                              tp_handle64_t *handle);

#ifdef __cplusplus
}
#endif

#endif
