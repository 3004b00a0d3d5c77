// SPDX-License-Identifier: MIT
#include "screen.h"

uint8_t screen[SCREEN_ROWS][SCREEN_COLUMNS];

void screen_clear(void)
{
  for (uint32_t row = 0; row < SCREEN_ROWS; row++) {
    for (uint32_t i = 0; i < SCREEN_COLUMNS; i++) screen[row][i] = 0;
  }
}

void screen_bar(uint32_t row, uint32_t level)
{
  uint32_t length = level * SCREEN_COLUMNS / 256;
  for (uint32_t i = 0; i < SCREEN_COLUMNS && i < length; i++) {
    screen[row][i] = (uint8_t)(screen[row][i] + level);
  }
}
