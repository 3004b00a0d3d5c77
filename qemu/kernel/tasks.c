// SPDX-License-Identifier: MIT
// tasks.c - who runs, on a Cortex-M3, as FreeRTOS' reference says and by not a
// line of it: as much as the headers of this folder declare.
//
// A task that is ready waits for the core as others do for a semaphore: of
// those that wait for the same, the most urgent is first, of equals who came
// first. Where the reference leaves a wrong call without a promise,
// vAssertCalled() ends it.
#include "kernel.h"

#include "nvic.h"
#include "switch.h"

struct kernel_task {
  uint32_t *top;  // Of its stack, while another runs.
  struct kernel_task *next;
  UBaseType_t priority;
  const struct kernel_semaphore *awaited;  // &core: ready. NULL: time alone.
  TickType_t until;
  bool timed;     // Is it woken at [until]?
  uint32_t came;  // Its place among equals.
};

_Static_assert(sizeof(struct kernel_task) <= sizeof(StaticTask_t),
               "a task fits what its user gives");

static const struct kernel_semaphore core;
// main(), until it starts others.
static struct kernel_task before_start = {.priority = configMAX_PRIORITIES};
static struct kernel_task *all;
struct kernel_task *kernel_running = &before_start;
TickType_t kernel_now;
static uint32_t arrivals;
// Before the start, too, what has masked interrupts leaves them masked.
static uint32_t nesting = 1;

// Masks -----------------------------------------------------------------------

static void set_basepri(uint32_t priority)
{
  __asm volatile("msr basepri, %0\n\tisb" : : "r"(priority) : "memory");
}

static uint32_t basepri(void)
{
  uint32_t priority;
  __asm volatile("mrs %0, basepri" : "=r"(priority));
  return priority;
}

static uint32_t exception(void)
{
  uint32_t number;
  __asm volatile("mrs %0, ipsr" : "=r"(number));
  return number;
}

static bool in_a_task(void)
{
  return exception() == 0;
}

static bool interrupts_are_masked(void)
{
  uint32_t primask;
  __asm volatile("mrs %0, primask" : "=r"(primask));
  return primask || basepri();
}

static bool interrupt_may_call_the_kernel(void)
{
  uint32_t number = exception();
  uint32_t priorities = number < 16 ? 0xe000ed14 : 0xe000e3f0;
  return number == 0 || *(volatile uint8_t *)(uintptr_t)(priorities + number) >=
                            configMAX_SYSCALL_INTERRUPT_PRIORITY;
}

void vPortEnterCritical(void)
{
  configASSERT(in_a_task());
  set_basepri(configMAX_SYSCALL_INTERRUPT_PRIORITY);
  nesting++;
}

void vPortExitCritical(void)
{
  configASSERT(nesting > 0);
  if (--nesting == 0) set_basepri(0);
}

uint32_t kernel_mask_in_isr(void)
{
  configASSERT(interrupt_may_call_the_kernel());
  uint32_t found = basepri();
  set_basepri(configMAX_SYSCALL_INTERRUPT_PRIORITY);
  return found;
}

void kernel_unmask_in_isr(uint32_t found)
{
  set_basepri(found);
}

// Who runs; with interrupts masked --------------------------------------------

void kernel_request_switch(void)
{
  REGISTER(0xe000ed04) = 1u << 28;  // PendSV.
  __asm volatile("dsb\n\tisb" : : : "memory");
}

static void await(struct kernel_task *task,
                  const struct kernel_semaphore *semaphore)
{
  task->awaited = semaphore;
  task->came = ++arrivals;
}

static bool is_before(const struct kernel_task *one,
                      const struct kernel_task *other)
{
  if (one->priority != other->priority) return one->priority > other->priority;
  return (int32_t)(one->came - other->came) < 0;
}

static struct kernel_task *first_of(const struct kernel_semaphore *semaphore)
{
  struct kernel_task *first = NULL;
  for (struct kernel_task *task = all; task; task = task->next) {
    if (task->awaited != semaphore) continue;
    if (!first || is_before(task, first)) first = task;
  }
  return first;
}

// Who ran stands behind its equals from now on: they share the core.
__attribute__((used)) static uint32_t *next_task(uint32_t *top)
{
  set_basepri(configMAX_SYSCALL_INTERRUPT_PRIORITY);
  kernel_running->top = top;
  if (kernel_running->awaited == &core) await(kernel_running, &core);
  kernel_running = first_of(&core);
  set_basepri(0);
  return kernel_running->top;
}

