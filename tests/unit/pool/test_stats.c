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

static void the_statistics_count_issues_returns_thefts_and_refusals(void)
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

void suite_stats(void)
{
  RUN(the_statistics_of_a_pool_at_boot_are_zero);
  RUN(the_statistics_count_issues_returns_thefts_and_refusals);
  RUN(the_peak_outlives_the_objects);
}
