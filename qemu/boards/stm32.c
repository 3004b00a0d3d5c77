// SPDX-License-Identifier: MIT
// stm32.c - the devices of an STM32F2 or F4, of which a board gives the address
// of the USART and CLOCK_HZ.
#include "board.h"
#include "nvic.h"

#define SPARE_IRQ 31u  // I2C1: no device of these boards that we start uses it.

void board_init(void)
{
  REGISTER(UART + 0x0c) = 1u << 13 | 1u << 3;  // Enable, transmit.
  nvic_enable(SPARE_IRQ);
}

void board_put(uint8_t byte)
{
  while (!(REGISTER(UART) & 1u << 7)) {
  }
  REGISTER(UART + 0x04) = byte;
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
