// SPDX-License-Identifier: MIT
// kernel.c - the stand-in is no kinder than the kernel: what is wrong by
// FreeRTOS' reference it tells, and nobody runs without a reason.
#include "FreeRTOS.h"
#include "semphr.h"
#include "task.h"

#include <string.h>

#include "board.h"
#include "nvic.h"
#include "preempt.h"
#include "sweep.h"
#include "tp_test.h"
#include "tp_test_print.h"

enum { STACK_WORDS = 256, THREAD = 1, SPARE_IRQ = 31 };

void xPortSysTickHandler(void);

static StaticSemaphore_t memory;
static SemaphoreHandle_t semaphore;
static const char *told;  // NULL: nothing may be.
static jmp_buf resume;

// An interrupt cannot be left like that, and goes on.
void vAssertCalled(const char *claim)
{
  uint32_t exception;
  __asm volatile("mrs %0, ipsr" : "=r"(exception));
  if (!told) {
    tp_test_print(claim);
    tp_test_stop(1);
  }
  told = claim;
  if (!exception) longjmp(resume, 1);
}

// What it says of [call]; "nothing".
static const char *complaint_of(void (*call)(void))
{
  const char *said;
  told = "nothing";
  if (setjmp(resume) == 0) call();
  said = told;
  told = NULL;
  return said;
}

#define CHECK_TOLD(claim, call) CHECK(strcmp(claim, complaint_of(call)) == 0)

static void take(void)
{
  (void)xSemaphoreTake(semaphore, 1);
}

static void give(void)
{
  (void)xSemaphoreGive(semaphore);
}

static void give_from_isr(void)
{
  BaseType_t more_urgent = pdFALSE;
  (void)xSemaphoreGiveFromISR(semaphore, &more_urgent);
  portYIELD_FROM_ISR(more_urgent);
}

static void delay(void)
{
  vTaskDelay(1);
}

static void a_sleep_before_the_start_is_told(void)
{
  semaphore = xSemaphoreCreateBinaryStatic(&memory);
  CHECK_TOLD("most == 0 || kernel_may_sleep()", take);
  CHECK_TOLD("kernel_may_sleep()", delay);
}

void suite_kernel_before_start(void)
{
  RUN(a_sleep_before_the_start_is_told);
}

static void a_sleep_in_a_critical_section_is_told(void)
{
  taskENTER_CRITICAL();
  const char *of_take = complaint_of(take), *of_delay = complaint_of(delay);
  taskEXIT_CRITICAL();
  CHECK(strcmp("most == 0 || kernel_may_sleep()", of_take) == 0);
  CHECK(strcmp("kernel_may_sleep()", of_delay) == 0);
}

static void a_sleep_with_interrupts_masked_is_told(void)
{
  __asm volatile("cpsid i" : : : "memory");
  const char *of_take = complaint_of(take);
  __asm volatile("cpsie i" : : : "memory");
  CHECK(strcmp("most == 0 || kernel_may_sleep()", of_take) == 0);
}

// By an interrupt of that priority.
static const char *complaint_in(uint8_t priority, void (*call)(void))
{
  volatile uint8_t *of_irq = (uint8_t *)(uintptr_t)(0xe000e400 + SPARE_IRQ);
  uint8_t found = *of_irq;
  armed_other = call;
  *of_irq = priority;
  const char *said = complaint_of(board_pend);
  *of_irq = found;
  armed_other = xPortSysTickHandler;
  return said;
}

static void a_call_from_above_the_mask_is_told(void)
{
  const char *above = complaint_in(0x3f, give_from_isr);
  CHECK(strcmp("interrupt_may_call_the_kernel()", above) == 0);
  CHECK(strcmp("nothing", complaint_in(0x40, give_from_isr)) == 0);
  CHECK_EQ(xSemaphoreTake(semaphore, 0), pdTRUE);
}

