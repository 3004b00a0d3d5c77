// SPDX-License-Identifier: MIT
// awaited - a firmware of three tasks, two of which wait for a slot: the less
// urgent one asked first.
#include "board.h"
#include "kernel.h"
#include "tp_pools.h"

enum { STACK = 256, WATCHER = 1, LOGGER, RADIO, TASKS = RADIO };

static StackType_t stacks[TASKS][STACK];
static StaticTask_t tasks[TASKS];

// A name that ends like the rows' own.
__attribute__((noinline)) void boot_wait(void)
{
  __asm volatile("" : : : "memory");
}

// Where a debugger stops.
__attribute__((noinline)) void all_wait(void)
{
  __asm volatile("" : : : "memory");
}

__attribute__((noinline)) void all_are_gone(void)
{
  __asm volatile("" : : : "memory");
}

// The only interrupt is the tick.
void board_handler(void)
{
  xPortSysTickHandler();
}

void vApplicationIdleHook(void)
{
  board_sleep();
}

static void log_all(void *unused)
{
  if (!unused) replies_alloc_wait(20);  // The log.
  for (;;) vTaskDelay(1000);
}

static void transmit(void *unused)
{
  vTaskDelay(2);
  if (!unused) replies_alloc_wait(20);  // The radio.
  for (;;) vTaskDelay(1000);
}

static void watch(void *unused)
{
  (void)unused;
  vTaskDelay(5);
  all_wait();
  vTaskDelay(50);
  all_are_gone();
  for (;;) vTaskDelay(1000);
}

int main(void)
{
  static const struct {
    TaskFunction_t run;
    const char *name;
  } all[TASKS] = {{watch, "watcher"}, {log_all, "logger"}, {transmit, "radio"}};
  boot_wait();
  for (int i = 0; i < 2; i++) (void)replies_alloc();  // What nobody frees.
  (void)alarms_alloc();
  (void)readings_alloc_wait(0);
  for (UBaseType_t i = 0; i < TASKS; i++) {
    xTaskCreateStatic(all[i].run, all[i].name, STACK, NULL, WATCHER + i,
                      stacks[i], &tasks[i]);
  }
  vTaskStartScheduler();
  return 1;
}
