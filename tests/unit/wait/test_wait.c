// SPDX-License-Identifier: MIT
#include "tasks.h"

#include "check/tp_check.h"

static struct thing *got[3];
static uint32_t gone;

static void free_one(void)
{
  seats_free(taken[0]);
}

static void a_free_slot_is_taken_without_a_wait(void)
{
  fill();
  free_one();
  struct thing *object = seats_alloc_wait(TP_WAIT_FOREVER);
  CHECK(object == taken[0]);
  CHECK_EQ(tasks.sleeps, 0);
  CHECK_EQ(tasks.prepared, 0);
}

static void who_does_not_want_to_wait_does_not(void)
{
  fill();
  CHECK(seats_alloc_wait(0) == NULL);
  CHECK_EQ(tasks.sleeps, 0);
}

static void who_waits_is_handed_what_another_frees(void)
{
  fill();
  tasks.sleeping = free_one;
  CHECK(seats_alloc_wait(7) == taken[0]);
  CHECK_EQ(tasks.ticks, 7);
  CHECK_EQ(tasks.wakes, 1);
  CHECK_EQ(tasks.prepared, 0);
  CHECK(seats_wait.state->first.waiter == NULL);
  CHECK(seats_alloc() == NULL);
}

static void a_free_that_nobody_waits_for_wakes_nobody(void)
{
  fill();
  free_one();
  CHECK_EQ(tasks.wakes, 0);
  CHECK(seats_alloc() == taken[0]);
}

static void time_that_passes_leaves_nobody_behind(void)
{
  fill();
  CHECK(seats_alloc_wait(7) == NULL);
  CHECK_EQ(tasks.prepared, 0);
  CHECK(seats_wait.state->first.waiter == NULL);
  free_one();
  CHECK_EQ(tasks.wakes, 0);
  CHECK(seats_alloc() == taken[0]);
}

static void what_is_freed_as_time_passes_is_not_lost(void)
{
  fill();
  tasks.ending = free_one;
  CHECK(seats_alloc_wait(7) == taken[0]);
  CHECK_EQ(tasks.sleeps, 2);
  CHECK(seats_wait.state->first.waiter == NULL);
}

static void what_is_freed_before_it_waits_is_not_lost(void)
{
  fill();
  tasks.preparing = free_one;
  CHECK(seats_alloc_wait(TP_WAIT_FOREVER) == taken[0]);
}

static uint32_t refused_by(uint32_t ticks)
{
  uint32_t before = seats_pool.state->overflows;
  (void)seats_alloc_wait(ticks);
  return seats_pool.state->overflows - before;
}

// Without tags nobody counts.
static void only_who_gets_nothing_in_the_end_was_refused(void)
{
  const uint32_t once = TP_CHECKS >= TP_CHECKS_FAST;
  fill();
  CHECK_EQ(refused_by(0), once);
  CHECK_EQ(refused_by(7), once);
  tasks.sleeping = free_one;
  CHECK_EQ(refused_by(7), 0);
  tasks.ending = free_one;
  CHECK_EQ(refused_by(7), 0);
  free_one();
  CHECK_EQ(refused_by(7), 0);
}

static void who_is_served_is_not_refused_when_the_count_is_about_to_wrap(void)
{
  fill();
  seats_pool.state->overflows = UINT32_MAX - 1;
  tasks.sleeping = free_one;
  CHECK_EQ(refused_by(7), 0);
}

static void free_both(void)
{
  seats_free(taken[0]);
  seats_free(taken[1]);
}

// The second sleeps while the first does.
static void wait_behind_it(void)
{
  tasks.sleeping = free_both;
  got[1] = seats_alloc_wait(TP_WAIT_FOREVER);
}

static void first_come_is_first_served(void)
{
  fill();
  tasks.sleeping = wait_behind_it;
  got[0] = seats_alloc_wait(TP_WAIT_FOREVER);
  CHECK(got[0] == taken[0]);
  CHECK(got[1] == taken[1]);
  CHECK_EQ(tasks.wakes, 2);
}

static void wait_behind_it_after_a_reset(void)
{
  tp_pool_reset(&seats_pool);
  (void)seats_alloc();
  got[1] = seats_alloc_wait(3);
}

static void who_comes_to_wait_takes_no_slot_before_who_waits(void)
{
  fill();
  tasks.sleeping = wait_behind_it_after_a_reset;
  got[0] = seats_alloc_wait(TP_WAIT_FOREVER);
  CHECK(got[0] != NULL);
  CHECK(got[1] == NULL);
}

