// SPDX-License-Identifier: MIT
#include "policies.h"
#include "tp_port.h"

enum { ALL = 8, LOW = 2, REFILL = 5 };

static struct thing *packets[ALL];
static uint32_t taken;

static void take(uint32_t count)
{
  for (; count > 0; count--) packets[taken++] = packets_alloc();
}

static void give(uint32_t count)
{
  for (; count > 0; count--) packets_free(packets[--taken]);
}

static void start(void)
{
  forget_watermark(&packets_watermark);
  forget_watermark(&dry_watermark);
  taken = 0;
}

static void on_low_is_called_once_when_free_slots_fall_to_low(void)
{
  start();
  take(ALL - LOW - 1);
  CHECK_EQ(lows, 0);

  take(1);

  CHECK_EQ(lows, 1);
  CHECK_EQ(free_told, LOW);
  CHECK(tp_watermark_is_low(&packets_watermark));
  CHECK_EQ(packets_watermark.state->low, 1);
  take(LOW);
  CHECK(packets_alloc() == NULL);
  CHECK_EQ(lows, 1);
  CHECK_EQ(packets_watermark.state->live, ALL);
}

static void on_refill_is_called_once_when_they_are_back_at_refill(void)
{
  start();
  take(ALL);
  give(REFILL - 1);
  CHECK_EQ(refills, 0);

  give(1);

  CHECK_EQ(refills, 1);
  CHECK_EQ(free_told, REFILL);
  CHECK(!tp_watermark_is_low(&packets_watermark));
  give(ALL - REFILL);
  CHECK_EQ(refills, 1);
}

static void a_pool_that_never_was_low_is_never_told_to_have_recovered(void)
{
  start();
  take(ALL - LOW - 1);
  give(ALL - LOW - 1);

  CHECK_EQ(lows, 0);
  CHECK_EQ(refills, 0);
}

static void between_low_and_refill_nobody_is_told_again(void)
{
  start();
  take(ALL - LOW);
  for (uint32_t i = 0; i < 1000; i++) {
    give(1 + i % 2);
    take(1 + i % 2);
  }

  CHECK_EQ(lows, 1);
  CHECK_EQ(refills, 0);
}

static void each_crossing_is_told(void)
{
  start();
  for (uint32_t i = 0; i < 1000; i++) {
    take(ALL - LOW);
    give(REFILL - LOW);
    give(ALL - REFILL);
  }

  CHECK_EQ(lows, 1000);
  CHECK_EQ(refills, 1000);
}

static void take_the_rest(void)
{
  take(LOW);
  CHECK(packets_alloc() == NULL);
}

static void who_is_told_that_it_is_low_may_take_what_is_left(void)
{
  start();
  when_told = take_the_rest;

  take(ALL - LOW);

  CHECK_EQ(taken, ALL);
  CHECK_EQ(lows, 1);
}

static void take_the_one(void)
{
  CHECK(dry_alloc() != NULL);
}

static void who_is_told_that_it_recovered_may_take_the_slot_just_freed(void)
{
  start();
  struct thing *one = dry_alloc();
  CHECK(tp_watermark_is_low(&dry_watermark));
  when_told = take_the_one;

  dry_free(one);

  CHECK_EQ(refills, 1);
  CHECK(dry_alloc() == NULL);
  CHECK(tp_watermark_is_low(&dry_watermark));
}

static void what_is_counted_begins_anew_at_a_reset_which_tells_who_waits(void)
{
  start();
  take(ALL - LOW - 1);
  tp_watermark_reset(&packets_watermark);
  CHECK_EQ(refills, 0);
  taken = 0;
  take(ALL - LOW);
  CHECK(tp_watermark_is_low(&packets_watermark));

  tp_watermark_reset(&packets_watermark);

  CHECK_EQ(refills, 1);
  CHECK_EQ(free_told, ALL);
  CHECK(!tp_watermark_is_low(&packets_watermark));
  taken = 0;
  take(ALL - LOW - 1);
  CHECK_EQ(lows, 1);
  take(1);
  CHECK_EQ(lows, 2);
  tp_watermark_reset(&packets_watermark);
  mute_alloc();
  tp_watermark_reset(&mute_watermark);
  CHECK(!tp_watermark_is_low(&mute_watermark));
  CHECK_EQ(refills, 2);
}

