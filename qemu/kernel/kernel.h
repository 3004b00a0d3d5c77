// SPDX-License-Identifier: MIT
// kernel.h - internal: what tasks.c and semaphores.c of the stand-in share.
#ifndef KERNEL_H
#define KERNEL_H

#include <stdbool.h>
#include <stddef.h>

#include "FreeRTOS.h"
#include "semphr.h"
#include "task.h"

struct kernel_semaphore {
  const struct kernel_semaphore *self;  // NULL once it was deleted.
  bool given;
};

// Who runs now, and main() until vTaskStartScheduler().
extern struct kernel_task *kernel_running;
extern TickType_t kernel_now;

// All of these with interrupts masked: by a critical section, or by this, which
// returns what unmasks them.
uint32_t kernel_mask_in_isr(void);
void kernel_unmask_in_isr(uint32_t found);

// The task that runs waits for [semaphore], or NULL, [ticks] at most; others
// run once interrupts are unmasked. Wrong, unless it may sleep here.
void kernel_sleep(const struct kernel_semaphore *semaphore, TickType_t ticks);
bool kernel_may_sleep(void);

// Makes the first who waits for it ready. Is that more urgent than who runs?
bool kernel_wake_first(const struct kernel_semaphore *semaphore);
bool kernel_is_awaited(const struct kernel_semaphore *semaphore);

// Once interrupts are unmasked.
void kernel_request_switch(void);

// Names of FreeRTOS' that none of its headers declares: the interrupt of the
// tick and the switch, and what starts the tick. The last is weak: an
// application may have another clock.
void xPortSysTickHandler(void);
void xPortPendSVHandler(void);
void vPortSetupTimerInterrupt(void);

#endif
