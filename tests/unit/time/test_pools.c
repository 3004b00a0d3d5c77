// SPDX-License-Identifier: MIT
#include "core/tp_shape.h"
#include "core/tp_totals.h"
#include "time.h"

static tp_handle_t handle;
static struct tp_stats stats;

static uint32_t of_alloc_of_a_first_slot(uint32_t count)
{
  half_fill(&drops, count);
  return COST(tp_pool_alloc(&drops));
}

static uint32_t of_alloc_of_a_freed_slot(uint32_t count)
{
  half_fill(&drops, count);
  tp_pool_free(&drops, objects[3]);
  return COST(tp_pool_alloc(&drops));
}

static uint32_t of_a_refused_alloc(uint32_t count)
{
  fill(&drops, count);
  return COST(tp_pool_alloc(&drops));
}

static uint32_t of_a_theft(uint32_t count)
{
  fill(&steals, count);
  return COST(tp_pool_alloc(&steals));
}

static void an_alloc_takes_as_long_whatever_the_pool_holds(void)
{
  CHECK(is_constant(of_alloc_of_a_first_slot));
  CHECK(is_constant(of_alloc_of_a_freed_slot));
  CHECK(is_constant(of_a_refused_alloc));
  CHECK(is_constant(of_a_theft));
}

// One more where the sum of generations is kept, if the slot is not from the
// list.
#define SUMMED (TP_CHECKS >= TP_CHECKS_POISON)

static void an_alloc_locks_once_and_once_more_if_no_freed_slot_is_left(void)
{
  half_fill(&drops, 8);
  CHECK_EQ(WINDOWS(tp_aged_alloc(&drops)), 2 + SUMMED);
  tp_pool_free(&drops, objects[3]);
  CHECK_EQ(WINDOWS(tp_handle_alloc(&drops, &handle)), 1);
  fill(&drops, 8);
  CHECK_EQ(WINDOWS(tp_aged_alloc(&drops)), 2);
}

static void an_alloc_that_does_not_know_of_the_ring_locks_once_more(void)
{
  half_fill(&steals, 8);
  CHECK_EQ(WINDOWS(tp_pool_alloc(&steals)), 4 + SUMMED);
  half_fill(&drops, 8);
  drops.general = NULL;
  drops.gate = TP_GATE(drops.stride, 8);
  CHECK_EQ(WINDOWS(tp_pool_alloc(&drops)), 2 + SUMMED);
}

static void in_a_stealing_pool_an_alloc_locks_once_more_and_a_theft_four_times(
    void)
{
  half_fill(&steals, 8);
  CHECK_EQ(WINDOWS(tp_aged_alloc(&steals)), 3 + SUMMED);
  tp_pool_free(&steals, objects[3]);
  CHECK_EQ(WINDOWS(tp_handle_alloc_aged(&steals, &handle)), 2);
  fill(&steals, 8);
  CHECK_EQ(WINDOWS(tp_aged_alloc(&steals)), 4 + SUMMED);
  CHECK_EQ(WINDOWS(tp_handle_alloc_aged(&steals, &handle)), 4 + SUMMED);
}

// Nobody is told and no clock is kept.
static void below_poison_a_theft_that_nobody_is_told_of_locks_three_times(void)
{
  bool fills = TP_CHECKS >= TP_CHECKS_POISON;
  fill(&steals, 8);
  steals.born = NULL;
  CHECK_EQ(WINDOWS(tp_aged_alloc(&steals)), fills ? 5 : 3);
  CHECK_EQ(WINDOWS(tp_handle_alloc_aged(&steals, &handle)), fills ? 5 : 3);
  steals.lock = 0x40;
  CHECK_EQ(WINDOWS(tp_handle_alloc_aged(&steals, &handle)), 4 + SUMMED);
}

static uint32_t of_a_free(uint32_t count)
{
  half_fill(&drops, count);
  return COST(tp_pool_free(&drops, objects[count / 2]));
}

static uint32_t of_a_free_to_a_thief(uint32_t count)
{
  half_fill(&steals, count);
  return COST(tp_pool_free(&steals, objects[count / 2]));
}

static void a_free_takes_as_long_whatever_the_pool_holds(void)
{
  CHECK(is_constant(of_a_free));
  CHECK(is_constant(of_a_free_to_a_thief));
}

static void a_free_locks_once_and_twice_from_poison_up(void)
{
  half_fill(&drops, 8);
  uint32_t most = TP_CHECKS < TP_CHECKS_POISON ? 1 : 2;
  CHECK_EQ(WINDOWS(tp_pool_free(&drops, objects[3])), most);
}

