// SPDX-License-Identifier: MIT
// tp_census.h - the figures of all pools, by name, for as long as a device
// runs: counters of 64 bits, peaks that can start again, frames at full.
//
// A pool's own counters have 32 bits and wrap after days of a busy game. A
// census adds up what they grew by since it last looked.
//
//   TP_CENSUS_DEFINE(game, tp_pool_table, TP_POOL_N);
#ifndef TP_CENSUS_H
#define TP_CENSUS_H

#include "core/tp_stats.h"

#ifdef __cplusplus
extern "C" {
#endif

// What one pool did since boot, as far as tp_census_take() has looked. Read
// only: the census keeps it.
//
// Invariant: allocs == frees + steals + seen.live, at levels that count.
struct tp_census_row {
  uint64_t allocs, frees, steals, spills, drops, rules;  // As tp_pool_stats.
  uint32_t peak;         // Most live objects at the end of a frame, since boot
                         // or tp_census_restart().
  uint32_t full_frames;  // Frames that ended with every slot live. Wraps.
  uint32_t oldest;       // Age of the oldest object, in units of tp_clock_now;
                         // 0 if there is none or the pool is not timed.
  struct tp_pool_stats seen;  // The pool's own figures when last looked at.
};

// The pools, and a row for each: zero at boot.
struct tp_census {
  const struct tp_pool *const *pools;
  struct tp_census_row *rows;
  uint32_t count;
};

// Notes, at the end of a frame, who is at a peak and who is full.
//
// Time     O(pools) from fast up; at off, O(slots ever issued) of those pools
//          that have tags, and the others are taken for empty.
// Context  One, the same for all calls of a census.
void tp_census_frame(const struct tp_census *census);

// Adds to the totals what all pools did since the last call. Right as long as
// fewer than 2^32 events of a kind lie between two calls.
//
// Time     O(slots ever issued), nothing locked.
// Context  One, as above.
void tp_census_take(const struct tp_census *census);

// Lets all peaks start again at what is live.
void tp_census_restart(const struct tp_census *census);

// Returns  the row of the pool called [name]; NULL iff there is none.
const struct tp_census_row *tp_census_find(const struct tp_census *census,
                                           const char *name);

// Defines census [name] of the [count] pools that [table] points to.
#define TP_CENSUS_DEFINE(name, table, count)             \
  static struct tp_census_row name##_census_rows[count]; \
  const struct tp_census name##_census = {table, name##_census_rows, count}

#ifdef __cplusplus
}
#endif

#endif
