// SPDX-License-Identifier: MIT
// enemies.h - waves, as large as the scenario says: their pool must hold them.
#ifndef ENEMIES_H
#define ENEMIES_H

#include <stdbool.h>
#include <stdint.h>

struct enemy;

// Sends the wave that is due, moves everybody, and lets the dead explode.
void enemies_update(void);

// Whether what is at a place hits one, which loses health then.
bool enemies_hit(int32_t x, int32_t y);

// How many there are, and each of them.
uint32_t enemies_alive(void);
struct enemy *enemies_one(uint32_t index);

uint32_t enemies_killed(void);

#endif
