// SPDX-License-Identifier: MIT
// particles.h - sparks: from emitters all the time, and in bursts.
#ifndef PARTICLES_H
#define PARTICLES_H

#include <stdint.h>

// A burst of [count] sparks at a place. Those that find the pool full are not
// created, and nobody notices.
void particles_burst(int32_t x, int32_t y, uint32_t count);

// Emits, moves every spark, draws some, frees the ones that burnt out.
void particles_update(void);

// How many sparks there are.
uint32_t particles_burning(void);

#endif
