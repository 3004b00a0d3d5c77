// SPDX-License-Identifier: MIT
// Blocks that a stack takes back without a mark, the last one first.
#include "scratch.h"

static void *block(size_t size, size_t align)
{
  return tp_stack_alloc_block(&level_stack, size, align);
}

static void drop(void *last)
{
  tp_stack_free(&level_stack, last);
}

static uint32_t used(void)
{
  return stack_stats(&level_stack).live;
}

static void blocks_are_freed_in_reverse_order_without_a_mark(void)
{
  forget_stack(&level_stack);
  level_alloc(4, 4);
  void *first = block(12, 4);
  uint32_t after_first = used();
  void *second = block(20, 4);

  drop(second);
  CHECK_EQ(used(), after_first);
  CHECK(block(20, 4) == second);
  drop(second);
  drop(first);

  CHECK_EQ(used(), 4);
}

static void a_block_lies_at_a_multiple_of_its_alignment(void)
{
  forget_stack(&level_stack);
  for (uint32_t align = 1; align <= 32; align *= 2) {
    level_alloc(4, 4);
    uint32_t before = used();
    void *aligned = block(4, align);
    CHECK_EQ((uintptr_t)aligned % align, 0);
    drop(aligned);
    CHECK_EQ(used(), before);
  }
}

static void a_block_costs_16_bytes_or_its_alignment(void)
{
  forget_stack(&level_stack);
  CHECK(block(8, 8));
  CHECK_EQ(used(), 24);
  tp_stack_reset(&level_stack);
  level_alloc((0u - (uintptr_t)level_stack.region.storage) % 32 + 32, 4);
  uint32_t before = used();
  CHECK(block(32, 32));
  CHECK_EQ(used(), before + 64);
}

static void a_block_that_does_not_fit_is_refused(void)
{
  forget_stack(&level_stack);
  void *whole = block(240, 4);
  CHECK(whole);
  CHECK(!block(1, 1));
  CHECK_EQ(stack_stats(&level_stack).refused, 1);
  drop(whole);
  CHECK_EQ(used(), 0);
}

// Not even where it is not checked.
static void no_size_of_a_block_wraps(void)
{
  static const size_t large[] = {257, 0x80000000u, SIZE_MAX - 16, SIZE_MAX};
  forget_stack(&level_stack);
  for (uint32_t i = 0; i < sizeof large / sizeof *large; i++) {
    CHECK(!block(large[i], 4));
    CHECK(!block(large[i], 64));
  }
  CHECK_EQ(used(), 0);
}

static void off_takes_back_any_block_unasked(void)
{
  forget_stack(&level_stack);
  void *first = block(8, 4);
  block(8, 4);
  drop(first);
  CHECK_EQ(used(), 0);
}

static void blocks_and_marks_mix(void)
{
  forget_stack(&level_stack);
  void *first = block(8, 4);
  struct tp_mark mark = level_mark();
  void *second = block(8, 4);
  void *third = block(8, 4);
  drop(third);
  drop(second);
  CHECK(block(8, 4) == second);
  level_release(mark);
  drop(first);
  CHECK_EQ(used(), 0);
}

static void both_ends_take_back_their_own_last_block(void)
{
  forget_dstack(&both_dstack);
  void *low = tp_dstack_alloc_block(&both_dstack, TP_LOW, 8, 4);
  void *high = tp_dstack_alloc_block(&both_dstack, TP_HIGH, 8, 4);
  CHECK_EQ(tp_dstack_room(&both_dstack), 16);

  tp_dstack_free(&both_dstack, TP_LOW, low);
  CHECK_EQ(dstack_stats(&both_dstack, TP_LOW).live, 0);
  CHECK_EQ(dstack_stats(&both_dstack, TP_HIGH).live, 24);
  tp_dstack_free(&both_dstack, TP_HIGH, high);
  CHECK_EQ(tp_dstack_room(&both_dstack), 64);
  CHECK(tp_dstack_alloc_block(&both_dstack, TP_HIGH, 48, 4));
  CHECK_EQ(tp_dstack_room(&both_dstack), 0);
}

static void a_freed_block_is_poisoned_with_its_front(void)
{
  forget_stack(&level_stack);
  tp_word_t *words = block(16, 4);
  for (uint32_t i = 0; i < 4; i++) words[i] = i;
  drop(words);
  CHECK(all_are(level_stack.region.storage, 32, TP_POISON));
}

static bool level_is_named(const void *address)
{
  return tp_fault_record.name == level_stack.region.name &&
         tp_fault_record.address == address;
}

static void a_block_that_is_not_the_last_faults(void)
{
  forget_stack(&level_stack);
  void *first = block(8, 4);
  void *second = block(8, 4);

  CHECK_FAULTS(TP_FAULT_ORDER, drop(first));
  CHECK(level_is_named(first));
  CHECK_EQ(tp_fault_record.found, 24);
  CHECK_EQ(tp_fault_record.expected, 48);
  drop(second);
  level_alloc(4, 4);
  CHECK_FAULTS(TP_FAULT_ORDER, drop(first));
}

static void a_block_below_a_mark_faults(void)
{
  forget_stack(&level_stack);
  void *first = block(8, 4);
  struct tp_mark mark = level_mark();

  CHECK_FAULTS(TP_FAULT_ORDER, drop(first));

  level_release(mark);
  drop(first);
  mark = level_mark();
  first = block(8, 4);
  tp_stack_reset(&level_stack);
  CHECK_FAULTS(TP_FAULT_FOREIGN, drop(first));
}

