// SPDX-License-Identifier: MIT
// state.h - a running hash of where the game stands: of what it shows, of its
// chance, and of how many there are of everything.
#ifndef STATE_H
#define STATE_H

#include <stdint.h>

// A frame has ended: takes it in.
void state_frame(void);

uint64_t state_hash(void);

#endif
