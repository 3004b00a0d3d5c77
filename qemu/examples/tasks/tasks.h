// SPDX-License-Identifier: MIT
// tasks.h - a preemptive scheduler of a page, for ARMv7-M without an FPU, to
// show pools in tasks: the first of those that are ready runs.
#ifndef TASKS_H
#define TASKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { TASKS = 3, QUEUE = 8, STACK_WORDS = 512 };

// How many have come since tasks_start().
extern volatile uint32_t tasks_ticks;

// The next task, less urgent than those before it. It never returns; the last
// never waits, and sleeps instead.
void tasks_add(const char *name, void (*run)(void));

// Runs them, with a tick every so many instructions. Does not return.
__attribute__((noreturn)) void tasks_start(uint32_t instructions);

// Lets less urgent tasks run until [ready] holds, which is asked at each tick
// and whenever a task waits.
void tasks_wait(bool (*ready)(void));

// What the task is called that runs; NULL: none does yet.
const char *tasks_name(void);

// In between no other task runs. As vTaskSuspendAll() and k_sched_lock().
void tasks_hold(void);
void tasks_release(void);

// Of pointers, from tasks to one task.
struct queue {
  void *items[QUEUE];
  uint32_t put, taken;
};

bool queue_put(struct queue *queue, void *item);  // false: it is full.
void *queue_take(struct queue *queue);            // NULL: it is empty.

#endif
