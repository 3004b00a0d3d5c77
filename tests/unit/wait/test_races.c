// SPDX-License-Identifier: MIT
// An interrupt at each edge of a lock, on the host: tests/sweep has it at every
// instruction.
#include "tasks.h"
#include "tp_port.h"

#ifndef __arm__

static uint32_t edge;
static bool waited;
static struct thing *other;

// Without tags nobody counts the live.
static uint32_t live(void)
{
  uint32_t count = SEATS_COUNT;
  tp_port_interrupt_after(0, NULL);
  while (seats_alloc()) count--;
  return count;
}

static void free_in_interrupt(void)
{
  waited = seats_wait.state->first.waiter != NULL;
  seats_free(taken[0]);
}

static void a_slot_that_an_interrupt_frees_at_any_edge_is_not_lost(void)
{
  uint32_t served = 0;
  for (edge = 1;; edge++) {
    fill();
    tp_port_interrupt_after(edge, free_in_interrupt);
    struct thing *object = seats_alloc_wait(7);
    if (tp_port_due > 0) break;
    CHECK_EQ(live(), object ? 2 : 1);
    CHECK(object || !waited);
    CHECK(seats_wait.state->first.waiter == NULL);
    CHECK_EQ(tasks.prepared, 0);
    served += object != NULL;
  }
  tp_port_interrupt_after(0, NULL);
  CHECK(served > 4);
}

static void take_in_interrupt(void)
{
  other = seats_alloc();
}

static void free_against_a_taker(void)
{
  other = NULL;
  tp_port_interrupt_after(edge, take_in_interrupt);
  seats_free(taken[0]);
  if (other) seats_free(other);
}

static void a_slot_that_an_interrupt_takes_first_is_handed_on_later(void)
{
  uint32_t taken_first = 0;
  for (edge = 1;; edge++) {
    fill();
    tasks.sleeping = free_against_a_taker;
    struct thing *object = seats_alloc_wait(TP_WAIT_FOREVER);
    if (tp_port_due > 0) break;
    CHECK(object == taken[0]);
    CHECK_EQ(live(), 2);
    taken_first += other != NULL;
  }
  tp_port_interrupt_after(0, NULL);
  CHECK(taken_first > 1);
}

static void send_away(void)
{
  (void)seats_cancel_wait();
}

static void free_as_it_is_sent_away(void)
{
  tp_port_interrupt_after(edge, send_away);
  seats_free(taken[0]);
}

static void a_slot_for_who_is_sent_away_meanwhile_is_free(void)
{
  uint32_t sent_away = 0;
  for (edge = 1;; edge++) {
    fill();
    tasks.sleeping = free_as_it_is_sent_away;
    struct thing *object = seats_alloc_wait(TP_WAIT_FOREVER);
    if (tp_port_due > 0) break;
    CHECK_EQ(live(), object ? 2 : 1);
    CHECK_EQ(tasks.wakes, 1);
    sent_away += object == NULL;
  }
  tp_port_interrupt_after(0, NULL);
  CHECK(sent_away > 4);
}

static uint32_t windows_of_a_wait(uint32_t ticks)
{
  uint32_t before = tp_port_windows;
  (void)seats_alloc_wait(ticks);
  return tp_port_windows - before;
}

static void a_wait_for_a_free_slot_locks_as_often_as_an_alloc(void)
{
  fill();
  seats_free(taken[0]);
  uint32_t before = tp_port_windows;
  seats_free(seats_alloc());
  uint32_t pair = tp_port_windows - before;
  uint32_t wait = windows_of_a_wait(7);
  before = tp_port_windows;
  seats_free(taken[0]);
  CHECK_EQ(wait + tp_port_windows - before, pair);
}

static void a_wait_in_vain_locks_five_times_more(void)
{
  fill();
  uint32_t refused = windows_of_a_wait(0);
  CHECK_EQ(windows_of_a_wait(7),
           refused + (TP_CHECKS >= TP_CHECKS_FAST ? 5 : 3));
}

static uint32_t windows_of_a_cancel;

static void count_a_cancel(void)
{
  uint32_t before = tp_port_windows;
  (void)seats_cancel_wait();
  windows_of_a_cancel = tp_port_windows - before;
}

static void those_who_are_sent_away_take_one_window(void)
{
  fill();
  tasks.sleeping = count_a_cancel;
  (void)seats_alloc_wait(TP_WAIT_FOREVER);
  CHECK_EQ(windows_of_a_cancel, 1);
}

static uint32_t windows_of_a_free;

static void count_a_free(void)
{
  uint32_t before = tp_port_windows;
  seats_free(taken[0]);
  windows_of_a_free = tp_port_windows - before;
}

static void a_slot_that_is_handed_over_takes_three_windows_more_than_a_pair(
    void)
{
  fill();
  uint32_t before = tp_port_windows;
  seats_free(taken[0]);
  (void)seats_alloc();
  uint32_t pair = tp_port_windows - before;
  tasks.sleeping = count_a_free;
  CHECK(seats_alloc_wait(7) == taken[0]);
  CHECK_EQ(windows_of_a_free, pair + 3);
}

static void write_over_the_list(void)
{
  seats_wait.state->first.copy = (struct tp_waiter *)(void *)&edge;
}

static void free_as_the_list_is_written_over(void)
{
  tp_port_interrupt_after(edge, write_over_the_list);
  seats_free(taken[0]);
}

// Behind the last look at it, too, before its first is woken.
static void a_list_that_is_written_over_as_a_slot_is_handed_over_is_told(void)
{
  if (TP_CHECKS < TP_CHECKS_FAST) return;
  for (edge = 1; edge <= 8; edge++) {
    fill();
    tasks.sleeping = free_as_the_list_is_written_over;
    CHECK_FAULTS(TP_FAULT_INVARIANT, seats_alloc_wait(7));
    CHECK(tp_fault_record.address == &seats_wait.state->first);
    tp_port_interrupt_after(0, NULL);
  }
  fill();
}

void suite_races(void)
{
  RUN(a_wait_for_a_free_slot_locks_as_often_as_an_alloc);
  RUN(a_wait_in_vain_locks_five_times_more);
  RUN(those_who_are_sent_away_take_one_window);
  RUN(a_slot_that_is_handed_over_takes_three_windows_more_than_a_pair);
  RUN(a_slot_that_an_interrupt_frees_at_any_edge_is_not_lost);
  RUN(a_slot_that_an_interrupt_takes_first_is_handed_on_later);
  RUN(a_slot_for_who_is_sent_away_meanwhile_is_free);
  RUN(a_list_that_is_written_over_as_a_slot_is_handed_over_is_told);
}

#else

void suite_races(void)
{
}

#endif
