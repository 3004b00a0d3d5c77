// SPDX-License-Identifier: MIT
// scripts.h - coroutines with frames of any size, in size classes.
#ifndef SCRIPTS_H
#define SCRIPTS_H

#include <stdint.h>

// Begins some, ends those whose time is up.
void scripts_update(void);

uint32_t scripts_running(void);

#endif
