// SPDX-License-Identifier: MIT
// Each case breaks one sentence of tp_stack.h. At off nothing is promised but
// that no arithmetic wraps.
#include "core/tp_registry.h"
#include "scratch.h"

static bool stack_is_named(const struct tp_stack *stack)
{
  return tp_fault_record.name == stack->region.name && !tp_fault_record.pool;
}

static void a_mark_of_another_stack_faults(void)
{
  forget_stack(&level_stack);
  forget_stack(&other_stack);
  struct tp_mark foreign = other_mark();
  level_mark();

  CHECK_FAULTS(TP_FAULT_MARK, level_release(foreign));

  CHECK(stack_is_named(&level_stack));
}

static void a_mark_nobody_made_faults(void)
{
  struct tp_mark none = {0};
  forget_stack(&level_stack);
  CHECK_FAULTS(TP_FAULT_MARK, level_release(none));
}

static void a_mark_above_the_top_faults(void)
{
  forget_stack(&level_stack);
  level_alloc(40, 4);
  struct tp_mark above = level_mark();
  tp_stack_reset(&level_stack);
  level_alloc(20, 4);

  CHECK_FAULTS(TP_FAULT_MARK, level_release(above));

  CHECK_EQ(tp_fault_record.found, 40);
  CHECK_EQ(tp_fault_record.expected, 20);
}

static void a_mark_used_twice_faults(void)
{
  forget_stack(&level_stack);
  struct tp_mark mark = level_mark();
  level_release(mark);

  CHECK_FAULTS(TP_FAULT_ORDER, level_release(mark));

  CHECK(stack_is_named(&level_stack));
}

static void a_mark_used_twice_faults_though_others_were_made_since(void)
{
  forget_stack(&level_stack);
  struct tp_mark mark = level_mark();
  level_release(mark);
  level_mark();
  level_alloc(40, 4);
  level_mark();

  CHECK_FAULTS(TP_FAULT_ORDER, level_release(mark));
}

static void a_release_out_of_order_faults(void)
{
  forget_stack(&level_stack);
  struct tp_mark older = level_mark();
  level_alloc(8, 4);
  struct tp_mark newer = level_mark();

  CHECK_FAULTS(TP_FAULT_ORDER, level_release(older));

  level_release(newer);
  level_release(older);
  CHECK_EQ(stack_stats(&level_stack).live, 0);
}

static void a_mark_from_before_a_clear_faults(void)
{
  forget_stack(&level_stack);
  struct tp_mark mark = level_mark();
  tp_stack_reset(&level_stack);
  CHECK_FAULTS(TP_FAULT_ORDER, level_release(mark));
}

static void a_fault_changes_nothing(void)
{
  forget_stack(&level_stack);
  level_alloc(40, 4);
  struct tp_mark mark = level_mark();
  struct tp_stack_state before = *level_stack.state;

  CHECK_FAULTS(TP_FAULT_MARK, level_release((struct tp_mark){0}));
  CHECK_FAULTS(TP_FAULT_SIZE, level_alloc(0, 4));
  CHECK_FAULTS(TP_FAULT_LARGE, level_alloc(257, 4));

  CHECK_EQ(level_stack.state->bump.used, before.bump.used);
  CHECK_EQ(level_stack.state->marks.newest, before.marks.newest);
  level_release(mark);
}

static void a_request_for_nothing_faults(void)
{
  forget_stack(&level_stack);
  CHECK_FAULTS(TP_FAULT_SIZE, level_alloc(0, 4));
  CHECK(stack_is_named(&level_stack));
}

static void an_alignment_that_is_no_power_of_two_faults(void)
{
  static const size_t wrong[] = {0, 3, 5, 6, 12, 24, SIZE_MAX, SIZE_MAX - 1};
  forget_stack(&level_stack);
  for (uint32_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    CHECK_FAULTS(TP_FAULT_SIZE, level_alloc(4, wrong[i]));
    CHECK(tp_fault_record.address == level_stack.region.storage);
    CHECK_EQ(tp_fault_record.found, 4);
    CHECK_EQ(tp_fault_record.expected, (uint32_t)wrong[i]);
  }
}

