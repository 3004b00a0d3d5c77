// SPDX-License-Identifier: MIT
// draw.h - draw lists in frame memory: what one frame writes, the next shows.
#ifndef DRAW_H
#define DRAW_H

#include <stdint.h>

#include "screen.h"

// A bit for each of four cells in a row, and of the four below them.
enum shape { SHAPE_DOT = 0x01, SHAPE_TALL = 0x11, SHAPE_SHIP = 0x72 };

struct sprite {
  uint8_t column, row, colour, shape;
};

struct draw_list {
  union {
    struct draw_list *next;
    uint64_t room;  // For a pointer of any machine.
  };
  uint32_t count;
  struct sprite sprites[];
};

// A list with room for [most] sprites. NULL when the frame's memory is full:
// then they are not drawn.
struct draw_list *draw_begin(uint32_t most);

// Adds a sprite to a list with room for it, unless it is outside.
static inline void draw_add(struct draw_list *list, int32_t x, int32_t y,
                            uint32_t colour, uint32_t shape)
{
  if (!list || (uint32_t)x >= WIDTH || (uint32_t)y >= HEIGHT) return;
  list->sprites[list->count++] =
      (struct sprite){(uint8_t)(x / (8 * PIXEL)), (uint8_t)(y / (8 * PIXEL)),
                      (uint8_t)colour, (uint8_t)shape};
}

// A list of one.
void draw(int32_t x, int32_t y, uint32_t colour, uint32_t shape);

// Ends this frame, and puts on the screen what the one before wrote.
void draw_show(void);

#endif
