// SPDX-License-Identifier: MIT
#include "steal.h"

#include "core/tp_totals.h"

static struct voice *taken[4];

// One echo a unit of time, from [now] on.
static void fill(uint32_t now)
{
  steal_start();
  tp_clock_now = now;
  for (uint32_t i = 0; i < 4; i++) {
    taken[i] = echoes_alloc();
    tp_clock_now++;
  }
}

static void an_object_is_stolen_only_from_its_minimal_age_on(void)
{
  fill(0);
  tp_clock_now = 2;

  CHECK(echoes_alloc() == NULL);
  CHECK_EQ(echoes_pool.state->refused_by_rule, 1);
  tp_clock_now = 3;
  CHECK(echoes_alloc() == taken[0]);
  CHECK(echoes_alloc() == NULL);
}

static void ages_are_right_when_the_clock_wraps(void)
{
  fill(UINT32_MAX - 1);
  tp_clock_now = 0;
  CHECK(echoes_alloc() == NULL);
  tp_clock_now = 1;
  CHECK(echoes_alloc() == taken[0]);
  CHECK(echoes_alloc() == NULL);
}

static void a_storm_does_not_steal_what_it_created(void)
{
  fill(0);
  tp_clock_now = 100;
  for (uint32_t i = 0; i < 4; i++) CHECK(echoes_alloc() == taken[i]);
  for (uint32_t i = 0; i < 100; i++) CHECK(echoes_alloc() == NULL);
  CHECK_EQ(thefts.count, 4);
}

static void the_age_of_an_unpinned_object_starts_again(void)
{
  fill(0);
  tp_clock_now = 10;
  echoes_pin(taken[0]);
  echoes_unpin(taken[0]);
  for (uint32_t i = 1; i < 4; i++) CHECK(echoes_alloc() == taken[i]);

  CHECK(echoes_alloc() == NULL);
  tp_clock_now = 13;
  CHECK(echoes_alloc() == taken[0]);
}

static void a_slot_that_was_free_is_issued_whatever_its_age(void)
{
  fill(0);
  echoes_free(taken[3]);
  CHECK(echoes_alloc() == taken[3]);
}

static void the_age_of_the_oldest_is_known_over_a_wrap_of_the_clock(void)
{
  fill(UINT32_MAX - 1);
  tp_clock_now = 5;
  CHECK_EQ(tp_pool_oldest_age(&echoes_pool), 7);
  echoes_free(taken[0]);
  CHECK_EQ(tp_pool_oldest_age(&echoes_pool), 6);
  for (uint32_t i = 1; i < 4; i++) echoes_free(taken[i]);
  CHECK_EQ(tp_pool_oldest_age(&echoes_pool), 0);
}

static void nobody_has_an_age_in_an_empty_pool_or_one_without_times(void)
{
  steal_start();
  tp_clock_now = 9;
  CHECK_EQ(tp_pool_oldest_age(&echoes_pool), 0);
  tp_pool_alloc(&voices_pool);
  tp_clock_now = 99;
  CHECK_EQ(tp_pool_oldest_age(&voices_pool), 0);
}

static void where_all_are_pinned_nobody_is_the_oldest(void)
{
  fill(0);
  tp_clock_now = 100;
  for (uint32_t i = 0; i < 4; i++) echoes_pin(taken[i]);
  CHECK(echoes_alloc() == NULL);
  CHECK_EQ(echoes_pool.state->refused_by_rule, 1);
  CHECK_EQ(tp_pool_oldest_age(&echoes_pool), 0);
}

static void totals_know_the_age_of_the_oldest_of_a_timed_pool(void)
{
  static const struct tp_entry echoes = {
      .name = "echoes", .kind = &tp_pool_kind, .allocator = &echoes_pool};
  static const struct tp_entry *const entries[] = {&echoes};
  static const struct tp_registry registry = {.entries = entries, .count = 1};
  struct tp_totals_row row = {0};
  const struct tp_totals totals = {&registry, &row};
  fill(0);
  tp_clock_now = 9;
  tp_totals_update(&totals);
  CHECK_EQ(row.oldest, 9);
}

void suite_ages(void)
{
  RUN(totals_know_the_age_of_the_oldest_of_a_timed_pool);
  RUN(the_age_of_the_oldest_is_known_over_a_wrap_of_the_clock);
  RUN(an_object_is_stolen_only_from_its_minimal_age_on);
  RUN(ages_are_right_when_the_clock_wraps);
  RUN(where_all_are_pinned_nobody_is_the_oldest);
  RUN(a_storm_does_not_steal_what_it_created);
  RUN(the_age_of_an_unpinned_object_starts_again);
  RUN(a_slot_that_was_free_is_issued_whatever_its_age);
  RUN(nobody_has_an_age_in_an_empty_pool_or_one_without_times);
}
