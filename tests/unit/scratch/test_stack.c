// SPDX-License-Identifier: MIT
#include "scratch.h"

static uintptr_t address(const void *memory)
{
  return (uintptr_t)memory;
}

static void zeroed_memory_is_an_empty_stack(void)
{
  forget_stack(&level_stack);

  CHECK_EQ(stack_stats(&level_stack).live, 0);
  CHECK(level_alloc(256, 8) == level_stack.region.storage);
}

static void objects_lie_one_behind_the_other(void)
{
  forget_stack(&level_stack);
  void *first = level_alloc(12, 4);
  void *second = level_alloc(8, 4);

  CHECK(address(second) == address(first) + 12);
  CHECK_EQ(stack_stats(&level_stack).live, 20);
}

static void sizes_are_rounded_up_to_a_word(void)
{
  forget_stack(&level_stack);
  void *first = level_alloc(1, 1);
  void *second = level_alloc(5, 2);
  void *third = level_alloc(1, 1);

  CHECK(address(second) == address(first) + 4);
  CHECK(address(third) == address(second) + 8);
}

static void an_object_lies_at_a_multiple_of_its_alignment(void)
{
  forget_stack(&level_stack);
  for (uint32_t align = 1; align <= 32; align *= 2) {
    CHECK(level_alloc(4, 4));
    CHECK_EQ(address(level_alloc(4, align)) % align, 0);
  }
}

static void what_an_alignment_skipped_is_released_too(void)
{
  forget_stack(&level_stack);
  level_alloc(4, 4);
  struct tp_mark before = level_mark();
  level_alloc(4, 32);
  CHECK(stack_stats(&level_stack).live > 8);

  level_release(before);

  CHECK_EQ(stack_stats(&level_stack).live, 4);
}

static void a_stack_gives_its_last_word_and_refuses_the_next(void)
{
  forget_stack(&level_stack);
  CHECK(level_alloc(252, 4));
  CHECK(level_alloc(4, 4));

  CHECK(!level_alloc(1, 1));

  CHECK_EQ(stack_stats(&level_stack).live, 256);
  CHECK_EQ(stack_stats(&level_stack).refused, 1);
}

static void a_refusal_changes_nothing_but_its_count(void)
{
  forget_stack(&level_stack);
  level_alloc(200, 4);

  CHECK(!level_alloc(57, 4));
  CHECK(!level_alloc(56, 1u << 30));

  CHECK_EQ(stack_stats(&level_stack).live, 200);
  CHECK_EQ(stack_stats(&level_stack).peak, 200);
  CHECK_EQ(stack_stats(&level_stack).refused, 2);
  CHECK(level_alloc(56, 4));
}

// It may be served when that is released: it is not too large.
static void what_is_as_large_as_the_stack_is_refused_while_any_of_it_is_used(
    void)
{
  forget_stack(&level_stack);
  struct tp_mark empty = level_mark();
  level_alloc(4, 4);

  CHECK(!level_alloc(256, 4));

  CHECK_EQ(stack_stats(&level_stack).refused, 1);
  level_release(empty);
  CHECK(level_alloc(256, 4));
}

// Where a multiple of 64 lies beyond the last word but one.
static void an_alignment_that_does_not_fit_is_refused(void)
{
  forget_stack(&level_stack);
  uintptr_t start = address(level_stack.region.storage);
  uint32_t last = 256 - (uint32_t)((start + 256) % 64);
  if (last == 256) last -= 64;
  CHECK(level_alloc(last, 4));
  CHECK(level_alloc(4, 64));

  CHECK(!level_alloc(4, 64));

  CHECK_EQ(stack_stats(&level_stack).live, last + 4);
  CHECK_EQ(stack_stats(&level_stack).refused, 1);
}

static void releasing_goes_back_to_the_mark_and_no_further(void)
{
  forget_stack(&level_stack);
  tp_word_t *kept = level_alloc(8, 4);
  kept[0] = 1;
  kept[1] = 2;
  struct tp_mark outer = level_mark();
  void *first = level_alloc(16, 4);
  struct tp_mark inner = level_mark();
  CHECK_EQ(level_stack.state->marks.serial, 2);
  void *second = level_alloc(16, 4);

  level_release(inner);
  CHECK(level_alloc(16, 4) == second);
  level_release(outer);
  CHECK(level_alloc(16, 4) == first);

  CHECK_EQ(kept[0], 1);
  CHECK_EQ(kept[1], 2);
}

static void the_statistics_of_a_stack_count_bytes_and_refusals_alone(void)
{
  struct tp_stats stats = {.allocs = 7, .frees = 7, .steals = 7, .spills = 7};
  forget_stack(&level_stack);
  level_alloc(8, 4);
  tp_stack_stats(&level_stack, &stats);
  CHECK_EQ(stats.live, 8);
  CHECK_EQ(stats.allocs + stats.frees + stats.steals + stats.spills, 0);
}

