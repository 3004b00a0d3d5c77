// SPDX-License-Identifier: MIT
// particles.h - sparks from emitters, in bursts.
#ifndef PARTICLES_H
#define PARTICLES_H

#include <stdint.h>

#include "hash.h"
#include "ledger.h"

void particles_start(uint64_t seed);

// A burst of [count] sparks at a place. Those that find the pool full are not
// created, and nobody notices.
void particles_burst(int32_t x, int32_t y, uint32_t count);

// What the emitters spew this frame: from a drizzle that lets the pool run
// empty to a storm that keeps it full.
void particles_emit(uint32_t frame);

// Moves every spark and frees the ones that burnt out.
void particles_update(struct hash *hash);

struct ledger particles_ledger(void);

// How many sparks there is an address of.
uint32_t particles_held(void);

// One of them; NULL iff there is none. For planted bugs.
void *particles_any_live(void);

#endif
