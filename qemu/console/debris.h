// SPDX-License-Identifier: MIT
// debris.h - pieces of what exploded: a small pool that spills into a second
// region, which is given back whenever it was empty for a while.
#ifndef DEBRIS_H
#define DEBRIS_H

#include <stdint.h>

#include "hash.h"
#include "ledger.h"

void debris_start(uint64_t seed);
void debris_scatter(int32_t x, int32_t y, uint32_t wanted);
void debris_update(struct hash *hash);

// The pieces at home, and those in the second region.
struct ledger debris_ledger(void);
struct ledger rubble_ledger(void);
uint32_t debris_held(void);
uint32_t rubble_held(void);

#endif