static uint32_t of_alloc_by_handle(uint32_t count)
{
  half_fill(&drops, count);
  return COST(tp_handle_alloc(&drops, &handle));
}

static uint32_t of_handle(uint32_t count)
{
  half_fill(&drops, count);
  return COST(tp_handle_of(&drops, objects[count / 2]));
}

static uint32_t of_get(uint32_t count)
{
  half_fill(&drops, count);
  handle = tp_handle_of(&drops, objects[count / 2]);
  return COST(tp_handle_get(&drops, handle));
}

static uint32_t of_free_by_handle(uint32_t count)
{
  half_fill(&drops, count);
  handle = tp_handle_of(&drops, objects[count / 2]);
  return COST(tp_handle_free(&drops, handle));
}

static void a_call_with_a_handle_takes_as_long_whatever_the_pool_holds(void)
{
  CHECK(is_constant(of_alloc_by_handle));
  CHECK(is_constant(of_handle));
  CHECK(is_constant(of_get));
  CHECK(is_constant(of_free_by_handle));
}

static void handles_are_made_and_resolved_with_nothing_locked(void)
{
  half_fill(&drops, 8);
  handle = tp_handle_of(&drops, objects[3]);
  CHECK_EQ(WINDOWS(tp_handle_of(&drops, objects[3])), 0);
  CHECK_EQ(WINDOWS(tp_handle_get(&drops, handle)), 0);
  CHECK_EQ(WINDOWS(tp_handle_free(&drops, handle)), 1 + SUMMED);
  CHECK_EQ(WINDOWS(tp_handle_free(&drops, handle)), 1);
}

static void a_handle_of_a_stealing_pool_is_freed_in_two_windows(void)
{
  half_fill(&steals, 8);
  handle = tp_handle_of(&steals, objects[3]);
  CHECK_EQ(WINDOWS(tp_handle_free(&steals, handle)), 2);
  handle = tp_handle_of(&steals, objects[2]);
  CHECK_EQ(WINDOWS(tp_handle_free_aged(&steals, handle)), 2);
}

// From fast up it looks first whether there is a free slot that it sees.
static void an_alloc_by_handle_that_does_not_know_of_the_ring_locks_once_more(
    void)
{
  half_fill(&steals, 8);
  tp_pool_free(&steals, objects[3]);
  CHECK_EQ(WINDOWS(tp_handle_alloc(&steals, &handle)),
           2 + (TP_CHECKS >= TP_CHECKS_FAST));
  fill(&steals, 8);
  CHECK_EQ(WINDOWS(tp_handle_alloc(&steals, &handle)),
           4 + SUMMED + (TP_CHECKS >= TP_CHECKS_FAST));
}

static uint32_t of_a_pin(uint32_t count)
{
  half_fill(&steals, count);
  return COST(tp_pool_pin(&steals, objects[count / 2]));
}

static uint32_t of_an_unpin(uint32_t count)
{
  half_fill(&steals, count);
  tp_pool_pin(&steals, objects[count / 2]);
  return COST(tp_pool_unpin(&steals, objects[count / 2]));
}

static uint32_t of_a_pin_by_handle(uint32_t count)
{
  half_fill(&steals, count);
  handle = tp_handle_of(&steals, objects[count / 2]);
  return COST(tp_handle_pin(&steals, handle));
}

static uint32_t of_an_age(uint32_t count)
{
  half_fill(&steals, count);
  return COST(tp_pool_oldest_age(&steals));
}

static void pins_and_ages_take_as_long_whatever_the_pool_holds(void)
{
  CHECK(is_constant(of_a_pin));
  CHECK(is_constant(of_an_unpin));
  CHECK(is_constant(of_a_pin_by_handle));
  CHECK(is_constant(of_an_age));
}

static void pins_and_ages_lock_once(void)
{
  half_fill(&steals, 8);
  handle = tp_handle_of(&steals, objects[4]);
  CHECK_EQ(WINDOWS(tp_pool_pin(&steals, objects[3])), 1);
  CHECK_EQ(WINDOWS(tp_pool_unpin(&steals, objects[3])), 1);
  CHECK_EQ(WINDOWS(tp_handle_pin(&steals, handle)), 1);
  CHECK_EQ(WINDOWS(tp_handle_unpin(&steals, handle)), 1);
  CHECK_EQ(WINDOWS(tp_pool_oldest_age(&steals)), 1);
}

