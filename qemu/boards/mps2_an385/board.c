// SPDX-License-Identifier: MIT
// mps2-an385: CMSDK UART and timer, 25 MHz.
#include "board.h"
#include "nvic.h"

#define CLOCK_HZ  25000000u
#define TIMER     0x40000000u
#define TIMER_IRQ 8u
#define SPARE_IRQ 31u
#define UART      0x40004000u

void board_init(void)
{
  REGISTER(UART + 0x10) = 16;  // Smallest divider the device accepts.
  REGISTER(UART + 0x08) = 1;   // Transmit.
  nvic_enable(TIMER_IRQ);
  nvic_enable(SPARE_IRQ);
}

void board_put(uint8_t byte)
{
  while (REGISTER(UART + 0x04) & 1) {
  }
  REGISTER(UART) = byte;
}

void board_tick_start(uint32_t hertz)
{
  systick_start(CLOCK_HZ / hertz);
}

void board_tick_pend(void)
{
  systick_pend();
}

void board_pend(void)
{
  nvic_pend(SPARE_IRQ);
}

// An instruction lasts 32 ns and a tick 40.
void board_timer_after(uint32_t instructions)
{
  uint32_t ticks = instructions * 4 / 5 + 1;
  REGISTER(TIMER + 0x08) = ticks;  // Reload, or it would fire only once ever.
  REGISTER(TIMER + 0x04) = ticks;
  REGISTER(TIMER + 0x00) = 9;  // On, with interrupt.
}

void board_timer_stop(void)
{
  REGISTER(TIMER + 0x00) = 0;
  REGISTER(TIMER + 0x0c) = 1;
}
