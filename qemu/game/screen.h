// SPDX-License-Identifier: MIT
// screen.h - what is seen: a cell for each 8 x 8 of 320 x 240 pixels, in a
// colour of 8 bits: 3 of red, 3 of green, 2 of blue.
#ifndef SCREEN_H
#define SCREEN_H

#include <stdint.h>

enum { SCREEN_COLUMNS = 40, SCREEN_ROWS = 30 };
enum { PIXEL = 256, WIDTH = 320 * PIXEL, HEIGHT = 240 * PIXEL };

enum colour {
  COLOUR_BLUE = 0x03,
  COLOUR_GREEN = 0x1c,
  COLOUR_CYAN = 0x1f,
  COLOUR_VIOLET = 0x62,
  COLOUR_GREY = 0x92,
  COLOUR_RED = 0xe0,
  COLOUR_PINK = 0xe3,
  COLOUR_ORANGE = 0xf0,
  COLOUR_YELLOW = 0xfc,
  COLOUR_WHITE = 0xff
};

union screen {
  uint8_t cells[SCREEN_ROWS][SCREEN_COLUMNS];
  uint32_t words[SCREEN_ROWS][SCREEN_COLUMNS / 4];
};

extern union screen screen;

// What was drawn fades: half of the rows at a time, to half as bright.
void screen_fade(void);

static inline void screen_cell(uint32_t column, uint32_t row, uint32_t colour)
{
  if (column >= SCREEN_COLUMNS || row >= SCREEN_ROWS) return;
  screen.cells[row][column] = (uint8_t)colour;
}

// Lights the cell of a place, in 1/256 pixel; none if that is outside.
static inline void screen_dot(int32_t x, int32_t y, uint32_t colour)
{
  screen_cell((uint32_t)x / (8 * PIXEL), (uint32_t)y / (8 * PIXEL), colour);
}

// A bar of [length] cells, at most a whole row, in row [row].
void screen_bar(uint32_t row, uint32_t length, uint32_t colour);

#endif
