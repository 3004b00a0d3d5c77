// SPDX-License-Identifier: MIT
// tp_sound.h - internal: what must hold of a pool's own words before somebody
// goes from slot to slot by them. A count that was written over leads behind
// the slots, and one that fits no tag is waited for without end.
//
// The calls for one object have no need of it: they ask of each slot that they
// are led to whether it is one that was issued. What is here is for walks: of
// objects, of what slots retain, of a pool that is reset or that scenes leave.
// What only reads and tells, as tp_pool_stats(), does not ask either: by a peak
// that was written over it reads behind the tags, and stores nothing.
#ifndef TP_SOUND_H
#define TP_SOUND_H

#include "check/tp_check.h"
#include "tidepool.h"

// [count] is how many slots of [pool] were issued, says one of its words.
//
// Returns  it.
// Faults   INVARIANT (fast), with [count] as found and [most] as expected: it
//          is more than those. At off it is taken as it is, and leads where
//          it leads.
// Time     O(1).
// Context  Any.
TP_INLINE uint32_t tp_sound_count(const struct tp_pool *pool, uint32_t count,
                                  uint32_t most, tp_site_t site)
{
  if (TP_MISUSE(count > most)) {
    tp_raise_slot(TP_FAULT_INVARIANT, pool, 0, 0, count, most, site);
  }
  return count;
}

// Returns  how many slots were ever issued, since they were counted from none.
// Faults   INVARIANT (fast): more than there are.
// Time     O(1).
// Context  Any; what an interrupt issues behind that is not counted.
TP_INLINE uint32_t tp_sound_fresh(const struct tp_pool *pool, tp_site_t site)
{
  return tp_sound_count(pool, pool->state->fresh, pool->capacity, site);
}

// For who waits until [pool] is empty: that it is not tells nothing yet, since
// an interrupt may be issued something in any moment. Asks tp_pool_verify(),
// which knows of interrupts, and which is linked for that; so it is called
// where somebody was found to live whom no tag tells of, and not before.
//
// Faults   INVARIANT, with the slot, what is broken as found and TP_SOUND as
//          expected: [pool] is not whole.
// Time     O(slots ever issued).
// Context  That of tp_pool_verify().
TP_INLINE void tp_sound_whole(const struct tp_pool *pool, tp_site_t site)
{
  struct tp_finding finding;
  if (tp_pool_verify(pool, &finding)) return;
  tp_raise_slot(TP_FAULT_INVARIANT, pool, finding.slot, 0, finding.broken,
                TP_SOUND, site);
}

#endif
