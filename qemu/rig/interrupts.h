// SPDX-License-Identifier: MIT
// interrupts.h - the interrupts in the middle of a frame: pended between two
// steps drawn from the seed, or fired by a timer wherever it lands.
#ifndef INTERRUPTS_H
#define INTERRUPTS_H

#include <stdint.h>

enum interrupts {
  INTERRUPTS_SCHEDULED,
  INTERRUPTS_BY_TIMER,
  INTERRUPTS_FIRST  // All before the frame's first step.
};

extern uint32_t interrupts_per_frame;
extern volatile uint32_t interrupts_running;  // 1 during one, else 0.

void interrupts_start(uint64_t seed, enum interrupts when);

// Draws when this frame's interrupts come.
void interrupts_frame(void);

// Pends those that come before step [which].
void interrupts_step(uint32_t which);

// Sleeps until all of this frame have come: a timer may still owe some.
void interrupts_await(void);

// How many have come since the start.
uint32_t interrupts_count(void);

#endif
