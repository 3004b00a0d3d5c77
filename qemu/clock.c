// SPDX-License-Identifier: MIT
// clock.c - SysTick as a clock: it counts down, 24 bits, without interrupts.
#include "board.h"
#include "nvic.h"

// At 32 ns an instruction.
enum { INSTRUCTIONS_PER_SECOND = 31250000 };

void board_clock_start(void)
{
  REGISTER(0xe000e014) = 0xffffff;
  REGISTER(0xe000e018) = 0;
  REGISTER(0xe000e010) = 5;  // On, on the core's clock.
  while (REGISTER(0xe000e018) == 0) {
  }
}

uint32_t board_clock(void)
{
  return 0u - REGISTER(0xe000e018);
}

uint32_t board_instructions(uint32_t ticks)
{
  return (ticks & 0xffffff) * (INSTRUCTIONS_PER_SECOND / 125000u) /
         (CLOCK_HZ / 125000u);
}
