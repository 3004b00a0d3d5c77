// SPDX-License-Identifier: MIT
// freertos.c - two timers of the MPS2 stand for a radio and a motor.
#include "freertos.h"
#include "FreeRTOS.h"
#include "task.h"

#include "board.h"
#include "nvic.h"
#include "print.h"

enum { SYSTICK = 15, FIRST_IRQ = 16, RADIO = 8, MOTOR = 9 };
enum { RADIO_TIMER = 0x40000000, MOTOR_TIMER = 0x40001000 };
enum { MILLISECOND = CLOCK_HZ / 1000 };

struct figures figures;

void xPortSysTickHandler(void);  // FreeRTOS' own, which no header declares.

// Halfway between two ticks at first, so that each comes apart from them.
static void start(uint32_t timer, uint32_t irq, uint32_t cycles,
                  uint8_t priority)
{
  *(volatile uint8_t *)(uintptr_t)(0xe000e400 + irq) = priority;
  nvic_enable(irq);
  REGISTER(timer + 4) = cycles / 2;
  REGISTER(timer + 8) = cycles - 1;
  REGISTER(timer) = 1 | 1 << 3;  // On, with interrupt.
}

void devices_start(void)
{
  start(RADIO_TIMER, RADIO, MILLISECOND, 0x80);
  start(MOTOR_TIMER, MOTOR, MILLISECOND / 4, 0x20);
}

bool radio_has_reading(void)
{
  static uint32_t times;
  return times++ % 32 < 8;
}

static uint32_t turns;

bool motor_has_peak(void)
{
  return ++turns % 16 == 0;
}

uint32_t motor_current(void)
{
  return 900 + turns % 100;
}

// All vectors but PendSV's lead here.
void board_handler(void)
{
  uint32_t exception;
  __asm volatile("mrs %0, ipsr" : "=r"(exception));
  if (exception == SYSTICK) xPortSysTickHandler();
  if (exception == FIRST_IRQ + RADIO) {
    REGISTER(RADIO_TIMER + 12) = 1;
    radio_interrupt();
  }
  if (exception == FIRST_IRQ + MOTOR) {
    REGISTER(MOTOR_TIMER + 12) = 1;
    motor_interrupt();
  }
}

void vApplicationIdleHook(void)
{
  board_sleep();
}

void figures_print_last(uint32_t readings)
{
  if (figures.sent + figures.overtaken + figures.late < readings) return;
  print_number("", figures.received, " readings: ");
  print_number("", figures.sent, " answered, ");
  print_number("", figures.overtaken, " overtaken, ");
  print_number("", figures.late, " late; ");
  print_number("", figures.peaks, " peaks\n");
  semihost_exit(0);
}