static void more_bytes_than_the_stack_ever_has_fault(void)
{
  static const size_t large[] = {257, 0x80000000u, SIZE_MAX - 3, SIZE_MAX};
  forget_stack(&level_stack);
  for (uint32_t i = 0; i < sizeof large / sizeof *large; i++) {
    CHECK_FAULTS(TP_FAULT_LARGE, level_alloc(large[i], 4));
    CHECK_EQ(tp_fault_record.expected, 256);
  }
}

// Not even where it is not checked.
static void no_size_and_no_alignment_wraps(void)
{
  static const size_t large[] = {257, 0x80000000u, SIZE_MAX - 3, SIZE_MAX};
  forget_stack(&level_stack);
  level_alloc(4, 4);
  for (uint32_t i = 0; i < sizeof large / sizeof *large; i++) {
    CHECK(!level_alloc(large[i], 4));
  }
  for (size_t align = 512; align; align *= 2) {
    void *object = level_alloc(4, align);
    CHECK((uintptr_t)object % align == 0);
    if (object) tp_stack_reset(&level_stack);
    CHECK(level_stack.state->bump.used <= 256);
  }
}

static void a_stack_that_must_never_be_full_faults_when_it_is(void)
{
  forget_stack(&strict_stack);
  CHECK(strict_alloc(60, 4));

  CHECK_FAULTS(TP_FAULT_FULL, strict_alloc(8, 4));

  CHECK(stack_is_named(&strict_stack));
  CHECK_EQ(tp_fault_record.found, 8);
  CHECK_EQ(tp_fault_record.expected, 64);
  CHECK_EQ(stack_stats(&strict_stack).live, 60);
}

static void a_closed_stack_faults(void)
{
  struct tp_stack_state state = {0};
  struct tp_stack closed = {.region = {.name = "closed"}, .state = &state};
  CHECK_FAULTS(TP_FAULT_CLOSED, tp_stack_alloc(&closed, 4, 4));
  CHECK(tp_fault_record.address == &closed.region);
  CHECK_EQ(tp_fault_record.found, 0);
  CHECK_EQ(tp_fault_record.expected, 0);
  CHECK_FAULTS(TP_FAULT_CLOSED, tp_stack_mark(&closed));
  CHECK_FAULTS(TP_FAULT_CLOSED, tp_stack_reset(&closed));
  CHECK_FAULTS(TP_FAULT_CLOSED, tp_stack_release(&closed, (struct tp_mark){0}));
}

static void off_releases_any_mark_unasked(void)
{
  forget_stack(&level_stack);
  struct tp_mark older = tp_stack_mark(&level_stack);
  tp_stack_alloc(&level_stack, 8, 4);
  tp_stack_mark(&level_stack);

  tp_stack_release(&level_stack, older);
  tp_stack_release(&level_stack, older);

  CHECK_EQ(level_stack.state->bump.used, 0);
}

// Its words are looked at before anything is written by them.
static void a_top_that_was_written_over_faults(void)
{
  for (uint32_t bit = 0; bit < 32; bit++) {
    struct tp_bump *bump = &level_stack.state->bump;
    forget_stack(&level_stack);
    level_alloc(256, 4);
    bump->used ^= 1u << bit;
    if (bump->used % 4 == 0 && bump->used < 256) continue;
    CHECK_FAULTS(TP_FAULT_INVARIANT, level_alloc(4, 4));
    CHECK(tp_fault_record.address == &bump->used);
    CHECK_EQ(tp_fault_record.found, bump->used);
    CHECK_EQ(tp_fault_record.expected, 256);
    CHECK(stack_is_named(&level_stack));
    CHECK_FAULTS(TP_FAULT_INVARIANT, tp_stack_reset(&level_stack));
  }
}

