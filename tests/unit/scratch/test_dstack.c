// SPDX-License-Identifier: MIT
#include "core/tp_registry.h"
#include "object/tp_scene.h"
#include "scratch.h"

static uintptr_t offset_of(const void *memory)
{
  return (uintptr_t)memory - (uintptr_t)both_dstack.region.storage;
}

static void the_two_ends_grow_toward_each_other(void)
{
  forget_dstack(&both_dstack);
  CHECK_EQ(offset_of(both_alloc(TP_LOW, 8, 4)), 0);
  CHECK_EQ(offset_of(both_alloc(TP_HIGH, 8, 4)), 56);
  CHECK_EQ(offset_of(both_alloc(TP_LOW, 8, 4)), 8);
  CHECK_EQ(offset_of(both_alloc(TP_HIGH, 8, 4)), 48);
  CHECK_EQ(tp_dstack_room(&both_dstack), 32);
}

static void an_object_of_the_high_end_is_aligned_downward(void)
{
  for (uint32_t align = 1; align <= 16; align *= 2) {
    forget_dstack(&both_dstack);
    both_alloc(TP_HIGH, 4, 4);
    uintptr_t object = (uintptr_t)both_alloc(TP_HIGH, 4, align);
    CHECK_EQ(object % align, 0);
    CHECK_EQ(64 - offset_of((void *)object), both_dstack.state->bump[1].used);
  }
}

static void the_ends_may_meet_with_zero_bytes_left(void)
{
  forget_dstack(&both_dstack);
  CHECK(both_alloc(TP_LOW, 40, 4));
  CHECK(both_alloc(TP_HIGH, 24, 4));

  CHECK_EQ(tp_dstack_room(&both_dstack), 0);
  CHECK(!both_alloc(TP_LOW, 1, 1));
  CHECK(!both_alloc(TP_HIGH, 1, 1));
  CHECK_EQ(dstack_stats(&both_dstack, TP_LOW).refused, 1);
  CHECK_EQ(dstack_stats(&both_dstack, TP_HIGH).refused, 1);
}

static void the_last_word_goes_to_whoever_asks_first(void)
{
  for (uint32_t end = TP_LOW; end <= TP_HIGH; end++) {
    enum tp_end first = (enum tp_end)end;
    enum tp_end second = (enum tp_end)(1 - end);
    forget_dstack(&both_dstack);
    both_alloc(TP_LOW, 40, 4);
    both_alloc(TP_HIGH, 20, 4);
    struct tp_mark before = both_mark(first);
    void *last = both_alloc(first, 4, 4);

    CHECK_EQ(offset_of(last), 40);
    CHECK(!both_alloc(second, 4, 4));
    both_release(first, before);
    CHECK(both_alloc(second, 4, 4) == last);
  }
}

static void releasing_one_end_does_not_move_the_other(void)
{
  forget_dstack(&both_dstack);
  struct tp_mark low = both_mark(TP_LOW);
  struct tp_mark high = both_mark(TP_HIGH);
  tp_word_t *bottom = both_alloc(TP_LOW, 16, 4);
  tp_word_t *top = both_alloc(TP_HIGH, 16, 4);
  bottom[3] = 3;
  top[0] = 4;

  both_release(TP_LOW, low);
  CHECK_EQ(dstack_stats(&both_dstack, TP_HIGH).live, 16);
  CHECK_EQ(top[0], 4);
  bottom = both_alloc(TP_LOW, 16, 4);
  bottom[3] = 5;
  both_release(TP_HIGH, high);
  CHECK_EQ(dstack_stats(&both_dstack, TP_LOW).live, 16);
  CHECK_EQ(bottom[3], 5);
}

static void clearing_one_end_leaves_the_other(void)
{
  forget_dstack(&both_dstack);
  both_alloc(TP_LOW, 16, 4);
  both_alloc(TP_HIGH, 16, 4);

  tp_dstack_reset(&both_dstack, TP_HIGH);

  CHECK_EQ(dstack_stats(&both_dstack, TP_LOW).live, 16);
  CHECK_EQ(dstack_stats(&both_dstack, TP_HIGH).live, 0);
  CHECK_EQ(dstack_stats(&both_dstack, TP_HIGH).peak, 16);
}

static void a_mark_of_the_other_end_faults(void)
{
  forget_dstack(&both_dstack);
  struct tp_mark low = both_mark(TP_LOW);

  CHECK_FAULTS(TP_FAULT_MARK, both_release(TP_HIGH, low));

  CHECK(tp_fault_record.name == both_dstack.region.name);
}

