// SPDX-License-Identifier: MIT
// who.h - code that no lock serves: that of the processor, or, on the host,
// where there is none, of a port that says so.
#ifndef WHO_H
#define WHO_H

#include <stdint.h>

// By what the fault record says of them.
enum who { UNPRIVILEGED = 1, NMI = 2, HARD_FAULT = 3 };

// Calls [call] as [who], and returns when that is over.
void call_as(enum who who, void (*call)(void));

#endif