static void wait_as_the_most_urgent(void)
{
  tasks.urgency = 2;
  wait_behind_it();
}

static void the_most_urgent_is_served_first(void)
{
  fill();
  tasks.urgency = 1;
  tasks.sleeping = wait_as_the_most_urgent;
  got[0] = seats_alloc_wait(TP_WAIT_FOREVER);
  CHECK(got[1] == taken[0]);
  CHECK(got[0] == taken[1]);
}

static void free_one_of_two(void)
{
  seats_free(taken[1]);
}

// It gives up before the one ahead of it is served.
static void give_up_behind_it(void)
{
  got[1] = seats_alloc_wait(3);
  free_one_of_two();
}

static void who_gives_up_leaves_those_ahead_waiting(void)
{
  fill();
  tasks.sleeping = give_up_behind_it;
  got[0] = seats_alloc_wait(TP_WAIT_FOREVER);
  CHECK(got[1] == NULL);
  CHECK(got[0] == taken[1]);
}

static void send_away(void)
{
  gone = seats_cancel_wait();
}

static void wait_to_be_sent_away(void)
{
  tasks.sleeping = send_away;
  got[1] = seats_alloc_wait(TP_WAIT_FOREVER);
}

static void all_who_wait_are_sent_away(void)
{
  fill();
  tasks.sleeping = wait_to_be_sent_away;
  got[1] = taken[0];
  CHECK(seats_alloc_wait(TP_WAIT_FOREVER) == NULL);
  CHECK(got[1] == NULL);
  CHECK_EQ(gone, 2);
  CHECK_EQ(seats_cancel_wait(), 0);
  CHECK_EQ(tasks.prepared, 0);
}

// As a task that is woken first, and is more urgent than who sends it away: it
// might wait again at once, without end.
static void come_and_wait(void)
{
  seats_free(taken[0]);
  got[2] = seats_alloc_wait(TP_WAIT_FOREVER);
}

static void who_comes_as_others_are_sent_away_is_none_of_them(void)
{
  fill();
  tasks.sleeping = wait_to_be_sent_away;
  tasks.waking = come_and_wait;
  CHECK(seats_alloc_wait(TP_WAIT_FOREVER) == NULL);
  CHECK(got[1] == NULL);
  CHECK(got[2] == taken[0]);
  CHECK_EQ(gone, 2);
  CHECK_EQ(tasks.prepared, 0);
}

static void reset_all(void)
{
  tp_pool_reset(&seats_pool);
}

static void free_and_reset(void)
{
  tasks.waking = reset_all;
  seats_free(taken[1]);
}

static void a_reset_takes_back_what_was_handed_to_who_has_yet_to_run(void)
{
  fill();
  tasks.sleeping = free_and_reset;
  CHECK(seats_alloc_wait(TP_WAIT_FOREVER) == taken[1]);
  CHECK_EQ(tp_pool_live(&seats_pool), 0);
  CHECK(seats_alloc() == taken[0]);
  CHECK(seats_alloc() == taken[1]);
}

static void reset_and_serve(void)
{
  tp_pool_reset(&seats_pool);
  tp_wait_serve(&seats_wait);
}

static void after_a_reset_those_who_wait_are_served(void)
{
  fill();
  tasks.sleeping = reset_and_serve;
  CHECK(seats_alloc_wait(TP_WAIT_FOREVER) == taken[0]);
}

static void a_reset_of_what_devices_use_serves_those_who_wait(void)
{
  fill();
  tp_test_forget(&piers_pool);
  void *first = piers_alloc();
  CHECK(piers_alloc() != NULL);
  tasks.sleeping = piers_reset;
  CHECK(piers_alloc_wait(TP_WAIT_FOREVER) == first);
}

static void a_wait_in_an_interrupt_is_a_fault(void)
{
  if (TP_CHECKS < TP_CHECKS_FAST) return;
  fill();
  free_one();
  tasks.interrupt = true;
  CHECK_FAULTS(TP_FAULT_CONTEXT, seats_alloc_wait(7));
  CHECK_RECORD(seats_pool.name, &seats_wait, 0, 0);
  CHECK_FAULTS(TP_FAULT_CONTEXT, seats_alloc_wait(0));
}

static void the_pool_s_faults_are_those_of_a_wait(void)
{
  if (TP_CHECKS < TP_CHECKS_FAST) return;
  fill();
  free_one();
  CHECK_FAULTS(TP_FAULT_DOUBLE_FREE, free_one());
  *(uint32_t *)taken[0] ^= 0x00050000u;
  CHECK_FAULTS(TP_FAULT_LINK, seats_alloc_wait(7));
}

