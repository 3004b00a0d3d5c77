// SPDX-License-Identifier: MIT
// cmsdk.c - the devices of Arm's MPS2 and MPS3 boards, which differ only in the
// address of the UART and in CLOCK_HZ.
#include "board.h"
#include "nvic.h"

#define SPARE_IRQ 31u  // No device of these boards that we start uses it.

void board_init(void)
{
  REGISTER(UART + 0x10) = 16;  // Smallest divider the device accepts.
  REGISTER(UART + 0x08) = 1;   // Transmit.
  nvic_enable(SPARE_IRQ);
}

void board_put(uint8_t byte)
{
  while (REGISTER(UART + 0x04) & 1) {
  }
  REGISTER(UART) = byte;
}

void board_pend(void)
{
  nvic_pend(SPARE_IRQ);
}

void board_timer_after(uint32_t instructions)
{
  systick_start(instructions * (CLOCK_HZ / 250000u) / 125u + 2);
}

void board_timer_stop(void)
{
  systick_stop();
}
