// SPDX-License-Identifier: MIT
// tp_watermark.h - being told when a pool runs low, and when it has recovered.
//
// These calls stand around those of the pool and count for themselves, so other
// pools pay nothing. Every object of a watched pool goes through them.
//
//   packets = { size = 64, count = 32, full = "drop", low_water = 4,
//               on_low = "close_window", refill = 16,
//               on_refill = "open_window" }
//
// For pools that drop or assert, and that have no handles: theft, spilling and
// the calls with handles are not counted here.
#ifndef TP_WATERMARK_H
#define TP_WATERMARK_H

#include "tidepool.h"

#ifdef __cplusplus
extern "C" {
#endif

// Zero at boot: nothing live, not low.
struct tp_watermark_state {
  uint16_t live;  // Objects issued and not given back. What an interrupt reads
                  // may be one less, for the call that it interrupted.
  uint8_t low;    // 1 from falling to [low] until back at [refill].
};

// Told that [pool] has just [free] free slots, in the context of the call that
// made it so, with nothing locked; may use any pool, this one too. But on_low()
// does not reset it: the call has yet to return the object that it was issued.
typedef void tp_watermark_told(const struct tp_pool *pool, uint32_t free);

struct tp_watermark {
  const struct tp_pool *pool;
  struct tp_watermark_state *state;
  tp_watermark_told *on_low;     // NULL: nobody.
  tp_watermark_told *on_refill;  // NULL: nobody.
  uint16_t low;                  // < refill <= capacity.
  uint16_t refill;
};

// tp_pool_alloc(). Calls on_low() when the slot it took is the one that leaves
// [low] free: once, until the pool has been back at [refill].
//
// Returns, Faults  as tp_pool_alloc().
// Time     O(1), one locked window more, and what on_low() takes.
// Context  Any the pool's lock allows. Each fall and each recovery is told
//          once. But between a fall and its on_low() an interrupt may free
//          objects and call on_refill() first: so do not store what was told
//          last, ask tp_watermark_is_low().
void *tp_watermark_alloc(const struct tp_watermark *watermark);

// tp_pool_free(). If the pool was low and has [refill] free slots again, calls
// on_refill() then, when [object] is free already.
//
// Faults   as tp_pool_free().
// Time, Context  as above.
void tp_watermark_free(const struct tp_watermark *watermark, void *object);

// tp_pool_reset() of the pool, in place of that: what is counted begins anew.
// If the pool was low, on_refill() is told, with all its slots free.
//
// Faults   as tp_pool_reset().
// Time     that of tp_pool_reset(), and what on_refill() takes.
// Context  One that no user of the pool interrupts.
void tp_watermark_reset(const struct tp_watermark *watermark);

// Did the pool fall to [low], and has it not been back at [refill] since?
static inline bool tp_watermark_is_low(const struct tp_watermark *watermark)
{
  return *(const volatile uint8_t *)&watermark->state->low != 0;
}

#ifdef __cplusplus
}
#endif

#endif
