// SPDX-License-Identifier: MIT
// freertos.h - what main.c stands on that is not FreeRTOS's: a radio, a motor
// and an emulator to print by.
#ifndef FREERTOS_EXAMPLE_H
#define FREERTOS_EXAMPLE_H

#include <stdbool.h>
#include <stdint.h>

// The radio interrupts once each millisecond, and has a reading for eight of
// 32 times; the motor four times, and has a peak each 16th.
void devices_start(void);
bool radio_has_reading(void);
bool motor_has_peak(void);
uint32_t motor_current(void);

// main.c has them.
void radio_interrupt(void);
void motor_interrupt(void);

// Each is counted by one context. Of the readings each is sent in the end, or
// overtaken, or its reply was late.
extern struct figures {
  volatile uint32_t received, sent, overtaken, late, peaks;
} figures;

// Prints them and ends QEMU, once that is so of so many.
void figures_print_last(uint32_t readings);

#endif
