// SPDX-License-Identifier: MIT
// enemies.h - waves that always fit their pool.
#ifndef ENEMIES_H
#define ENEMIES_H

#include <stdint.h>

#include "hash.h"
#include "ledger.h"

void enemies_start(uint64_t seed);

// Sends the wave that is due, moves everybody, and lets the dead explode.
void enemies_update(uint32_t frame, struct hash *hash);

struct ledger enemies_ledger(void);

// How many enemies there is an address of.
uint32_t enemies_held(void);

#endif
