// SPDX-License-Identifier: MIT
// plant.h - the bugs that --plant asks for and that only the game can have:
// something it fails to do, or seems to. watch_*.c ask plant_strikes() whether
// now is the time. Those that any firmware can have are tp_plant.c's.
#ifndef PLANT_H
#define PLANT_H

#include <stdbool.h>
#include <stdint.h>

#include "tidepool.h"

enum plant {
  PLANT_NOTHING,
  PLANT_LEAK,
  PLANT_STALE_HANDLE,
  PLANT_WRONG_VICTIM,
  PLANT_FORGOTTEN_INIT,
  PLANT_SKIPPED_EVICT,
  PLANT_FRAME_DRIFT,
  PLANT_N
};

// Asks the host what is due, and from which frame on.
void plant_start(void);

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

#endif
