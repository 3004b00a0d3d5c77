// SPDX-License-Identifier: MIT
// debris.h - pieces of what exploded: a small pool that spills into a second
// region, which is given back whenever it was empty for a while.
#ifndef DEBRIS_H
#define DEBRIS_H

#include <stdint.h>

struct piece;

void debris_scatter(int32_t x, int32_t y, uint32_t wanted);

// Moves all, frees those whose time is up.
void debris_update(void);

// How many pieces there are, and each of them.
uint32_t debris_pieces(void);
const struct piece *debris_piece(uint32_t index);

#endif
