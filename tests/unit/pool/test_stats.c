// SPDX-License-Identifier: MIT
#include "unit.h"

static struct tp_stats stats;

static void the_statistics_of_a_pool_at_boot_are_zero(void)
{
  tp_test_forget(&notes_pool);
  tp_pool_stats(&notes_pool, &stats);
  CHECK_EQ(stats.live + stats.peak + stats.allocs, 0);
  CHECK_EQ(stats.frees + stats.steals + stats.refused, 0);
}

static void the_statistics_count_allocs_frees_and_steals(void)
{
  tp_test_forget(&notes_pool);
  struct note *notes[4];
  for (uint32_t i = 0; i < 4; i++) notes[i] = notes_alloc();
  notes_alloc();
  notes_alloc();
  notes_free(notes[2]);
  tp_pool_stats(&notes_pool, &stats);
  CHECK_EQ(stats.peak, 4);
  CHECK_EQ(stats.steals, 2);
  CHECK_EQ(stats.refused, 0);
  if (TP_CHECKS < TP_CHECKS_FAST) return;
  CHECK_EQ(stats.allocs, 6);
  CHECK_EQ(stats.frees, 1);
  CHECK_EQ(stats.live, 3);
}

// Where nothing counts them.
static void off_counts_no_objects_of_a_pool_without_handles(void)
{
  tp_test_forget(&notes_pool);
  for (uint32_t i = 0; i < 6; i++) notes_alloc();
  stats.allocs = stats.frees = stats.live = 77;
  tp_pool_stats(&notes_pool, &stats);
  CHECK_EQ(stats.steals, 2);
  CHECK_EQ(stats.allocs + stats.frees + stats.live, 0);
}

static void the_peak_outlives_the_objects(void)
{
  tp_test_forget(&crates_pool);
  struct crate *first = crates_alloc();
  struct crate *second = crates_alloc();
  crates_free(first);
  crates_free(second);
  crates_alloc();
  tp_pool_stats(&crates_pool, &stats);
  CHECK_EQ(stats.peak, 2);
}

static void as_many_are_live_as_were_issued_and_not_given_back(void)
{
  bool counts = TP_CHECKS >= TP_CHECKS_FAST;
  tp_test_forget(&crates_pool);
  CHECK_EQ(tp_pool_live(&crates_pool), 0);
  void *crate = tp_pool_alloc(&crates_pool);
  tp_pool_alloc(&crates_pool);
  CHECK_EQ(tp_pool_live(&crates_pool), counts ? 2 : 0);
  tp_pool_free(&crates_pool, crate);
  CHECK_EQ(tp_pool_live(&crates_pool), counts ? 1 : 0);
}

static void a_pool_that_keeps_tags_knows_at_every_level_how_many_are_live(void)
{
  tp_test_forget(&ticks_pool);
  tp_pool_alloc(&ticks_pool);
  tp_pool_alloc(&ticks_pool);
  CHECK_EQ(tp_pool_live(&ticks_pool), 2);
}

void suite_stats(void)
{
  RUN(the_statistics_of_a_pool_at_boot_are_zero);
  RUN(the_statistics_count_allocs_frees_and_steals);
  if (TP_CHECKS < TP_CHECKS_FAST)
    RUN(off_counts_no_objects_of_a_pool_without_handles);
  RUN(the_peak_outlives_the_objects);
  RUN(as_many_are_live_as_were_issued_and_not_given_back);
  RUN(a_pool_that_keeps_tags_knows_at_every_level_how_many_are_live);
}