__attribute__((naked)) void xPortPendSVHandler(void)
{
  SWITCH_BY(next_task);
}

void kernel_sleep(const struct kernel_semaphore *semaphore, TickType_t ticks)
{
  await(kernel_running, semaphore);
  kernel_running->timed = ticks != portMAX_DELAY;
  kernel_running->until = kernel_now + ticks;
  kernel_request_switch();
}

static void wake(struct kernel_task *task)
{
  task->timed = false;
  await(task, &core);
}

bool kernel_is_awaited(const struct kernel_semaphore *semaphore)
{
  return first_of(semaphore) != NULL;
}

bool kernel_wake_first(const struct kernel_semaphore *semaphore)
{
  struct kernel_task *first = first_of(semaphore);
  if (first) wake(first);
  return first && first->priority > kernel_running->priority;
}

// Another runs after each tick, if an equal is ready.
void xPortSysTickHandler(void)
{
  uint32_t found = kernel_mask_in_isr();
  kernel_now++;
  for (struct kernel_task *task = all; task; task = task->next) {
    if (task->timed && task->until == kernel_now) wake(task);
  }
  kernel_request_switch();
  set_basepri(found);
}

void vPortYieldFromISR(BaseType_t more_urgent)
{
  if (more_urgent != pdFALSE) kernel_request_switch();
}

// Tasks -----------------------------------------------------------------------

static void end_of_task(void)
{
  configASSERT(!"a task returned");
}

TaskHandle_t xTaskCreateStatic(TaskFunction_t run, const char *name,
                               uint32_t stack_words, void *argument,
                               UBaseType_t priority, StackType_t *stack,
                               StaticTask_t *memory)
{
  (void)name;
  configASSERT(stack && memory && priority < configMAX_PRIORITIES);
  StackType_t *end = stack + stack_words;
  end -= (uintptr_t)end / sizeof *end % 2;
  struct kernel_task *task = (struct kernel_task *)memory;
  *task = (struct kernel_task){.priority = priority};
  task->top = switch_frame(end, (uintptr_t)run, (uintptr_t)argument,
                           (uintptr_t)end_of_task);
  taskENTER_CRITICAL();
  task->next = all;
  all = task;
  await(task, &core);
  if (priority > kernel_running->priority) kernel_request_switch();
  taskEXIT_CRITICAL();
  return task;
}

static void idle(void *nothing)
{
  (void)nothing;
  for (;;) vApplicationIdleHook();
}

__attribute__((weak)) void vPortSetupTimerInterrupt(void)
{
  systick_start(configCPU_CLOCK_HZ / configTICK_RATE_HZ);
}

// What main() has on its stack is gone. The first switch saves what nobody
// wants, once.
void vTaskStartScheduler(void)
{
  static StackType_t stack[configMINIMAL_STACK_SIZE];
  static StaticTask_t memory;
  static uint32_t unwanted[SWITCH_SAVED_WORDS + 1];
  const uint32_t vectors = REGISTER(0xe000ed08);  // The main stack's top first.
  configASSERT(in_a_task() && kernel_running == &before_start);
  (void)xTaskCreateStatic(idle, "idle", configMINIMAL_STACK_SIZE, NULL, 0,
                          stack, &memory);
  REGISTER(0xe000ed20) |= configKERNEL_INTERRUPT_PRIORITY * 0x01010000u;
  vPortSetupTimerInterrupt();
  nesting = 0;
  kernel_request_switch();
  __asm volatile(
      "msr psp, %0\n\tldr r0, [%1]\n\tmsr msp, r0\n\t"
      "msr basepri, %2\n\tcpsie i\n1:\tb 1b"
      :
      : "r"(unwanted + SWITCH_SAVED_WORDS + 1), "r"(vectors), "r"(0)
      : "r0", "memory");
}

UBaseType_t uxTaskPriorityGet(TaskHandle_t task)
{
  configASSERT(in_a_task());
  return task ? task->priority : kernel_running->priority;
}

bool kernel_may_sleep(void)
{
  return in_a_task() && kernel_running != &before_start &&
         !interrupts_are_masked();
}

void vTaskDelay(TickType_t ticks)
{
  configASSERT(kernel_may_sleep());
  taskENTER_CRITICAL();
  if (ticks) kernel_sleep(NULL, ticks);
  kernel_request_switch();
  taskEXIT_CRITICAL();
}
