// SPDX-License-Identifier: MIT
// microbit: Cortex-M0 at 16 MHz with the UART of an nRF51. QEMU gives it a
// SysTick, which the real one has not.
#include "board.h"
#include "nvic.h"

#define UART      0x40002000u
#define SPARE_IRQ 20u

void board_init(void)
{
  REGISTER(UART + 0x500) = 4;  // Enable.
  REGISTER(UART + 0x008) = 1;  // Start to transmit.
  nvic_enable(SPARE_IRQ);
}

void board_put(uint8_t byte)
{
  REGISTER(UART + 0x11c) = 0;
  REGISTER(UART + 0x51c) = byte;
  while (!REGISTER(UART + 0x11c)) {
  }
}

void board_pend(void)
{
  nvic_pend(SPARE_IRQ);
}

void board_timer_after(uint32_t instructions)
{
  systick_start(instructions / 2 + 2);
}

void board_timer_stop(void)
{
  systick_stop();
}