static void each_end_has_marks_of_its_own(void)
{
  forget_dstack(&both_dstack);
  struct tp_mark low = both_mark(TP_LOW);
  struct tp_mark high = both_mark(TP_HIGH);
  both_release(TP_LOW, low);

  CHECK_FAULTS(TP_FAULT_ORDER, both_release(TP_LOW, low));

  both_release(TP_HIGH, high);
}

static void an_end_that_is_none_faults(void)
{
  enum tp_end none = (enum tp_end)2;
  forget_dstack(&both_dstack);
  struct tp_mark low = both_mark(TP_LOW);
  CHECK_FAULTS(TP_FAULT_SIZE, both_alloc(none, 4, 4));
  CHECK_RECORD(both_dstack.region.name, both_dstack.region.storage, 2, TP_HIGH);
  CHECK_FAULTS(TP_FAULT_SIZE, both_mark(none));
  CHECK_FAULTS(TP_FAULT_SIZE, both_release(none, low));
  CHECK_FAULTS(TP_FAULT_SIZE, tp_dstack_reset(&both_dstack, none));
  CHECK_FAULTS(TP_FAULT_SIZE, dstack_stats(&both_dstack, none));
  CHECK_FAULTS(TP_FAULT_SIZE, dstack_stats(&both_dstack, none));
}

static void wrong_requests_fault_at_both_ends(void)
{
  forget_dstack(&both_dstack);
  for (uint32_t i = TP_LOW; i <= TP_HIGH; i++) {
    enum tp_end end = (enum tp_end)i;
    CHECK_FAULTS(TP_FAULT_SIZE, both_alloc(end, 0, 4));
    CHECK_FAULTS(TP_FAULT_SIZE, both_alloc(end, 4, 12));
    CHECK_FAULTS(TP_FAULT_LARGE, both_alloc(end, 65, 4));
    CHECK_FAULTS(TP_FAULT_LARGE, both_alloc(end, SIZE_MAX, 4));
  }
}

// Memory goes from one end to the other by way of nobody.
static void a_write_after_release_is_found_by_either_end(void)
{
  for (uint32_t i = 0; i < 4; i++) {
    enum tp_end writer = (enum tp_end)(i & 1);
    enum tp_end finder = (enum tp_end)(i >> 1);
    forget_dstack(&both_dstack);
    tp_word_t *words = both_alloc(writer, 64, 4);
    CHECK(words);
    tp_dstack_reset(&both_dstack, writer);
    words[7] = 0;

    CHECK_FAULTS(TP_FAULT_POISON, both_alloc(finder, 64, 4));

    CHECK(tp_fault_record.address == words + 7);
  }
}

static void what_is_between_the_ends_and_was_issued_is_poison(void)
{
  forget_dstack(&both_dstack);
  both_alloc(TP_LOW, 16, 4);
  both_alloc(TP_HIGH, 16, 4);
  tp_dstack_reset(&both_dstack, TP_LOW);
  tp_dstack_reset(&both_dstack, TP_HIGH);

  CHECK(all_are(both_dstack.region.storage, 16, TP_POISON));
  CHECK(all_are(both_dstack.region.storage + 4, 32, 0));
  CHECK(all_are(both_dstack.region.storage + 12, 16, TP_POISON));
}

static void a_double_ended_stack_that_must_never_be_full_faults_when_it_is(void)
{
  struct tp_dstack_state state = {0};
  struct tp_dstack strict = both_dstack;
  strict.region.full = TP_FULL_ASSERT;
  strict.state = &state;
  forget_dstack(&both_dstack);
  CHECK(tp_dstack_alloc(&strict, TP_LOW, 40, 4));

  CHECK_FAULTS(TP_FAULT_FULL, tp_dstack_alloc(&strict, TP_HIGH, 28, 4));

  CHECK_EQ(tp_fault_record.found, 28);
}

static void a_closed_double_ended_stack_faults(void)
{
  struct tp_dstack_state state = {0};
  struct tp_dstack closed = {.region = {.name = "closed"}, .state = &state};
  struct tp_mark mark = {0};
  for (uint32_t i = TP_LOW; i <= TP_HIGH; i++) {
    enum tp_end end = (enum tp_end)i;
    CHECK_FAULTS(TP_FAULT_CLOSED, tp_dstack_alloc(&closed, end, 4, 4));
    CHECK_FAULTS(TP_FAULT_CLOSED, tp_dstack_mark(&closed, end));
    CHECK_FAULTS(TP_FAULT_CLOSED, tp_dstack_release(&closed, end, mark));
    CHECK_FAULTS(TP_FAULT_CLOSED, tp_dstack_reset(&closed, end));
  }
}

