// SPDX-License-Identifier: MIT
// second.h - the second core of an SSE-200: mps2-an521 has two Cortex-M33.
#ifndef SECOND_H
#define SECOND_H

#include <stdint.h>

// Which core this is: 0 or 1.
uint32_t core_number(void);

// Has the second core run [entry], which must not return, on its own stack.
void core_start(void (*entry)(void));

// The other core goes on: what the emulator makes of YIELD.
void core_yield(void);

// A core found the lock of all cores taken; and how often that was.
void core_waited(void);
extern uint32_t core_waits[2];

#endif
