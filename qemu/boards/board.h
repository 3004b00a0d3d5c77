// SPDX-License-Identifier: MIT
// board.h - what the firmwares need of a board. One board.c each.
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

// Sleeps until the next interrupt.
void board_sleep(void);

#endif
