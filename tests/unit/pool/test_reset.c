// SPDX-License-Identifier: MIT
#include "unit.h"

static void a_reset_pool_has_every_slot_available(void)
{
  tp_test_forget(&crates_pool);
  for (uint32_t i = 0; i < 5; i++) crates_alloc();

  tp_pool_reset(&crates_pool);

  CHECK(tp_pool_verify(&crates_pool, NULL));
  for (uint32_t i = 0; i < 5; i++) CHECK(crates_alloc() != NULL);
  CHECK(crates_alloc() == NULL);
}

static void a_reset_leaves_dead_slots_dead(void)
{
  tp_test_forget(&crates_pool);
  struct crate *first = crates_alloc();
  crates_alloc();
  crates_free(first);

  tp_pool_reset(&crates_pool);
  tp_pool_reset(&crates_pool);

  CHECK(tp_pool_verify(&crates_pool, NULL));
  for (uint32_t i = 0; i < 5; i++) CHECK(crates_alloc() != NULL);
}

static void every_handle_is_stale_after_a_reset_and_for_ever(void)
{
  tp_test_forget(&ticks_pool);
  ticks_handle_t handles[4];
  for (uint32_t i = 0; i < 4; i++) ticks_alloc_handle(&handles[i]);

  for (uint32_t round = 0; round < 100; round++) {
    tp_pool_reset(&ticks_pool);
    for (uint32_t i = 0; i < 4; i++) CHECK(ticks_get(handles[i]) == NULL);
    for (uint32_t i = 0; i < 4; i++) CHECK(ticks_alloc() != NULL);
    for (uint32_t i = 0; i < 4; i++) CHECK(!ticks_free_handle(handles[i]));
  }
}

static void a_reset_pool_steals_in_the_order_of_its_new_life(void)
{
  tp_test_forget(&notes_pool);
  for (uint32_t i = 0; i < 4; i++) notes_alloc();

  tp_pool_reset(&notes_pool);

  struct note *first = notes_alloc();
  for (uint32_t i = 0; i < 3; i++) notes_alloc();
  CHECK(notes_alloc() == first);
  CHECK(tp_pool_verify(&notes_pool, NULL));
}

static void what_a_reset_takes_back_is_counted_as_freed(void)
{
  struct tp_stats stats;
  tp_test_forget(&crates_pool);
  crates_alloc();
  crates_alloc();

  tp_pool_reset(&crates_pool);

  tp_pool_stats(&crates_pool, &stats);
  CHECK_EQ(stats.frees, 2);
  CHECK_EQ(stats.live, 0);
  CHECK_EQ(stats.peak, 2);
}

static void a_pool_that_issued_more_slots_than_it_has_is_not_reset(void)
{
  tp_test_forget(&crates_pool);
  crates_pool.state->fresh = 6;
  CHECK_FAULTS(TP_FAULT_INVARIANT, tp_pool_reset(&crates_pool));
  CHECK(tp_fault_record.pool == &crates_pool);
  CHECK_EQ(tp_fault_record.found, 6);
  CHECK_EQ(tp_fault_record.expected, 5);
  CHECK_EQ(tp_fault_record.slot, 0);
  CHECK_EQ(tp_fault_record.offset, 0);
  tp_test_forget(&crates_pool);
}

void suite_reset(void)
{
  RUN(a_reset_pool_has_every_slot_available);
  RUN(a_reset_leaves_dead_slots_dead);
  RUN(every_handle_is_stale_after_a_reset_and_for_ever);
  RUN(a_reset_pool_steals_in_the_order_of_its_new_life);
  if (TP_CHECKS < TP_CHECKS_FAST) return;
  RUN(what_a_reset_takes_back_is_counted_as_freed);
  RUN(a_pool_that_issued_more_slots_than_it_has_is_not_reset);
}
