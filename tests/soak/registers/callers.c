// SPDX-License-Identifier: MIT
// Of which priority who calls is, whatever exception that is.
#include "tp_soak_callers.c"

#include "registers.h"
#include "tp_test.h"

static volatile uint32_t *at(uint32_t address)
{
  return (volatile uint32_t *)(uintptr_t)address;
}

static void each_exception_has_the_priority_that_its_register_says(void)
{
  uint32_t system = *at(SCB_SHPR1 + 4), others = *at(SCB_SHPR1 + 8);
  *at(SCB_SHPR1) = 0x00604020;
  *at(SCB_SHPR1 + 4) = 0xa0000000;  // SVCall.
  *at(SCB_SHPR1 + 8) = 0x80e00000;  // SysTick and PendSV.
  *at(NVIC_IPR + 8) = 0xc0804020;   // Interrupts 8 to 11.
  CHECK_EQ(priority_of(4), 0x20);
  CHECK_EQ(priority_of(5), 0x40);
  CHECK_EQ(priority_of(6), 0x60);
  CHECK_EQ(priority_of(11), 0xa0);
  CHECK_EQ(priority_of(14), 0xe0);
  CHECK_EQ(priority_of(15), 0x80);
  for (uint32_t i = 0; i < 4; i++) {
    CHECK_EQ(priority_of(24 + i), (0xc0804020u >> 8 * i) & 0xff);
  }
  *at(SCB_SHPR1) = *at(NVIC_IPR + 8) = 0;
  *at(SCB_SHPR1 + 4) = system;
  *at(SCB_SHPR1 + 8) = others;
}

static void none_that_a_row_can_name_is_that_of_an_nmi_or_a_hard_fault(void)
{
  CHECK_EQ(priority_of(2), NO_PRIORITY);
  CHECK_EQ(priority_of(3), NO_PRIORITY);
  CHECK_EQ(priority_of(0), TP_CALLER_TASK);
}

static const char *name_nobody(void)
{
  return NULL;
}

static const char *task;

static const char *name_task(void)
{
  return task;
}

// Of one who calls what his row does not say; returns how many are met by then.
static uint32_t meet(const struct tp_called *row, const char *name,
                     uint32_t call)
{
  task = name;
  struct stranger now = who_calls(row, call);
  note(&now);
  return strangers_met;
}

static void strangers_are_told_apart_by_row_call_and_task_up_to_8_of_them(void)
{
  static const struct tp_called rows[9];
  struct tp_soak soak = {.task = name_task};
  running = &soak;
  CHECK_EQ(meet(&rows[0], "one", TP_CALLS_ALLOC), 1);
  CHECK_EQ(meet(&rows[0], "one", TP_CALLS_ALLOC), 1);
  CHECK_EQ(meet(&rows[0], "other", TP_CALLS_ALLOC), 2);
  CHECK_EQ(meet(&rows[0], "other", TP_CALLS_FREE), 3);
  CHECK_EQ(meet(&rows[1], "other", TP_CALLS_FREE), 4);
  for (uint32_t i = 2; i < 9; i++) meet(&rows[i], "one", TP_CALLS_FREE);
  CHECK_EQ(strangers_met, 8);
  soak.task = name_nobody;
  struct stranger now = who_calls(rows, TP_CALLS_FREE);
  CHECK(!now.task);
  running = NULL;
}

void test_callers(void)
{
  RUN(each_exception_has_the_priority_that_its_register_says);
  RUN(none_that_a_row_can_name_is_that_of_an_nmi_or_a_hard_fault);
  RUN(strangers_are_told_apart_by_row_call_and_task_up_to_8_of_them);
}
