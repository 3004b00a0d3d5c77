// SPDX-License-Identifier: MIT
// host.c - this machine as a board, its UART on standard output. Interrupts are
// calls, so only those the firmware pends itself can come.
#include "board.h"

#include <stdio.h>

#include "semihost.h"

// Of a firmware that has no interrupts.
__attribute__((weak)) void board_handler(void)
{
}

void board_init(void)
{
}

void board_put(uint8_t byte)
{
  putchar(byte);
}

void board_pend(void)
{
  board_handler();
}

void board_timer_after(uint32_t instructions)
{
  (void)instructions;
  semihost_print("host: there is no timer; interrupts=scheduled\n");
  semihost_exit(2);
}

void board_timer_stop(void)
{
}

void board_clock_start(void)
{
}

uint32_t board_clock(void)
{
  return 0;
}

uint32_t board_instructions(uint32_t ticks)
{
  return ticks;
}

void board_sleep(void)
{
  semihost_print("host: no interrupt will come any more\n");
  semihost_exit(2);
}