static uint32_t of_a_reset(uint32_t count)
{
  half_fill(&drops, count);
  return COST(tp_pool_reset(&drops));
}

static void a_reset_takes_time_by_the_slots_ever_issued(void)
{
  CHECK(is_linear(of_a_reset));
}

static void a_reset_locks_for_each_slot_apart(void)
{
  half_fill(&drops, 8);
  uint32_t of_one = WINDOWS(tp_pool_free(&drops, objects[3]));
  CHECK_EQ(WINDOWS(tp_pool_reset(&drops)), 7 * of_one);
}

static uint32_t of_forgetting(uint32_t count)
{
  half_fill(&steals, count);
  return COST(tp_pool_forget(&steals));
}

static void forgetting_takes_as_long_whatever_the_pool_holds(void)
{
  CHECK(is_constant(of_forgetting));
  CHECK_EQ(WINDOWS(tp_pool_forget(&steals)), 0);
}

static uint32_t of_statistics(uint32_t count)
{
  half_fill(&drops, count);
  return COST(tp_pool_stats(&drops, &stats));
}

static uint32_t of_counting(uint32_t count)
{
  half_fill(&drops, count);
  return COST(tp_pool_live(&drops));
}

static void statistics_take_time_by_the_slots_ever_issued(void)
{
  bool counts = TP_CHECKS >= TP_CHECKS_FAST;
  CHECK(is_linear(of_statistics));
  CHECK(counts ? is_constant(of_counting) : is_linear(of_counting));
}

static void statistics_lock_nothing(void)
{
  half_fill(&drops, 8);
  CHECK_EQ(WINDOWS(tp_pool_stats(&drops, &stats)), 0);
  CHECK_EQ(WINDOWS(tp_pool_live(&drops)), 0);
}

static uint32_t of_verifying(uint32_t count)
{
  half_fill(&drops, count);
  return COST(tp_pool_verify(&drops, NULL));
}

static void verifying_takes_time_by_the_capacity_and_locks_nothing(void)
{
  CHECK(is_linear(of_verifying));
  CHECK_EQ(WINDOWS(tp_pool_verify(&drops, NULL)), 0);
}

static uint32_t of_scrubbing_4(uint32_t count)
{
  half_fill(&drops, count);
  tp_pool_reset(&drops);
  return COST(tp_pool_scrub(&drops, 4));
}

static uint32_t of_scrubbing(uint32_t budget)
{
  half_fill(&drops, LARGEST);
  tp_pool_reset(&drops);
  return COST(tp_pool_scrub(&drops, budget));
}

static void scrubbing_takes_time_by_its_budget_alone_and_locks_nothing(void)
{
  bool scrubs = TP_CHECKS >= TP_CHECKS_POISON;
  CHECK(is_constant(of_scrubbing_4));
  CHECK(scrubs ? is_linear(of_scrubbing) : is_constant(of_scrubbing));
  CHECK_EQ(WINDOWS(tp_pool_scrub(&drops, 8)), 0);
}

static const struct tp_entry drops_entry = {
    .name = "drops", .kind = &tp_pool_kind, .allocator = &drops};
static const struct tp_entry *table[LARGEST];
static struct tp_registry registry = {.entries = table};
static struct tp_totals_row rows[LARGEST];

static struct tp_totals totals_of(uint32_t pools)
{
  half_fill(&drops, 8);
  for (uint32_t i = 0; i < pools; i++) {
    table[i] = &drops_entry;
    rows[i] = (struct tp_totals_row){0};
  }
  registry.count = pools;
  return (struct tp_totals){.registry = &registry, .rows = rows};
}

static uint32_t of_noting(uint32_t pools)
{
  struct tp_totals totals = totals_of(pools);
  return COST(tp_totals_note(&totals));
}

static uint32_t of_restarting(uint32_t pools)
{
  struct tp_totals totals = totals_of(pools);
  return COST(tp_totals_restart(&totals));
}

static uint32_t of_finding(uint32_t pools)
{
  struct tp_totals totals = totals_of(pools);
  return COST(tp_totals_find(&totals, "nobody"));
}

static uint32_t of_noting_one(uint32_t count)
{
  struct tp_totals totals = totals_of(1);
  half_fill(&drops, count);
  return COST(tp_totals_note(&totals));
}

static uint32_t of_updating(uint32_t count)
{
  struct tp_totals totals = totals_of(1);
  half_fill(&drops, count);
  return COST(tp_totals_update(&totals));
}

