// SPDX-License-Identifier: MIT
// draw.h - draw lists in frame memory: what one frame writes, the next shows.
#ifndef DRAW_H
#define DRAW_H

#include <stdint.h>

// Has something drawn; when the frame's memory is full, not.
void draw(int32_t x, int32_t y, uint32_t shade);

// Ends this frame, and puts on the screen what it wrote.
void draw_show(void);

#endif
