// SPDX-License-Identifier: MIT
#include "preempt.h"

#include "FreeRTOS.h"
#include "semphr.h"
#include "task.h"

#include "board.h"
#include "nvic.h"
#include "sweep.h"
#include "tp_test.h"

enum { STACK_WORDS = 512, URGENT = 2 };

void xPortSysTickHandler(void);

static SemaphoreHandle_t knock;
static jmp_buf own;
static void (*deed)(void);
static bool struck, done, done_in_call, quiet;

static void tick(void)
{
  struck = true;
  xPortSysTickHandler();
}

static void interrupt(void)
{
  BaseType_t more_urgent = pdFALSE;
  struck = true;
  xSemaphoreGiveFromISR(knock, &more_urgent);
  portYIELD_FROM_ISR(more_urgent);
}

// Brings the idle task to the end of what it has begun: to its next tick.
static void let_idle_end(void)
{
  quiet = true;
  vTaskDelay(1);
  quiet = false;
}

static void enter(struct armed_call *call)
{
  armed_call(call);
  done_in_call = done;
  let_idle_end();
}

static void arm_as(void (*handler)(void), void (*make)(void))
{
  let_idle_end();
  deed = make;
  struck = done = false;
  armed_handler = handler;
}

static void arm_tick(void (*make)(void))
{
  arm_as(tick, make);
}

static void arm_interrupt(void (*make)(void))
{
  arm_as(interrupt, make);
}

void preempt_by_tick(void)
{
  sweep_arm = arm_tick;
}

void preempt_by_interrupt(void)
{
  sweep_arm = arm_interrupt;
}

static void arm_above(void (*make)(void))
{
  arm_as(make, NULL);
}

void preempt_from_above_the_mask(void)
{
  REGISTER(0xe000ed20) = 0x20ff0000u;  // SysTick, and PendSV as it was.
  sweep_arm = arm_above;
}

bool preempt_is_done(void)
{
  return done;
}

bool preempt_was_done(void)
{
  return done_in_call;
}

// Of the urgent task; the thread may fault while it sleeps.
jmp_buf *tp_test_place(void)
{
  return uxTaskPriorityGet(NULL) == URGENT ? &own : &tp_test_resume;
}

static void make_move(void)
{
  if (setjmp(own) == 0) {
    deed();
  } else {
    sweep_note_fault();
  }
  tp_test_expect_fault();
  done = true;
}

// Each tick wakes it, too, that of the sweep and those of the idle task.
static void be_urgent(void *unused)
{
  (void)unused;
  for (;;) {
    (void)xSemaphoreTake(knock, 1);
    if (!struck) continue;
    struck = false;
    make_move();
  }
}

void preempt_open(void)
{
  static StackType_t stack[STACK_WORDS];
  static StaticTask_t memory;
  static StaticSemaphore_t semaphore;
  knock = xSemaphoreCreateBinaryStatic(&semaphore);
  (void)xTaskCreateStatic(be_urgent, "urgent", STACK_WORDS, NULL, URGENT, stack,
                          &memory);
  armed_other = xPortSysTickHandler;
  sweep_enter = enter;
}

// SysTick is the sweep's. Time goes on when nobody else has anything to do.
void vPortSetupTimerInterrupt(void)
{
}

void vApplicationIdleHook(void)
{
  if (!quiet) (void)sweep_clock();
  board_pend();
}
