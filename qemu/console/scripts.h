// SPDX-License-Identifier: MIT
// scripts.h - coroutines with frames of any size, in size classes.
#ifndef SCRIPTS_H
#define SCRIPTS_H

#include <stdint.h>

#include "hash.h"

void scripts_start(uint64_t seed);

// Begins some, ends those whose time is up.
void scripts_update(struct hash *hash);

uint32_t scripts_running(void);

// What differs from the classes' books, in words; NULL iff nothing.
const char *scripts_audit(void);

#endif
