// SPDX-License-Identifier: MIT
// run.h - what this run is, as told on the emulator's command line.
#ifndef RUN_H
#define RUN_H

#include <stdbool.h>
#include <stdint.h>

#include "interrupts.h"
#include "plant.h"
#include "site.h"

struct run {
  uint64_t seed;
  uint32_t frames;  // How many to run.
  enum interrupts interrupts;
  bool clock;              // Calls are timed: by the device that a timer needs.
  uint32_t report_every;   // Frames from one sample to the next.
  uint32_t picture_every;  // And to the next picture; 0: none.
  struct refusals refusals;  // Requests that are to be refused.
  uint32_t plant_frame;      // When to break something.
  enum plant plant;          // And what.
};

// Reads "soak seed=7 frames=216000 ..." into [run].
//
// Returns  1; 0 iff a word is unknown or a number is none.
int run_parse(struct run *run, const char *arguments);

#endif
