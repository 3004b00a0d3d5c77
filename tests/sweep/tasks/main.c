// SPDX-License-Identifier: MIT
// main.c - the thread of the sweep is a task here, and what interrupts it makes
// nothing itself: it wakes a task that is more urgent.
#include "FreeRTOS.h"
#include "task.h"

#include "nvic.h"
#include "preempt.h"
#include "semihost.h"
#include "sweep.h"
#include "tp_test.h"

enum { STACK_WORDS = 1024, THREAD = 1 };

// SysTick comes between the instructions of PendSV, too, as other interrupts
// do. The board's is that of the idle task.
static void lower_priorities(void)
{
  REGISTER(0xe000ed20) = 0x80ff0000u;
  for (uint32_t irq = 0; irq < 32; irq += 4) {
    REGISTER(0xe000e400 + irq) = 0xc0c0c0c0u;
  }
}

static void sweep_by_tick(void)
{
  preempt_by_tick();
  sweep_common(&drop_shared);
  sweep_common(&drop_own);
  sweep_handles(&keyed);
  suite_wait();
  suite_both_wait();
  suite_controls();
}

static void run(void *unused)
{
  char arguments[64];
  (void)unused;
  lower_priorities();
  if (semihost_arguments(arguments, sizeof arguments)) {
    sweep_traces = arguments[0] == 't';
    sweep_each = arguments[0] == 'e';
  }
  if (!sweep_traces) {
    suite_kernel();
    armed_calibrate();
    suite_armed();
  }
  sweep_by_tick();
  if (!sweep_traces) {
    preempt_by_interrupt();
    suite_wait();
    suite_both_wait();
    preempt_from_above_the_mask();
    suite_wait_allocs();
    lower_priorities();
    preempt_by_interrupt();
  }
  suite_wait_control();
  semihost_exit(tp_test_end());
}

int main(void)
{
  static StackType_t stack[STACK_WORDS];
  static StaticTask_t memory;
  suite_kernel_before_start();
  preempt_open();
  (void)xTaskCreateStatic(run, "thread", STACK_WORDS, NULL, THREAD, stack,
                          &memory);
  vTaskStartScheduler();
  return 1;
}
