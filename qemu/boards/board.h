// SPDX-License-Identifier: MIT
// board.h - what the firmwares need of a board. One board.c each.
#ifndef BOARD_H
#define BOARD_H

#include <stdint.h>

// Starts the UART and prepares the interrupts. Called before main().
void board_init(void);

// Sends a byte, waiting while the UART is busy.
void board_put(uint8_t byte);

// Calls systick_handler() [hertz] times a simulated second.
void board_tick_start(uint32_t hertz);

// Calls systick_handler() once, now.
void board_tick_pend(void);

// Pends sound_handler(), a real interrupt, now.
void board_pend(void);

// Fires sound_handler() once, [instructions] instructions from now or a few
// more (under -icount shift=5).
void board_timer_after(uint32_t instructions);

// Forgets the timer's interrupt; sound_handler() calls it first.
void board_timer_stop(void);

// Sleeps until the next interrupt.
static inline void board_sleep(void)
{
  __asm volatile("wfi");
}

#endif
