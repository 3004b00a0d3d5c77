// SPDX-License-Identifier: MIT
// run.h - what the rig is told beside what any firmware is.
#ifndef RUN_H
#define RUN_H

#include <stdbool.h>

#include "interrupts.h"

struct run {
  enum interrupts interrupts;
  bool clock;  // Calls are timed: by the device that a timer needs.
};

// Asks the host: interrupts=timer, clock=none.
struct run run_read(void);

#endif
