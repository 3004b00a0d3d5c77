// SPDX-License-Identifier: MIT
// draw.h - draw lists in frame memory: what one frame writes, the next shows.
#ifndef DRAW_H
#define DRAW_H

#include <stdint.h>

#include "hash.h"

// Has something drawn; when the frame's memory is full, not.
void draw(int32_t x, int32_t y, uint32_t kind);

// Shows what the last frame wrote and ends this one.
void draw_show(struct hash *hash);

// What is wrong, in words; NULL iff nothing is.
const char *draw_audit(void);

#endif