static void a_call_for_tasks_in_an_interrupt_is_told(void)
{
  CHECK(strcmp("in_a_task()", complaint_in(0x80, give)) == 0);
  CHECK_EQ(xSemaphoreTake(semaphore, 0), pdTRUE);
}

static void a_deleted_semaphore_is_told(void)
{
  vSemaphoreDelete(semaphore);
  CHECK_TOLD("semaphore->self == semaphore", give);
  taskEXIT_CRITICAL();  // Where it stopped.
  semaphore = xSemaphoreCreateBinaryStatic(&memory);
}

static void two_gives_are_one(void)
{
  CHECK_EQ(xSemaphoreGive(semaphore), pdTRUE);
  CHECK_EQ(xSemaphoreGive(semaphore), pdFALSE);
  CHECK_EQ(xSemaphoreTake(semaphore, 1), pdTRUE);
  CHECK_EQ(xSemaphoreTake(semaphore, 1), pdFALSE);
}

static void wait_in_a_critical_section(void)
{
  taskENTER_CRITICAL();
  (void)waited_alloc_wait(1);
}

static void wait_with_interrupts_masked(void)
{
  __asm volatile("cpsid i" : : : "memory");
  (void)waited_alloc_wait(1);
}

static void wait_with_faults_masked(void)
{
  __asm volatile("cpsid f" : : : "memory");
  (void)waited_alloc_wait(1);
}

static void a_wait_for_a_slot_where_nobody_may_sleep_is_a_fault(void)
{
  CHECK_FAULTS(TP_FAULT_CONTEXT, wait_in_a_critical_section());
  taskEXIT_CRITICAL();
  CHECK_FAULTS(TP_FAULT_CONTEXT, wait_with_interrupts_masked());
  __asm volatile("cpsie i" : : : "memory");
  CHECK_FAULTS(TP_FAULT_CONTEXT, wait_with_faults_masked());
  __asm volatile("cpsie f" : : : "memory");
}

static struct {
  SemaphoreHandle_t begin;
  uint32_t turns, woken;
  bool stop;
} equal;

// As urgent as the thread: without a tick it would run for ever.
static void be_equal(void *unused)
{
  (void)unused;
  while (xSemaphoreTake(equal.begin, portMAX_DELAY)) {
    for (equal.woken++; !equal.stop; board_pend()) equal.turns++;
  }
}

static void nobody_is_woken_by_time_alone(void)
{
  uint32_t before = equal.woken;
  for (uint32_t i = 0; i < 100; i++) vTaskDelay(1);
  CHECK_EQ(equal.woken, before);
}

static void a_tick_and_nothing_else_takes_the_core_from_an_equal(void)
{
  equal.stop = false;
  (void)xSemaphoreGive(equal.begin);
  CHECK_EQ(equal.turns, 0);  // It is ready, and waits for its turn.
  for (uint32_t tick = 1; tick <= 10; tick++) {
    board_pend();
    CHECK_EQ(equal.turns, tick);
  }
  equal.stop = true;
  board_pend();
  CHECK_EQ(equal.turns, 10);
}

void suite_kernel(void)
{
  static StackType_t stack[STACK_WORDS];
  static StaticTask_t task;
  static StaticSemaphore_t begin;
  equal.begin = xSemaphoreCreateBinaryStatic(&begin);
  (void)xTaskCreateStatic(be_equal, "equal", STACK_WORDS, NULL, THREAD, stack,
                          &task);
  RUN(a_sleep_in_a_critical_section_is_told);
  RUN(a_sleep_with_interrupts_masked_is_told);
  RUN(a_wait_for_a_slot_where_nobody_may_sleep_is_a_fault);
  RUN(a_call_from_above_the_mask_is_told);
  RUN(a_call_for_tasks_in_an_interrupt_is_told);
  RUN(a_deleted_semaphore_is_told);
  RUN(two_gives_are_one);
  RUN(nobody_is_woken_by_time_alone);
  RUN(a_tick_and_nothing_else_takes_the_core_from_an_equal);
}
