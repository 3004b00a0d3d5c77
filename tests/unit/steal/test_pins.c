// SPDX-License-Identifier: MIT
#include "steal.h"

static struct voice *taken[4];

static void fill(void)
{
  steal_start();
  for (uint32_t i = 0; i < 4; i++) {
    taken[i] = voices_alloc();
    *taken[i] = (struct voice){.loudness = i};
  }
}

static void a_pinned_object_is_never_stolen(void)
{
  fill();
  voices_pin(taken[0]);
  voices_pin(taken[1]);

  for (uint32_t i = 0; i < 8; i++) {
    struct voice *voice = voices_alloc();
    CHECK(voice == taken[2] || voice == taken[3]);
    voice->loudness = 0;
  }
  CHECK(tp_pool_verify(&voices_pool, NULL));
}

static void when_all_are_pinned_the_request_is_refused(void)
{
  fill();
  for (uint32_t i = 0; i < 4; i++) voices_pin(taken[i]);

  CHECK(voices_alloc() == NULL);

  CHECK_EQ(voices_pool.state->refused_by_rule, 1);
  CHECK(tp_pool_verify(&voices_pool, NULL));
}

static void an_unpinned_object_can_be_stolen_again(void)
{
  fill();
  voices_pin(taken[0]);
  voices_unpin(taken[0]);

  CHECK(voices_alloc() == taken[0]);
}

static void a_pinned_object_may_be_freed(void)
{
  fill();
  voices_pin(taken[2]);

  voices_free(taken[2]);

  CHECK(tp_pool_verify(&voices_pool, NULL));
  CHECK(voices_alloc() == taken[2]);
  taken[2]->loudness = 0;
  CHECK(voices_alloc() == taken[0]);
}

static void a_handle_is_pinned_only_while_its_object_lives(void)
{
  fill();
  tp_handle_t handle = voices_handle(taken[0]);

  CHECK(voices_pin_handle(handle) == taken[0]);
  CHECK(voices_alloc() == taken[1]);
  CHECK(voices_unpin_handle(handle));
  voices_free(taken[0]);

  CHECK(voices_pin_handle(handle) == NULL);
  CHECK(!voices_unpin_handle(handle));
}

static void pinning_twice_is_a_fault(void)
{
  fill();
  voices_pin(taken[1]);

  CHECK_FAULTS(TP_FAULT_PIN, voices_pin(taken[1]));

  CHECK(tp_fault_record.pool == &voices_pool);
  CHECK_EQ(tp_fault_record.slot, 2);
  CHECK_EQ(tp_fault_record.offset, 0);
  CHECK_EQ(tp_fault_record.found, 1);
  CHECK_EQ(tp_fault_record.expected, 0);
}

static void unpinning_what_is_not_pinned_is_a_fault(void)
{
  fill();
  CHECK_FAULTS(TP_FAULT_PIN, voices_unpin(taken[1]));
  CHECK_EQ(tp_fault_record.slot, 2);
  CHECK_EQ(tp_fault_record.found, 0);
  CHECK_EQ(tp_fault_record.expected, 1);
  CHECK(tp_pool_verify(&voices_pool, NULL));
}

static void pinning_a_dead_object_is_a_fault(void)
{
  fill();
  voices_free(taken[1]);
  CHECK_FAULTS(TP_FAULT_DOUBLE_FREE, voices_pin(taken[1]));
}

static void pinning_what_is_no_object_of_the_pool_is_a_fault(void)
{
  static struct voice foreign;
  fill();
  CHECK_FAULTS(TP_FAULT_FOREIGN, voices_pin(&foreign));
  CHECK_FAULTS(TP_FAULT_FOREIGN, voices_unpin(NULL));
  char *inside = (char *)taken[1] + 4;
  CHECK_FAULTS(TP_FAULT_INTERIOR, tp_pool_pin(&voices_pool, inside));
}

