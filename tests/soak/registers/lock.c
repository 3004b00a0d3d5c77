// SPDX-License-Identifier: MIT
// What the questions about locks change of the core's registers is as it was
// behind each.
#include "tp_ask_lock.c"

#include "config/tp_define.h"
#include "registers.h"
#include "tp_test.h"

TP_POOL_DEFINE_TAGGED(tp_ask_plain, TP_ASK_BYTES, TP_ASK_SLOTS, 4,
                      .policy = &tp_drop, .refuses = 1);

enum { OTHER_RELOAD = 25000, OTHER_CONTROL = 5 };

static void set_up(uint32_t control)
{
  timer->control = 0;
  timer->reload = OTHER_RELOAD;
  timer->now = 0;
  timer->control = control;
  PRIORITIES = 0x40800000;
  ENABLED[0] = 1u << 8 | 1u << 31;
  skipped = false;
}

static void check_as_it_was(uint32_t table, uint32_t control)
{
  CHECK_EQ(TABLE, table);
  CHECK_EQ(PRIORITIES, 0x40800000);
  CHECK_EQ(timer->reload, OTHER_RELOAD);
  CHECK_EQ(timer->control & 7, control);
  CHECK_EQ(ENABLED[0] & (1u << 8 | 1u << 31 | 1u << 9), 1u << 8 | 1u << 31);
  CHECK(!(CONTROL & (1u << 28 | 1u << 26)));  // PendSV or SysTick is pending.
}

static void all_is_as_it_was_behind_each_question(void)
{
  static const uint32_t controls[] = {0, OTHER_CONTROL};
  for (uint32_t i = 0; i < 2; i++) {
    for (const struct tp_question *one = tp_ask_lock; one->name; one++) {
      uint32_t table = TABLE;
      set_up(controls[i]);
      CHECK(one->ask());
      check_as_it_was(table, controls[i]);
      CHECK(!skipped);
    }
  }
}

// With interrupts masked, and one of ours on its way.
static void so_it_is_where_a_question_ended_half_way(void)
{
  uint32_t table = TABLE;
  set_up(OTHER_CONTROL);
  take_over();
  CHECK_EQ(ENABLED[0] & 1u << 8, 0);
  uint32_t key = tp_port_lock();
  pend();
  tp_ask_lock_end();
  tp_port_unlock(key);
  check_as_it_was(table, OTHER_CONTROL);
}

static void what_the_firmware_changes_between_two_questions_stays(void)
{
  uint32_t table = TABLE;
  set_up(OTHER_CONTROL);
  take_over();
  tp_ask_lock_end();
  set_up(0);
  tp_ask_lock_end();
  check_as_it_was(table, 0);
}

static void who_is_interrupted_by_systick_is_not_asked(void)
{
  uint32_t table = TABLE;
  for (const struct tp_question *one = tp_ask_lock; one->name; one++) {
    set_up(7);
    timer->reload = 0xffffff;
    timer->now = 0;
    CHECK(one->ask());
    CHECK(skipped);
    CHECK_EQ(TABLE, table);
    CHECK_EQ(timer->reload, 0xffffff);
  }
  timer->control = 0;
}

void test_lock(void)
{
  RUN(all_is_as_it_was_behind_each_question);
  RUN(so_it_is_where_a_question_ended_half_way);
  RUN(what_the_firmware_changes_between_two_questions_stays);
  RUN(who_is_interrupted_by_systick_is_not_asked);
}
