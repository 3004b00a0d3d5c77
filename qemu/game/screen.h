// SPDX-License-Identifier: MIT
// screen.h - what is seen: a cell for each 16 x 16 of 320 x 240 pixels, as
// bright as what is in it.
#ifndef SCREEN_H
#define SCREEN_H

#include <stdint.h>

enum { SCREEN_COLUMNS = 20, SCREEN_ROWS = 15, SCREEN_CELL = 16 * 256 };

extern uint8_t screen[SCREEN_ROWS][SCREEN_COLUMNS];

void screen_clear(void);

// Lights the cell of a place, in 1/256 pixel; none if that is outside.
static inline void screen_dot(int32_t x, int32_t y, uint32_t shade)
{
  uint32_t column = (uint32_t)x / SCREEN_CELL;
  uint32_t row = (uint32_t)y / SCREEN_CELL;
  if (column >= SCREEN_COLUMNS || row >= SCREEN_ROWS) return;
  screen[row][column] = (uint8_t)(screen[row][column] + shade);
}

// A bar as long as [level], which a whole row holds 256 of, in row [row].
void screen_bar(uint32_t row, uint32_t level);

#endif
