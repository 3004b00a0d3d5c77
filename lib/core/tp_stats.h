// SPDX-License-Identifier: MIT
// tp_stats.h - what a pool has done so far, read off its tags.
#ifndef TP_STATS_H
#define TP_STATS_H

#include "core/tp_pool.h"

#ifdef __cplusplus
extern "C" {
#endif

// Invariant, at every moment and in every context:
//   allocs == frees + steals + live      (modulo 2^32)
// Counters wrap; differences between two readings are right as long as fewer
// than 2^31 events lie between them.
struct tp_pool_stats {
  uint32_t live;    // Objects now.
  uint32_t peak;    // Most objects at a time, since boot.
  uint32_t allocs;  // Objects issued.
  uint32_t frees;   // Objects given back.
  uint32_t steals;  // Objects whose slot another took.
  uint32_t spills;  // Requests that another pool served.
  uint32_t drops;   // Requests refused.
  uint32_t rules;   // Of those: by a pin, a min_age, a score or a reserve.
};

// Writes [pool]'s figures to [stats]. At off little is counted: drops are 0 in
// a dropping pool, and where there are no tags, so are allocs, frees and live.
//
// Time     O(slots ever issued), nothing locked: each slot's tag is read once,
//          so the invariant holds though interrupts go on.
// Context  Any.
void tp_pool_stats(const struct tp_pool *pool, struct tp_pool_stats *stats);

// Returns  how many objects are live. Without tags (off) nobody knows: 0.
// Time     O(1) from fast up; at off O(slots ever issued). Nothing locked.
// Context  Any.
uint32_t tp_pool_live(const struct tp_pool *pool);

// Returns  since when the oldest object that can be stolen lives, in units of
//          tp_clock_now; 0 if there is none, or the pool is not timed.
// Time     O(1), one locked window.
// Context  Any the pool's lock allows.
uint32_t tp_pool_oldest_age(const struct tp_pool *pool);

#ifdef __cplusplus
}
#endif

#endif
