// SPDX-License-Identifier: MIT
// microbit: nRF51 UART and timer. QEMU gives its M0 a SysTick at 16 MHz.
#include "board.h"
#include "nvic.h"

#define CLOCK_HZ  16000000u
#define UART      0x40002000u
#define TIMER     0x40008000u
#define TIMER_IRQ 8u
#define SPARE_IRQ 20u

void board_init(void)
{
  REGISTER(UART + 0x500) = 4;  // Enable.
  REGISTER(UART + 0x008) = 1;  // Start to transmit.
  nvic_enable(TIMER_IRQ);
  nvic_enable(SPARE_IRQ);
}

void board_put(uint8_t byte)
{
  REGISTER(UART + 0x11c) = 0;
  REGISTER(UART + 0x51c) = byte;
  while (!REGISTER(UART + 0x11c)) {
  }
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

// An instruction lasts 32 ns and a tick, undivided, 62.5.
void board_timer_after(uint32_t instructions)
{
  REGISTER(TIMER + 0x004) = 1;  // Stop.
  REGISTER(TIMER + 0x00c) = 1;  // Clear.
  REGISTER(TIMER + 0x508) = 3;  // 32 bits wide.
  REGISTER(TIMER + 0x510) = 0;  // Undivided.
  REGISTER(TIMER + 0x540) = instructions / 2 + 1;
  REGISTER(TIMER + 0x304) = 1u << 16;  // Interrupt on the first comparison.
  REGISTER(TIMER + 0x000) = 1;         // Start.
}

void board_timer_stop(void)
{
  REGISTER(TIMER + 0x004) = 1;
  REGISTER(TIMER + 0x140) = 0;
}
