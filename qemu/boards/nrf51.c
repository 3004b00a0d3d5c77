// SPDX-License-Identifier: MIT
// nrf51.c - the devices of an nRF51, as the micro:bit has it. QEMU gives it a
// SysTick, which the real one has not.
#include "board.h"
#include "nvic.h"

#define SPARE_IRQ 20u  // No device of this board that we start uses it.

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