static void a_top_that_was_written_over_names_the_call_that_found_it(void)
{
  forget_stack(&level_stack);
  level_stack.state->bump.used = 4;
  CHECK_FAULTS(TP_FAULT_INVARIANT, level_alloc(4, 4));
  uintptr_t caller = (uintptr_t)tp_fault_record.caller;
  uintptr_t here = (uintptr_t)a_mark_of_another_stack_faults;
  CHECK(caller - here + 0x8000 < 0x10000);
}

static void a_peak_below_the_top_or_above_the_stack_faults(void)
{
  forget_stack(&level_stack);
  level_alloc(8, 4);
  struct tp_mark mark = level_mark();
  level_stack.state->bump.peak = 4;
  CHECK_FAULTS(TP_FAULT_INVARIANT, level_release(mark));
  level_stack.state->bump.peak = 260;
  CHECK_FAULTS(TP_FAULT_INVARIANT, level_release(mark));
}

static void a_top_raised_to_where_objects_were_faults(void)
{
  uint32_t *used = &level_stack.state->bump.used;
  for (uint32_t bit = 2; bit < 8; bit++) {
    forget_stack(&level_stack);
    level_alloc(256, 4);
    tp_stack_reset(&level_stack);
    *used = 1u << bit;
    CHECK(!tp_stack_kind.verify(&level_stack, &(struct tp_finding){0}));
    CHECK_FAULTS(TP_FAULT_INVARIANT, level_alloc(4, 4));
    CHECK(tp_fault_record.address == used);
    CHECK_EQ(tp_fault_record.found, 1u << bit);
  }
  forget_stack(&level_stack);
}

static void a_block_whose_front_was_written_over_faults(void)
{
  for (uint32_t bit = 0; bit < 32; bit++) {
    forget_stack(&level_stack);
    level_alloc(8, 4);
    tp_word_t *block = tp_stack_alloc_block(&level_stack, 8, 4);
    block[-4] ^= 1u << bit;
    CHECK_FAULTS(TP_FAULT_ORDER, tp_stack_free(&level_stack, block));
  }
}

static void a_mark_that_was_written_over_faults(void)
{
  forget_stack(&level_stack);
  level_alloc(8, 4);
  struct tp_mark mark = level_mark();
  mark.used ^= 1u << 20;
  CHECK_FAULTS(TP_FAULT_MARK, level_release(mark));
}

void suite_stack_misuse(void)
{
  RUN(a_stack_that_must_never_be_full_faults_when_it_is);
  if (TP_CHECKS < TP_CHECKS_FAST) RUN(no_size_and_no_alignment_wraps);
  if (TP_CHECKS < TP_CHECKS_FAST) RUN(off_releases_any_mark_unasked);
  if (TP_CHECKS < TP_CHECKS_FAST) return;
  RUN(a_mark_of_another_stack_faults);
  RUN(a_mark_nobody_made_faults);
  RUN(a_mark_above_the_top_faults);
  RUN(a_mark_used_twice_faults);
  RUN(a_mark_used_twice_faults_though_others_were_made_since);
  RUN(a_release_out_of_order_faults);
  RUN(a_mark_from_before_a_clear_faults);
  RUN(a_fault_changes_nothing);
  RUN(a_request_for_nothing_faults);
  RUN(an_alignment_that_is_no_power_of_two_faults);
  RUN(more_bytes_than_the_stack_ever_has_fault);
  RUN(a_closed_stack_faults);
  RUN(a_top_that_was_written_over_faults);
  RUN(a_top_that_was_written_over_names_the_call_that_found_it);
  RUN(a_peak_below_the_top_or_above_the_stack_faults);
  if (AUDITED) RUN(a_top_raised_to_where_objects_were_faults);
  RUN(a_block_whose_front_was_written_over_faults);
  RUN(a_mark_that_was_written_over_faults);
}