static void totals_take_time_by_the_pools_or_by_their_slots(void)
{
  bool counts = TP_CHECKS >= TP_CHECKS_FAST;
  CHECK(is_linear(of_noting));
  CHECK(is_linear(of_restarting));
  CHECK(is_linear(of_finding));
  CHECK(counts ? is_constant(of_noting_one) : is_linear(of_noting_one));
  CHECK(is_linear(of_updating));
}

static uint32_t of_an_entrys_capacity(uint32_t count)
{
  half_fill(&drops, count);
  return COST(tp_entry_capacity(&drops_entry));
}

static uint32_t of_an_entrys_live(uint32_t count)
{
  half_fill(&drops, count);
  return COST(tp_entry_live(&drops_entry));
}

static uint32_t of_an_entrys_stats(uint32_t count)
{
  struct tp_stats stats;
  half_fill(&drops, count);
  return COST(tp_entry_stats(&drops_entry, &stats));
}

static uint32_t of_verifying_an_entry(uint32_t count)
{
  struct tp_finding finding;
  half_fill(&drops, count);
  return COST(tp_entry_verify(&drops_entry, &finding));
}

static void the_list_of_allocators_takes_time_by_what_it_lists(void)
{
  bool counts = TP_CHECKS >= TP_CHECKS_FAST;
  CHECK(is_constant(of_an_entrys_capacity));
  CHECK(counts ? is_constant(of_an_entrys_live) : is_linear(of_an_entrys_live));
  CHECK(is_linear(of_an_entrys_stats));
  CHECK(is_linear(of_verifying_an_entry));
}

static void totals_lock_nothing_when_they_are_updated(void)
{
  struct tp_totals totals = totals_of(4);
  CHECK_EQ(WINDOWS(tp_totals_update(&totals)), 0);
}

static uint32_t of_validating(uint32_t count)
{
  static uint32_t seal;
  half_fill(&drops, count);
  struct tp_noinit kept = {
      .pool = &drops,
      .seal = &seal,
      .tags = 2 * count + 1,
  };
  tp_noinit_validate(&kept);
  return COST(tp_noinit_validate(&kept));
}

static void a_retained_bank_is_validated_in_time_by_its_capacity(void)
{
  CHECK(is_linear(of_validating));
}

static uint32_t of_building(uint32_t count)
{
  static _Alignas(64) tp_word_t memory[2048];
  struct tp_build row = {
      .size = 16,
      .count = (tp_slot_t)count,
      .align = 8,
      .tagged = 1,
      .policy = &tp_drop,
  };
  return COST(tp_pool_build(&drops, "built", &row, memory));
}

static void a_pool_is_built_in_time_by_its_slots(void)
{
  CHECK(is_linear(of_building));
}

void suite_pools(void)
{
  RUN(an_alloc_takes_as_long_whatever_the_pool_holds);
  RUN(an_alloc_locks_once_and_once_more_if_no_freed_slot_is_left);
  RUN(an_alloc_that_does_not_know_of_the_ring_locks_once_more);
  RUN(in_a_stealing_pool_an_alloc_locks_once_more_and_a_theft_four_times);
  RUN(below_poison_a_theft_that_nobody_is_told_of_locks_three_times);
  RUN(a_free_takes_as_long_whatever_the_pool_holds);
  RUN(a_free_locks_once_and_twice_from_poison_up);
  RUN(a_call_with_a_handle_takes_as_long_whatever_the_pool_holds);
  RUN(handles_are_made_and_resolved_with_nothing_locked);
  RUN(a_handle_of_a_stealing_pool_is_freed_in_two_windows);
  RUN(an_alloc_by_handle_that_does_not_know_of_the_ring_locks_once_more);
  RUN(pins_and_ages_take_as_long_whatever_the_pool_holds);
  RUN(pins_and_ages_lock_once);
  RUN(a_reset_takes_time_by_the_slots_ever_issued);
  RUN(a_reset_locks_for_each_slot_apart);
  RUN(forgetting_takes_as_long_whatever_the_pool_holds);
  RUN(statistics_take_time_by_the_slots_ever_issued);
  RUN(statistics_lock_nothing);
  RUN(verifying_takes_time_by_the_capacity_and_locks_nothing);
  RUN(scrubbing_takes_time_by_its_budget_alone_and_locks_nothing);
  RUN(totals_take_time_by_the_pools_or_by_their_slots);
  RUN(the_list_of_allocators_takes_time_by_what_it_lists);
  RUN(totals_lock_nothing_when_they_are_updated);
  RUN(a_retained_bank_is_validated_in_time_by_its_capacity);
  RUN(a_pool_is_built_in_time_by_its_slots);
}
