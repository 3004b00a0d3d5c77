// SPDX-License-Identifier: MIT
// steps.h - what each of two cores does to the pools of pools.toml: random
// steps, and looks whether what it has is still its own.
#ifndef STEPS_H
#define STEPS_H

#include <stdbool.h>
#include <stdint.h>

enum { CORES = 2, HELD = 4, BOARD = 4, BELTS = 2 };

struct player {
  uint32_t core, seed, serial;
  uint32_t *packet[BELTS][HELD];    // NULL: none.
  uint32_t packet_is[BELTS][HELD];  // What is written in it.
  uint64_t sound[HELD];             // Handles.
  uint32_t sound_is[HELD];
  uint32_t *room[HELD];
};

void steps_start(struct player *me, uint32_t core);
void steps_run(struct player *me, uint32_t count);

// Gives back all that the player has.
void steps_end(struct player *me);

// An interrupt's: allocates, writes, looks and frees.
void steps_interrupt(struct player *me);

// Once both have ended: gives back what is on its way, and looks at all pools.
void steps_judge(void);

// How often: one core freed what the other allocated; a handle was given back
// that the other core had, too; theft was met; the pool was low.
extern uint32_t steps_passed, steps_raced, steps_stolen, steps_low;

// Of who runs the steps: it is not as it should be. Does not return.
void steps_fail(const char *what);

#endif
