// SPDX-License-Identifier: MIT
// tp_totals.h - the figures of all pools, by name, for as long as a device
// runs: counters of 64 bits, peaks that can start again, frames at full.
//
// A pool's own counters have 32 bits and wrap after days of a busy game. A
// census adds up what they grew by since it last looked.
//
//   TP_TOTALS_DEFINE(game, tp_pool_table, TP_POOL_N);
#ifndef TP_TOTALS_H
#define TP_TOTALS_H

#include "tidepool.h"

#ifdef __cplusplus
extern "C" {
#endif

// What one pool did since boot, as far as tp_totals_take() has looked. Read
// only: the census keeps it.
//
// Invariant: allocs == frees + steals + seen.live, at levels that count.
struct tp_totals_row {
  uint64_t allocs, frees, steals, spills, drops, rules;  // As tp_pool_stats.
  uint32_t peak;         // Most live objects at the end of a frame, since boot
                         // or tp_totals_restart().
  uint32_t full_frames;  // Frames that ended with every slot live. Wraps.
  uint32_t oldest;       // Age of the oldest object, in units of tp_clock_now;
                         // 0 if there is none or the pool is not timed.
  struct tp_pool_stats seen;  // The pool's own figures when last looked at.
};

// The pools, and a row for each: zero at boot.
struct tp_totals {
  const struct tp_pool *const *pools;
  struct tp_totals_row *rows;
  uint32_t count;
};

// Notes, at the end of a frame, who is at a peak and who is full.
//
// Time     O(pools) from fast up; at off, O(slots ever issued) of those pools
//          that have tags, and the others are taken for empty.
// Context  One, the same for all calls of a census.
void tp_totals_frame(const struct tp_totals *totals);

// Adds to the totals what all pools did since the last call. Right as long as
// fewer than 2^32 events of a kind lie between two calls.
//
// Time     O(slots ever issued), nothing locked.
// Context  One, as above.
void tp_totals_take(const struct tp_totals *totals);

// Lets all peaks start again at what is live.
void tp_totals_restart(const struct tp_totals *totals);

// Returns  the row of the pool called [name]; NULL iff there is none.
const struct tp_totals_row *tp_totals_find(const struct tp_totals *totals,
                                           const char *name);

// Defines census [name] of the [count] pools that [table] points to.
#define TP_TOTALS_DEFINE(name, table, count)             \
  static struct tp_totals_row name##_totals_rows[count]; \
  const struct tp_totals name##_totals = {table, name##_totals_rows, count}

#ifdef __cplusplus
}
#endif

#endif
