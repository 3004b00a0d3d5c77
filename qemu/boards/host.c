// SPDX-License-Identifier: MIT
// host.c - this machine as a board, its UART on standard output. Interrupts are
// calls: those that the firmware pends, and a timer's at the edges of locks.
#include "board.h"

#include <stdio.h>

#include "semihost.h"
#include "tp_port.h"

// About so many instructions lie between two edges of locks.
enum { EDGE = 32 };

static uint32_t period;  // In edges; 0 while the timer is stopped.

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

static void fire(void)
{
  tp_port_interrupt_after(period, fire);
  board_handler();
}

void board_timer_after(uint32_t instructions)
{
  period = instructions / EDGE + 1;
  tp_port_interrupt_after(period, fire);
}

void board_timer_stop(void)
{
  period = 0;
  tp_port_interrupt_after(0, fire);
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

// It ends where the lock is given back that its caller holds.
void board_sleep(void)
{
  if (period > 0) {
    tp_port_interrupt_after(1, fire);
    return;
  }
  semihost_print("host: no interrupt will come any more\n");
  semihost_exit(2);
}