static void what_no_block_begins_at_faults(void)
{
  static tp_word_t elsewhere[16];
  forget_stack(&level_stack);
  char *plain = level_alloc(40, 4);
  CHECK_FAULTS(TP_FAULT_ORDER, drop(plain + 20));
  char *last = block(8, 4);
  CHECK_FAULTS(TP_FAULT_ORDER, drop(last + 4));
  CHECK_FAULTS(TP_FAULT_FOREIGN, drop(last + 2));
  CHECK(level_is_named(last + 2));
  CHECK_EQ(tp_fault_record.found, 0);
  CHECK_EQ(tp_fault_record.expected, 0);
  CHECK_FAULTS(TP_FAULT_FOREIGN, drop(plain));
  CHECK_FAULTS(TP_FAULT_FOREIGN, drop(last + 8));
  CHECK_FAULTS(TP_FAULT_FOREIGN, drop(elsewhere + 8));
  CHECK_FAULTS(TP_FAULT_FOREIGN, drop(NULL));
  drop(last);
}

static void a_top_that_was_written_over_takes_no_block_back(void)
{
  forget_stack(&level_stack);
  void *last = block(8, 4);
  level_stack.state->bump.used += 4;
  CHECK_FAULTS(TP_FAULT_INVARIANT, drop(last));
  CHECK(level_is_named(&level_stack.state->bump.used));
}

static void a_block_freed_twice_faults(void)
{
  forget_stack(&level_stack);
  void *first = block(8, 4);
  void *second = block(8, 4);
  drop(second);
  CHECK_FAULTS(TP_FAULT_FOREIGN, drop(second));
  level_alloc(32, 4);
  CHECK_FAULTS(TP_FAULT_ORDER, drop(first));
}

// Who has them now has not written there yet.
static void a_block_freed_twice_faults_though_another_has_its_bytes(void)
{
  forget_stack(&level_stack);
  void *first = block(8, 4);
  drop(first);
  CHECK(level_alloc(24, 4));
  CHECK_FAULTS(TP_FAULT_ORDER, drop(first));
  CHECK_EQ(level_stack.state->bump.used, 24);
}

static void a_block_of_before_a_reset_faults_though_another_has_its_bytes(void)
{
  forget_stack(&level_stack);
  void *first = block(8, 4);
  tp_stack_reset(&level_stack);
  CHECK(level_alloc(24, 4));
  CHECK_FAULTS(TP_FAULT_ORDER, drop(first));
  CHECK_EQ(level_stack.state->bump.used, 24);
}

static void a_block_of_the_other_end_is_foreign(void)
{
  forget_dstack(&both_dstack);
  void *low = tp_dstack_alloc_block(&both_dstack, TP_LOW, 8, 4);
  void *high = tp_dstack_alloc_block(&both_dstack, TP_HIGH, 8, 4);
  CHECK_FAULTS(TP_FAULT_FOREIGN, tp_dstack_free(&both_dstack, TP_LOW, high));
  CHECK_FAULTS(TP_FAULT_FOREIGN, tp_dstack_free(&both_dstack, TP_HIGH, low));
}

static void wrong_requests_of_a_block_fault(void)
{
  struct tp_stack_state state = {0};
  struct tp_stack closed = {.region = {.name = "closed"}, .state = &state};
  forget_stack(&level_stack);
  CHECK_FAULTS(TP_FAULT_SIZE, block(0, 4));
  CHECK_EQ(tp_fault_record.found, 0);
  CHECK_EQ(tp_fault_record.expected, 4);
  CHECK_FAULTS(TP_FAULT_SIZE, block(4, 3));
  CHECK_FAULTS(TP_FAULT_LARGE, block(241, 4));
  CHECK_FAULTS(TP_FAULT_LARGE, block(SIZE_MAX, 4));
  CHECK_FAULTS(TP_FAULT_CLOSED, tp_stack_alloc_block(&closed, 4, 4));
  CHECK_FAULTS(TP_FAULT_CLOSED, tp_stack_free(&closed, &state));
  CHECK_FAULTS(TP_FAULT_SIZE,
               tp_dstack_alloc_block(&both_dstack, (enum tp_end)2, 4, 4));
  CHECK_FAULTS(TP_FAULT_SIZE,
               tp_dstack_free(&both_dstack, (enum tp_end)2, &state));
}

void suite_free(void)
{
  RUN(blocks_are_freed_in_reverse_order_without_a_mark);
  RUN(a_block_lies_at_a_multiple_of_its_alignment);
  RUN(a_block_costs_16_bytes_or_its_alignment);
  RUN(a_block_that_does_not_fit_is_refused);
  RUN(blocks_and_marks_mix);
  RUN(both_ends_take_back_their_own_last_block);
  if (TP_CHECKS < TP_CHECKS_FAST) RUN(no_size_of_a_block_wraps);
  if (TP_CHECKS < TP_CHECKS_FAST) RUN(off_takes_back_any_block_unasked);
  if (TP_CHECKS < TP_CHECKS_FAST) return;
  RUN(a_block_that_is_not_the_last_faults);
  RUN(a_block_below_a_mark_faults);
  RUN(what_no_block_begins_at_faults);
  RUN(a_top_that_was_written_over_takes_no_block_back);
  RUN(a_block_freed_twice_faults);
  RUN(a_block_freed_twice_faults_though_another_has_its_bytes);
  RUN(a_block_of_before_a_reset_faults_though_another_has_its_bytes);
  RUN(a_block_of_the_other_end_is_foreign);
  RUN(wrong_requests_of_a_block_fault);
  if (TP_CHECKS >= TP_CHECKS_POISON) {
    RUN(a_freed_block_is_poisoned_with_its_front);
  }
}