static void damage_one(void)
{
  tp_pool_free(&seats_pool, taken[0]);
  *(uint32_t *)taken[0] ^= 0x00050000u;
}

static void hand_over_what_is_damaged(void)
{
  damage_one();
  tp_wait_serve(&seats_wait);
}

static TP_NOINLINE void wait_here(void)
{
  static volatile uint32_t came_back;
  (void)seats_alloc_wait(7);
  came_back++;
}

static void a_fault_of_who_hands_over_names_who_waits(void)
{
  if (TP_CHECKS < TP_CHECKS_FAST) return;
  fill();
  damage_one();
  CHECK_FAULTS(TP_FAULT_LINK, wait_here());
  const void *caller = tp_fault_record.caller;
  fill();
  tasks.sleeping = hand_over_what_is_damaged;
  CHECK_FAULTS(TP_FAULT_LINK, wait_here());
  CHECK(tp_fault_record.caller == caller);
}

// One bit of what leads to who waits, or on from there, is another. A waiter
// begins with what leads on.
static struct {
  uint32_t link, half, bit;
  void (*then)(void);
  struct tp_wait_link *at;
} flip;

static void flip_it(void)
{
  struct tp_wait_link *at = &seats_wait.state->first;
  if (flip.link) at = (struct tp_wait_link *)(void *)at->waiter;
  uintptr_t *word = (uintptr_t *)(void *)at + flip.half;
  *word ^= (uintptr_t)1 << flip.bit;
  flip.at = at;
  flip.then();
}

static void wait_too(void)
{
  (void)seats_alloc_wait(3);
}

static void cancel(void)
{
  (void)seats_cancel_wait();
}

static void let_it_go(void)
{
}

// What leads on from the first is what leads to the next, when that is served.
static void wait_until(void (*then)(void), bool moves)
{
  fill();
  flip.then = then;
  tasks.sleeping = flip_it;
  CHECK_FAULTS(TP_FAULT_INVARIANT, seats_alloc_wait(7));
  CHECK(tp_fault_record.name == seats_pool.name);
  CHECK(tp_fault_record.address ==
        (moves ? &seats_wait.state->first : flip.at));
  CHECK(tp_fault_record.found != tp_fault_record.expected || flip.bit >= 32);
}

static void a_list_of_who_waits_that_was_written_over_is_not_followed(void)
{
  if (TP_CHECKS < TP_CHECKS_FAST) return;
  for (flip.bit = 0; flip.bit < 8 * sizeof(void *); flip.bit++) {
    for (flip.half = 0; flip.half < 2; flip.half++) {
      for (flip.link = 0; flip.link < 2; flip.link++) {
        wait_until(free_both, flip.link);
        wait_until(cancel, false);
        wait_until(flip.link ? wait_too : let_it_go, false);
      }
    }
  }
  fill();
}

void suite_wait(void)
{
  RUN(a_free_slot_is_taken_without_a_wait);
  RUN(who_does_not_want_to_wait_does_not);
  RUN(who_waits_is_handed_what_another_frees);
  RUN(a_free_that_nobody_waits_for_wakes_nobody);
  RUN(time_that_passes_leaves_nobody_behind);
  RUN(what_is_freed_as_time_passes_is_not_lost);
  RUN(what_is_freed_before_it_waits_is_not_lost);
  RUN(only_who_gets_nothing_in_the_end_was_refused);
  RUN(who_is_served_is_not_refused_when_the_count_is_about_to_wrap);
  RUN(first_come_is_first_served);
  RUN(who_comes_to_wait_takes_no_slot_before_who_waits);
  RUN(the_most_urgent_is_served_first);
  RUN(who_gives_up_leaves_those_ahead_waiting);
  RUN(a_reset_takes_back_what_was_handed_to_who_has_yet_to_run);
  RUN(all_who_wait_are_sent_away);
  RUN(who_comes_as_others_are_sent_away_is_none_of_them);
  RUN(after_a_reset_those_who_wait_are_served);
  RUN(a_reset_of_what_devices_use_serves_those_who_wait);
  RUN(a_wait_in_an_interrupt_is_a_fault);
  RUN(the_pool_s_faults_are_those_of_a_wait);
  RUN(a_fault_of_who_hands_over_names_who_waits);
  RUN(a_list_of_who_waits_that_was_written_over_is_not_followed);
}