static void what_is_no_handle_pins_nothing(void)
{
  fill();
  tp_handle_t past = (tp_handle_t)voices_pool.capacity + 1;
  CHECK(tp_handle_pin(&voices_pool, TP_NO_HANDLE) == NULL);
  CHECK(!tp_handle_unpin(&voices_pool, TP_NO_HANDLE));
  CHECK(tp_handle_pin(&voices_pool, past) == NULL);
  CHECK(!tp_handle_unpin(&voices_pool, past));
  CHECK(tp_pool_alloc(&voices_pool) == taken[0]);
}

static void a_handle_of_64_bits_is_pinned_only_while_its_object_lives(void)
{
  fill();
  tp_handle64_t handle = tp_handle64_of(&voices_pool, taken[0]);

  CHECK(tp_handle64_pin(&voices_pool, handle) == taken[0]);
  CHECK(tp_pool_alloc(&voices_pool) == taken[1]);
  CHECK(tp_handle64_unpin(&voices_pool, handle));
  tp_pool_free(&voices_pool, taken[0]);

  CHECK(tp_handle64_pin(&voices_pool, handle) == NULL);
  CHECK(!tp_handle64_unpin(&voices_pool, handle));
  CHECK(tp_handle64_pin(&voices_pool, TP_NO_HANDLE) == NULL);
}

static void pinning_a_handle_twice_is_a_fault(void)
{
  fill();
  tp_handle_t handle = tp_handle_of(&voices_pool, taken[1]);
  tp_handle_pin(&voices_pool, handle);
  CHECK_FAULTS(TP_FAULT_PIN, tp_handle_pin(&voices_pool, handle));
  CHECK_EQ(tp_fault_record.slot, 2);
  CHECK_EQ(tp_fault_record.offset, 0);
  CHECK_EQ(tp_fault_record.found, 1);
  CHECK_EQ(tp_fault_record.expected, 0);
}

static void unpinning_a_handle_that_is_not_pinned_is_a_fault(void)
{
  fill();
  CHECK_FAULTS(TP_FAULT_PIN, voices_unpin_handle(voices_handle(taken[1])));
  CHECK_EQ(tp_fault_record.slot, 2);
  CHECK_EQ(tp_fault_record.found, 0);
  CHECK_EQ(tp_fault_record.expected, 1);
}

// What lies behind the last slot is another's, though its tag says live.
static void pinning_what_is_past_the_last_slot_is_a_fault(void)
{
  struct tp_pool less = voices_pool;
  fill();
  less.capacity = 3;
  CHECK_FAULTS(TP_FAULT_FOREIGN, tp_pool_pin(&less, taken[3]));
  CHECK_EQ(voices_pool.age[4].newer, 0);
}

static void in_a_pool_that_does_not_steal_pins_do_nothing(void)
{
  tp_test_forget(&stones_pool);
  void *stone = tp_pool_alloc(&stones_pool);
  tp_pool_unpin(&stones_pool, stone);
  tp_pool_pin(&stones_pool, stone);
  tp_pool_pin(&stones_pool, stone);
  CHECK(tp_pool_verify(&stones_pool, NULL));
  tp_pool_free(&stones_pool, stone);
}

void suite_pins(void)
{
  RUN(a_pinned_object_is_never_stolen);
  RUN(when_all_are_pinned_the_request_is_refused);
  RUN(an_unpinned_object_can_be_stolen_again);
  RUN(a_pinned_object_may_be_freed);
  RUN(a_handle_is_pinned_only_while_its_object_lives);
  RUN(what_is_no_handle_pins_nothing);
  RUN(a_handle_of_64_bits_is_pinned_only_while_its_object_lives);
  RUN(in_a_pool_that_does_not_steal_pins_do_nothing);
  if (TP_CHECKS < TP_CHECKS_FAST) return;
  RUN(pinning_twice_is_a_fault);
  RUN(pinning_a_handle_twice_is_a_fault);
  RUN(unpinning_a_handle_that_is_not_pinned_is_a_fault);
  RUN(pinning_what_is_past_the_last_slot_is_a_fault);
  RUN(unpinning_what_is_not_pinned_is_a_fault);
  RUN(pinning_a_dead_object_is_a_fault);
  RUN(pinning_what_is_no_object_of_the_pool_is_a_fault);
}
