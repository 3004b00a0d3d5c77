// SPDX-License-Identifier: MIT
// plant.h - the bugs that --plant asks for, done the way an application would
// do them: what a soak is worth is which of them it finds.
//
// Most are damage, done between two frames (damage.h). The others are something
// the game fails to do, or seems to: watch_*.c ask plant_strikes() whether now
// is the time.
#ifndef PLANT_H
#define PLANT_H

#include <stdbool.h>
#include <stdint.h>

#include "tidepool.h"

enum plant {
  PLANT_NOTHING,
  PLANT_LEAK,
  PLANT_DOUBLE_FREE,
  PLANT_INTERIOR,
  PLANT_FOREIGN,
  PLANT_STALE_HANDLE,
  PLANT_WRITE_AFTER_FREE,
  PLANT_OVERRUN,
  PLANT_UNDERRUN,
  PLANT_FLIP_FREE,
  PLANT_FLIP_LINK,
  PLANT_FLIP_GENERATION,
  PLANT_FLIP_AGE,
  PLANT_LOST_UNLOCK,
  PLANT_WRONG_VICTIM,
  PLANT_FORGOTTEN_INIT,
  PLANT_SKIPPED_EVICT,
  PLANT_FRAME_DRIFT,
  PLANT_UNBALANCED_PIN,
  PLANT_N
};

// What --plant calls it.
const char *plant_name(enum plant what);

// From frame [from] on, [what] is due.
void plant_start(enum plant what, uint32_t from);

extern enum plant plant_wanted;  // In this run, sooner or later.

// plant_strikes() of what is wanted.
bool plant_wanted_strikes(const struct tp_pool *pool, const void *object);

// Is it [what]'s turn, at [object] of [pool]? Most strike once a run. The host
// is told of the first time.
static inline bool plant_strikes(enum plant what, const struct tp_pool *pool,
                                 const void *object)
{
  return what == plant_wanted && plant_wanted_strikes(pool, object);
}

// What strikes in this run once its frame has come; PLANT_NOTHING before.
enum plant plant_due(void);

#endif
