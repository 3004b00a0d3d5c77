// SPDX-License-Identifier: MIT
// board.h - what the firmwares need of a board. A .c for each family of
// devices, compiled with UART, its address, and CLOCK_HZ.
#ifndef BOARD_H
#define BOARD_H

#include <stdint.h>

// Starts the UART and prepares the interrupts. Called before main().
void board_init(void);

// Sends a byte, waiting while the UART is busy.
void board_put(uint8_t byte);

// Pends board_handler(), a real interrupt, now.
void board_pend(void);

// Fires board_handler() [instructions] instructions from now, or a few more
// (under -icount shift=5), and goes on until board_timer_stop().
void board_timer_after(uint32_t instructions);
void board_timer_stop(void);

// Starts a clock and reads it, and how many instructions [ticks] of it are
// (under -icount shift=5; 0 where there is none). Not beside a timer: that uses
// the same device.
void board_clock_start(void);
uint32_t board_clock(void);
uint32_t board_instructions(uint32_t ticks);

// Sleeps until the next interrupt.
void board_sleep(void);

// Resets the processor, which begins anew.
__attribute__((noreturn)) void board_reset(void);

#endif
