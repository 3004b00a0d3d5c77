// SPDX-License-Identifier: MIT
#include "screen.h"

#include "tidepool.h"

union screen screen;

// Four cells at a time: half of each colour, and nothing of its neighbour.
void screen_fade(void)
{
  for (uint32_t row = tp_clock_now % 2; row < SCREEN_ROWS; row += 2) {
    uint32_t *words = screen.words[row];
    for (uint32_t i = 0; i < SCREEN_COLUMNS / 4; i++) {
      words[i] = words[i] >> 1 & 0x6d6d6d6du;
    }
  }
}

void screen_bar(uint32_t row, uint32_t length, uint32_t colour)
{
  for (uint32_t i = 0; i < SCREEN_COLUMNS && i < length; i++) {
    screen.cells[row][i] = (uint8_t)colour;
  }
}