// The count against a model's, at random steps.
static void the_own_count_never_drifts(void)
{
  bool low = false;
  uint32_t told = 0;
  start();
  for (uint32_t step = 0; step < 200000; step++) {
    if (tp_test_random() & 1) {
      if (taken < ALL) take(1);
      told += !low && ALL - taken <= LOW;
      low |= ALL - taken <= LOW;
    } else if (taken > 0) {
      give(1);
      low &= ALL - taken < REFILL;
    }
    CHECK_EQ(tp_watermark_is_low(&packets_watermark), low);
  }

  CHECK_EQ(lows, told);
  CHECK_EQ(packets_watermark.state->live, taken);
}

static void whoever_is_told_of_low_water_meets_the_pool_s_faults(void)
{
  start();
  struct thing *thing = tp_watermark_alloc(&packets_watermark);
  tp_watermark_free(&packets_watermark, thing);
  CHECK_FAULTS(TP_FAULT_DOUBLE_FREE,
               tp_watermark_free(&packets_watermark, thing));
  thing->word[0] = 0;
  CHECK_FAULTS(TP_FAULT_LINK, tp_watermark_alloc(&packets_watermark));
}

static void a_watched_pool_that_issued_more_slots_than_it_has_is_not_reset(void)
{
  start();
  take(ALL - LOW);
  packets_pool.state->fresh = ALL + 1;
  CHECK_FAULTS(TP_FAULT_INVARIANT, tp_watermark_reset(&packets_watermark));
  CHECK(tp_watermark_is_low(&packets_watermark));
  CHECK_EQ(refills, 0);
  packets_pool.state->fresh = ALL - LOW;
}

static void who_does_not_want_to_be_told_is_not(void)
{
  start();
  forget_watermark(&mute_watermark);
  struct thing *thing = mute_alloc();
  CHECK_EQ(lows, 1);
  mute_free(thing);
  CHECK(!tp_watermark_is_low(&mute_watermark));
  CHECK_EQ(refills, 0);
  thing = dry_alloc();
  CHECK(tp_watermark_is_low(&dry_watermark));
  CHECK_EQ(lows, 1);
  dry_free(thing);
  CHECK_EQ(refills, 1);
}

#if !defined __arm__ && !defined __riscv

static void what_was_masked_before_a_watched_call_stays_masked(void)
{
  start();
  tp_port_lock();
  take(1);
  CHECK_EQ(tp_port_depth, 1);
  give(1);
  CHECK_EQ(tp_port_depth, 1);
  tp_port_unlock(0);
}

#endif

void suite_watermark(void)
{
#if !defined __arm__ && !defined __riscv
  RUN(what_was_masked_before_a_watched_call_stays_masked);
#endif
  RUN(on_low_is_called_once_when_free_slots_fall_to_low);
  RUN(on_refill_is_called_once_when_they_are_back_at_refill);
  RUN(a_pool_that_never_was_low_is_never_told_to_have_recovered);
  RUN(between_low_and_refill_nobody_is_told_again);
  RUN(each_crossing_is_told);
  RUN(who_does_not_want_to_be_told_is_not);
  RUN(who_is_told_that_it_is_low_may_take_what_is_left);
  RUN(who_is_told_that_it_recovered_may_take_the_slot_just_freed);
  RUN(what_is_counted_begins_anew_at_a_reset_which_tells_who_waits);
  RUN(the_own_count_never_drifts);
  if (TP_CHECKS < TP_CHECKS_FAST) return;
  RUN(whoever_is_told_of_low_water_meets_the_pool_s_faults);
  RUN(a_watched_pool_that_issued_more_slots_than_it_has_is_not_reset);
}