static void an_end_may_grow_where_the_other_once_was(void)
{
  struct tp_finding finding;
  forget_dstack(&both_dstack);
  CHECK(both_alloc(TP_HIGH, 48, 4));
  tp_dstack_reset(&both_dstack, TP_HIGH);
  CHECK(both_alloc(TP_LOW, 48, 4));

  CHECK(tp_dstack_kind.verify(&both_dstack, &finding));
  CHECK_EQ(finding.broken, TP_SOUND);
  both_dstack.state->bump[TP_HIGH].peak = 68;
  CHECK(!tp_dstack_kind.verify(&both_dstack, &finding));
  forget_dstack(&both_dstack);
}

static void an_end_that_leads_into_the_other_faults(void)
{
  struct tp_bump *bump = both_dstack.state->bump;
  forget_dstack(&both_dstack);
  both_alloc(TP_LOW, 40, 4);
  both_alloc(TP_HIGH, 8, 4);
  bump[TP_HIGH].used = bump[TP_HIGH].peak = 40;
  CHECK_FAULTS(TP_FAULT_INVARIANT, both_alloc(TP_LOW, 4, 4));
  CHECK(tp_fault_record.address == &bump[TP_HIGH].used);
  bump[TP_HIGH].used = 2;
  CHECK_FAULTS(TP_FAULT_INVARIANT, both_alloc(TP_LOW, 4, 4));
  forget_dstack(&both_dstack);
}

static void a_scene_is_told_of_both_ends(void)
{
  struct tp_dstack_state state = {
      .bump = {{.used = 8, .peak = 16}, {.used = 4, .peak = 24}},
      .marks = {{.serial = 1}},
  };
  struct tp_dstack dstack = {.region = {.bytes = 64}, .state = &state};
  CHECK_EQ(tp_scene_dstack.live(&dstack), 12);
  CHECK_EQ(tp_scene_dstack.peak(&dstack), 40);
  state.bump[TP_HIGH].peak = 56;
  CHECK_EQ(tp_scene_dstack.peak(&dstack), 64);
  CHECK(!tp_scene_dstack.close(&dstack));
  state.bump[TP_LOW].used = state.bump[TP_HIGH].used = 0;
  CHECK(tp_scene_dstack.close(&dstack));
  CHECK_EQ(dstack.region.bytes, 0);
}

static void a_scene_closes_an_empty_stack_and_its_marks(void)
{
  struct tp_stack_state state = {
      .bump = {.peak = 16},
      .marks = {.serial = 3, .newest = 2},
  };
  struct tp_stack stack = {.region = {.bytes = 64}, .state = &state};
  CHECK(tp_scene_stack.close(&stack));
  CHECK_EQ(stack.region.bytes, 0);
  CHECK_EQ(state.bump.peak, 0);
  CHECK_EQ(state.marks.newest, 4);
  CHECK_EQ(state.marks.serial, 4);
}

static void a_block_of_another_scene_faults_though_another_has_its_bytes(void)
{
  static tp_word_t memory[16];
  struct tp_stack_state state = {.bump = {0}};
  struct tp_stack stack = {.region = {.bytes = 64, .storage = memory},
                           .state = &state};
  void *block = tp_stack_alloc_block(&stack, 8, 4);
  state.bump.used = 0;
  CHECK(tp_scene_stack.close(&stack));
  tp_scene_stack.open(&stack, memory, 64);
  CHECK(tp_stack_alloc(&stack, 24, 4));
  CHECK_FAULTS(TP_FAULT_ORDER, tp_stack_free(&stack, block));
}

void suite_dstack(void)
{
  RUN(the_two_ends_grow_toward_each_other);
  RUN(an_object_of_the_high_end_is_aligned_downward);
  RUN(the_ends_may_meet_with_zero_bytes_left);
  RUN(the_last_word_goes_to_whoever_asks_first);
  RUN(releasing_one_end_does_not_move_the_other);
  RUN(clearing_one_end_leaves_the_other);
  RUN(an_end_may_grow_where_the_other_once_was);
  RUN(a_double_ended_stack_that_must_never_be_full_faults_when_it_is);
  RUN(a_scene_is_told_of_both_ends);
  RUN(a_scene_closes_an_empty_stack_and_its_marks);
  if (TP_CHECKS < TP_CHECKS_FAST) return;
  RUN(a_block_of_another_scene_faults_though_another_has_its_bytes);
  RUN(a_mark_of_the_other_end_faults);
  RUN(an_end_that_leads_into_the_other_faults);
  RUN(each_end_has_marks_of_its_own);
  RUN(an_end_that_is_none_faults);
  RUN(wrong_requests_fault_at_both_ends);
  RUN(a_closed_double_ended_stack_faults);
  if (TP_CHECKS < TP_CHECKS_POISON) return;
  RUN(a_write_after_release_is_found_by_either_end);
  RUN(what_is_between_the_ends_and_was_issued_is_poison);
}