static void clearing_empties_a_stack_whatever_its_marks(void)
{
  forget_stack(&level_stack);
  void *first = level_alloc(8, 4);
  level_mark();
  level_alloc(8, 4);

  tp_stack_reset(&level_stack);

  CHECK_EQ(stack_stats(&level_stack).live, 0);
  struct tp_mark before = level_mark();
  CHECK(level_alloc(8, 4) == first);
  level_release(before);
}

static uint32_t used_within_a_scope(void)
{
  TP_STACK_SCOPE scope = {&level_stack, level_mark()};
  level_alloc(40, 4);
  return stack_stats(&level_stack).live;
}

static void a_scope_releases_where_its_block_is_left(void)
{
  forget_stack(&level_stack);
  level_alloc(8, 4);

  CHECK_EQ(used_within_a_scope(), 48);

  CHECK_EQ(stack_stats(&level_stack).live, 8);
}

static void the_peak_is_recorded(void)
{
  forget_stack(&level_stack);
  struct tp_mark before = level_mark();
  level_alloc(100, 4);
  level_release(before);
  level_alloc(40, 4);

  CHECK_EQ(stack_stats(&level_stack).peak, 100);
}

static void below_poison_nobody_writes_to_what_is_released_or_issued(void)
{
  forget_stack(&level_stack);
  struct tp_mark before = level_mark();
  tp_word_t *object = level_alloc(8, 4);
  object[0] = 1;
  object[1] = 2;

  level_release(before);
  CHECK_EQ(word_at(object), 1);
  CHECK(level_alloc(8, 4) == object);

  CHECK_EQ(object[0], 1);
  CHECK_EQ(object[1], 2);
}

static void memory_above_the_top_is_poisoned(void)
{
  forget_stack(&level_stack);
  struct tp_mark before = level_mark();
  tp_word_t *words = level_alloc(64, 32);
  for (uint32_t i = 0; i < 16; i++) words[i] = i;
  level_release(before);

  uint32_t peak = stack_stats(&level_stack).peak;
  CHECK(all_are(level_stack.region.storage, peak, TP_POISON));
  CHECK_EQ(level_stack.region.storage[peak / 4], 0);
}

static void clearing_poisons_too(void)
{
  forget_stack(&level_stack);
  void *words = level_alloc(64, 4);
  tp_stack_reset(&level_stack);
  CHECK(all_are(words, 64, TP_POISON));
}

static void an_object_holds_the_pattern_for_new_ones(void)
{
  forget_stack(&level_stack);
  CHECK(all_are(level_alloc(24, 8), 24, TP_POISON_NEW));
  tp_stack_reset(&level_stack);
  CHECK(all_are(level_alloc(24, 8), 24, TP_POISON_NEW));
}

static void a_write_after_release_is_found_by_the_next_allocation(void)
{
  for (uint32_t i = 0; i < 8; i++) {
    forget_stack(&level_stack);
    struct tp_mark before = level_mark();
    tp_word_t *words = level_alloc(32, 8);
    level_release(before);
    words[i] ^= 0x100;

    CHECK_FAULTS(TP_FAULT_POISON, level_alloc(32, 8));

    CHECK(tp_fault_record.name == level_stack.region.name);
    CHECK(tp_fault_record.address == words + i);
    CHECK_EQ(tp_fault_record.expected, TP_POISON);
    CHECK_EQ(tp_fault_record.found, TP_POISON ^ 0x100);
  }
}

static void a_write_into_memory_never_issued_is_nobodys_fault(void)
{
  forget_stack(&level_stack);
  level_stack.region.storage[5] = 7;
  CHECK(level_alloc(32, 4));
}

void suite_stack(void)
{
  RUN(zeroed_memory_is_an_empty_stack);
  RUN(objects_lie_one_behind_the_other);
  RUN(sizes_are_rounded_up_to_a_word);
  RUN(an_object_lies_at_a_multiple_of_its_alignment);
  RUN(what_an_alignment_skipped_is_released_too);
  RUN(a_stack_gives_its_last_word_and_refuses_the_next);
  RUN(a_refusal_changes_nothing_but_its_count);
  RUN(what_is_as_large_as_the_stack_is_refused_while_any_of_it_is_used);
  RUN(an_alignment_that_does_not_fit_is_refused);
  RUN(releasing_goes_back_to_the_mark_and_no_further);
  RUN(the_statistics_of_a_stack_count_bytes_and_refusals_alone);
  RUN(clearing_empties_a_stack_whatever_its_marks);
  RUN(a_scope_releases_where_its_block_is_left);
  RUN(the_peak_is_recorded);
  RUN(a_write_into_memory_never_issued_is_nobodys_fault);
  if (TP_CHECKS < TP_CHECKS_POISON) {
    RUN(below_poison_nobody_writes_to_what_is_released_or_issued);
    return;
  }
  RUN(memory_above_the_top_is_poisoned);
  RUN(clearing_poisons_too);
  RUN(an_object_holds_the_pattern_for_new_ones);
  RUN(a_write_after_release_is_found_by_the_next_allocation);
}
