// SPDX-License-Identifier: MIT
// enemies.h - waves that always fit their pool.
#ifndef ENEMIES_H
#define ENEMIES_H

#include <stdint.h>

struct enemy;

// Sends the wave that is due, moves everybody, and lets the dead explode.
void enemies_update(void);

// How many there are, and each of them.
uint32_t enemies_alive(void);
struct enemy *enemies_one(uint32_t index);

uint32_t enemies_killed(void);

#endif
