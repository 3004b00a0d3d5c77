// SPDX-License-Identifier: MIT
#include "tasks.h"

#include "board.h"
#include "switch.h"
#include "tp_port.h"
#if TIDEPOOL_SOAK
#include "tp_soak.h"
#endif

enum { SYSTICK = 15 };

struct task {
  const char *name;
  uint32_t *top;        // Of its stack, while another runs.
  bool (*ready)(void);  // NULL: it is.
  uint32_t stack[STACK_WORDS] __attribute__((aligned(8)));
};

static struct task tasks[TASKS + 1];  // And main(), which starts them.
static struct task *running = &tasks[TASKS];
static uint32_t added;
static volatile bool held;
volatile uint32_t tasks_ticks;

// The soak watches how deep it becomes.
static void tell_of_stack(struct task *task)
{
#if TIDEPOOL_SOAK
  tp_soak_stack(task->name, task->stack, task->stack + STACK_WORDS);
#else
  (void)task;
#endif
}

void tasks_add(const char *name, void (*run)(void))
{
  struct task *task = &tasks[added++];
  task->name = name;
  tell_of_stack(task);
  task->top = switch_frame(task->stack + STACK_WORDS, (uintptr_t)run, 0, 0);
}

const char *tasks_name(void)
{
  return running->name;
}

// All interrupts have one priority, so none comes between.
static __attribute__((used)) uint32_t *next_task(uint32_t *top)
{
  uint32_t exception;
  __asm volatile("mrs %0, ipsr" : "=r"(exception));
  if (exception == SYSTICK) tasks_ticks++;
  running->top = top;
  if (held) return top;
  struct task *task = tasks;
  while (task->ready && !task->ready()) task++;
  task->ready = NULL;
  running = task;
  return task->top;
}

// SysTick, and board_pend().
__attribute__((naked)) void board_handler(void)
{
  SWITCH_BY(next_task);
}

void tasks_start(uint32_t instructions)
{
  __asm volatile("msr psp, %0" : : "r"(running->stack + STACK_WORDS));
  board_timer_after(instructions);
  for (;;) board_pend();
}

void tasks_wait(bool (*ready)(void))
{
  while (!ready()) {
    running->ready = ready;
    board_pend();
  }
}

void tasks_hold(void)
{
  held = true;
}

void tasks_release(void)
{
  held = false;
  board_pend();
}

bool queue_put(struct queue *queue, void *item)
{
  uint32_t key = tp_port_lock();
  bool room = queue->put - queue->taken < QUEUE;
  if (room) queue->items[queue->put++ % QUEUE] = item;
  tp_port_unlock(key);
  return room;
}

void *queue_take(struct queue *queue)
{
  uint32_t key = tp_port_lock();
  bool any = queue->put != queue->taken;
  void *item = any ? queue->items[queue->taken++ % QUEUE] : NULL;
  tp_port_unlock(key);
  return item;
}
