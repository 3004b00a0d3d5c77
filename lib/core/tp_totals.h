// SPDX-License-Identifier: MIT
// tp_totals.h - the statistics of all allocators, by name, for as long as a
// device runs: counters of 64 bits, peaks that can start again, frames at full.
//
// An allocator's own counters have 32 bits and wrap after days of a busy game.
// The totals add up what they grew by since the last look.
//
//   static struct tp_totals_row rows[TP_ALLOCATOR_N];
//   const struct tp_totals totals = {&tp_registry, rows};
//   ...
//   tp_totals_note(&totals);                            // at each frame's end
//   if (frame % 3600 == 0) tp_totals_update(&totals);
#ifndef TP_TOTALS_H
#define TP_TOTALS_H

#include "core/tp_registry.h"

#ifdef __cplusplus
extern "C" {
#endif

// How many of anything were live at the ends of frames. Zero at boot.
struct tp_use {
  uint32_t low;          // Fewest, and most,
  uint32_t high;         // since boot or tp_use_restart().
  uint32_t full_frames;  // Frames that ended with all of them live. Wraps.
};

// Notes that a frame ends with [live] of [capacity]. What has no room at all,
// such as a pool that is not in this scene, is not full.
static inline void tp_use_note(struct tp_use *use, uint32_t live,
                               uint32_t capacity)
{
  if (live < use->low) use->low = live;
  if (live > use->high) use->high = live;
  use->full_frames += capacity != 0 && live == capacity;
}

// Lets lowest and highest start again at [live].
static inline void tp_use_restart(struct tp_use *use, uint32_t live)
{
  use->low = live;
  use->high = live;
}

// What one allocator did since boot, as far as tp_totals_update() has looked.
// Read only.
//
// Invariant: allocs == frees + steals + seen.live, at levels that count.
struct tp_totals_row {
  uint64_t allocs, frees, steals, spills, refused;  // As in struct tp_stats.
  struct tp_use use;     // As far as tp_totals_note() has looked.
  uint32_t oldest;       // Of a pool, tp_pool_oldest_age(); else 0.
  struct tp_stats seen;  // The statistics at the last update.
};

// The allocators, and a row for each: zero at boot.
struct tp_totals {
  const struct tp_registry *registry;
  struct tp_totals_row *rows;
};

// Notes, at the end of a frame, how much of each allocator is live.
//
// Time     O(allocators) from fast up; at off, O(slots ever issued) of those
//          pools that have tags, and the others are taken for empty.
// Context  One, the same for all calls with [totals].
void tp_totals_note(const struct tp_totals *totals);

// Adds to the totals what all did since the last call; refused are requests,
// too, that are under way in contexts which it interrupts, until the next call.
// Right as long as fewer than 2^31 events of a kind lie between two calls, and
// neither the generation of a slot starts again, after 2^31 lives, nor what a
// dense pool counts, after 2^32: that adds as many allocs and frees too many as
// there are generations.
//
// Time     O(slots ever issued), nothing locked.
// Context  One, as above. Nobody uses a dense pool meanwhile, as by
//          tp_dense_stats().
void tp_totals_update(const struct tp_totals *totals);

// Lets the lowest and highest of each start again at what is live.
//
// Time, Context  those of tp_totals_note().
void tp_totals_restart(const struct tp_totals *totals);

// Returns  the row of the allocator called [name]; NULL iff there is none.
// Time     O(allocators).
// Context  Any.
const struct tp_totals_row *tp_totals_find(const struct tp_totals *totals,
                                           const char *name);

#ifdef __cplusplus
}
#endif

#endif
