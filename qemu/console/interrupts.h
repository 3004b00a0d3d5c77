// SPDX-License-Identifier: MIT
// interrupts.h - the interrupts in the middle of a frame: pended between two
// steps drawn from the seed, or fired by a timer wherever it lands.
#ifndef INTERRUPTS_H
#define INTERRUPTS_H

#include <stdbool.h>
#include <stdint.h>

enum { STEPS = 7 };  // Of a frame.

void interrupts_start(uint64_t seed, bool timer);

// Draws when this frame's interrupts come.
void interrupts_frame(void);

// Pends those that come before step [which].
void interrupts_step(uint32_t which);

// Sleeps until all of this frame have come: a timer may still owe some.
void interrupts_await(void);

// How many have come since the start.
uint32_t interrupts_count(void);

#endif
