// SPDX-License-Identifier: MIT
// Words of stacks and frames that were written over, found by each call.
#include "allocator/tp_bump.h"
#include "allocator/tp_dstack.h"
#include "allocator/tp_frame.h"
#include "allocator/tp_nest.h"
#include "allocator/tp_stack.h"
#include "config/tp_define.h"
#include "core/tp_registry.h"
#include "object/tp_scene.h"
#include "ways.h"

enum { BYTES = 256 };

TP_STACK_DEFINE(one, BYTES, .full = TP_FULL_DROP);
TP_DSTACK_DEFINE(two, BYTES, .full = TP_FULL_DROP);
TP_FRAME_DEFINE(few, BYTES, 2, .full = TP_FULL_DROP);

static const struct tp_scene_part stack_part = {.allocator = (void *)&one_stack,
                                                .name = "stack"};
static const struct tp_scene_part dstack_part = {
    .allocator = (void *)&two_dstack, .name = "dstack"};

// What of an end is wrong: not whole words; more than there are; more than its
// peak; its peak more than there are.
static const struct tp_bump wrong[] = {
    {.used = 2, .peak = 8},
    {.used = BYTES + 4, .peak = BYTES + 4},
    {.used = 8, .peak = 4},
    {.used = 8, .peak = BYTES + 4},
};

static void verify_finds_how_full_a_region_is_wrong(void)
{
  struct tp_finding finding;
  struct tp_bump *bumps[] = {&one_stack.state->bump, two_dstack.state->bump,
                             two_dstack.state->bump + 1, few_frame.bump,
                             few_frame.bump + 1};
  for (uint32_t i = 0; i < 4 * sizeof bumps / sizeof bumps[0]; i++) {
    struct tp_bump *bump = bumps[i / 4];
    uint32_t which = (i / 4 + 1) / 2;  // A stack, one of two ends, a frame.
    *bump = wrong[i % 4];
    CHECK(tp_stack_kind.verify(&one_stack, &finding) == (which != 0));
    CHECK(tp_dstack_kind.verify(&two_dstack, &finding) == (which != 1));
    CHECK(tp_frame_kind.verify(&few_frame, &finding) == (which != 2));
    *bump = (struct tp_bump){0};
  }
  few_frame.state->current = 2;
  CHECK(!tp_frame_kind.verify(&few_frame, &finding));
  CHECK_EQ(finding.broken, TP_BROKEN_OTHER);
  few_frame.state->current = 0;
  CHECK(tp_frame_kind.verify(&few_frame, &finding));
  CHECK_EQ(finding.broken, TP_SOUND);
}

#if TP_CHECKS >= TP_CHECKS_FAST
static struct tp_mark mark;
static void *block;

#define STACK_CALLS(CALL)                      \
  CALL(tp_stack_alloc(&one_stack, 4, 4))       \
  CALL(tp_stack_alloc_block(&one_stack, 4, 4)) \
  CALL(tp_stack_free(&one_stack, block))       \
  CALL(tp_stack_release(&one_stack, mark))     \
  CALL(tp_stack_reset(&one_stack))             \
  CALL(tp_stack_end_scene(&stack_part, TP_SITE))
#define DSTACK_CALLS(CALL)                            \
  CALL(tp_dstack_alloc(&two_dstack, end, 4, 4))       \
  CALL(tp_dstack_alloc_block(&two_dstack, end, 4, 4)) \
  CALL(tp_dstack_free(&two_dstack, end, block))       \
  CALL(tp_dstack_release(&two_dstack, end, mark))     \
  CALL(tp_dstack_reset(&two_dstack, end))             \
  CALL(tp_dstack_end_scene(&dstack_part, TP_SITE))

#define FAULTS(call) CHECK_FAULTS(TP_FAULT_INVARIANT, call);

static void each_call_of_a_stack_finds_how_full_it_is_wrong(void)
{
  for (uint32_t i = 0; i < 4; i++) {
    *one_stack.state = (struct tp_stack_state){0};
    block = tp_stack_alloc_block(&one_stack, 4, 4);
    mark = tp_stack_mark(&one_stack);
    one_stack.state->bump = wrong[i];
    STACK_CALLS(FAULTS)
  }
}

static void each_call_of_a_double_ended_stack_does_so_of_both_ends(void)
{
  for (uint32_t i = 0; i < 16; i++) {
    enum tp_end end = i & 1 ? TP_HIGH : TP_LOW;
    *two_dstack.state = (struct tp_dstack_state){0};
    block = tp_dstack_alloc_block(&two_dstack, end, 4, 4);
    mark = tp_dstack_mark(&two_dstack, end);
    two_dstack.state->bump[i >> 1 & 1] = wrong[i >> 2];
    DSTACK_CALLS(FAULTS)
  }
}

static void each_call_of_a_frame_does(void)
{
  for (uint32_t i = 0; i < 4; i++) {
    *few_frame.state = (struct tp_frame_state){0};
    few_frame.bump[0] = few_frame.bump[1] = wrong[i];
    FAULTS(tp_frame_alloc(&few_frame, 4, 4))
    FAULTS(tp_frame_end(&few_frame))
  }
  few_frame.state->current = 2;
  FAULTS(tp_frame_alloc(&few_frame, 4, 4))
  FAULTS(tp_frame_end(&few_frame))
  *few_frame.state = (struct tp_frame_state){0};
  few_frame.bump[0] = few_frame.bump[1] = (struct tp_bump){0};
}

#endif

static const char *const child = "child";

static void a_scene_does_not_end_what_has_a_child_or_is_closed(void)
{
  struct tp_stack closed = one_stack;
  struct tp_dstack closed_too = two_dstack;
  struct tp_scene_part part = {.allocator = &closed, .name = "closed"};
  *one_stack.state = (struct tp_stack_state){0};
  *two_dstack.state = (struct tp_dstack_state){0};
  (void)tp_stack_alloc(&one_stack, 8, 4);
  (void)tp_dstack_alloc(&two_dstack, TP_LOW, 8, 4);
  (void)tp_dstack_alloc(&two_dstack, TP_HIGH, 8, 4);
  tp_stack_end_scene(&stack_part, TP_SITE);
  tp_dstack_end_scene(&dstack_part, TP_SITE);
  if (TP_CHECKS < TP_CHECKS_FAST) return;
  one_stack.state->marks.child = tp_bump_child(&child);
  CHECK_FAULTS(TP_FAULT_CHILD, tp_stack_end_scene(&stack_part, TP_SITE));
  for (int end = 0; end < 2; end++) {
    *two_dstack.state = (struct tp_dstack_state){0};
    two_dstack.state->marks[end].child = tp_bump_child(&child);
    CHECK_FAULTS(TP_FAULT_CHILD, tp_dstack_end_scene(&dstack_part, TP_SITE));
  }
  closed.region.storage = NULL;
  CHECK_FAULTS(TP_FAULT_CLOSED, tp_stack_end_scene(&part, TP_SITE));
  closed_too.region.storage = NULL;
  part.allocator = &closed_too;
  CHECK_FAULTS(TP_FAULT_CLOSED, tp_dstack_end_scene(&part, TP_SITE));
}

// Asked until it does not fit: for its size, or for what would be skipped.
#define UNTIL_REFUSED(alloc) \
  do {                       \
  } while (alloc)

static void what_does_not_fit_is_refused_by_each_call(void)
{
  for (size_t align = 4; align <= 64; align *= 16) {
    for (size_t size = 6; size <= 110; size += 97) {
      *one_stack.state = (struct tp_stack_state){0};
      UNTIL_REFUSED(tp_stack_alloc(&one_stack, size, align));
      UNTIL_REFUSED(tp_stack_alloc_block(&one_stack, size, align));
      UNTIL_REFUSED(tp_frame_alloc(&few_frame, size, align));
      tp_frame_end(&few_frame);
      for (enum tp_end end = TP_LOW; end <= TP_HIGH; end++) {
        *two_dstack.state = (struct tp_dstack_state){0};
        UNTIL_REFUSED(tp_dstack_alloc(&two_dstack, end, size, align));
        *two_dstack.state = (struct tp_dstack_state){0};
        UNTIL_REFUSED(tp_dstack_alloc_block(&two_dstack, end, size, align));
        CHECK(two_dstack.state->bump[end].refused);
      }
    }
  }
}

static void what_is_no_size_is_a_fault_of_each_call(void)
{
  static const size_t none[][2] = {{0, 4}, {4, 0}, {4, 3}};
  // Counted in memory, where longjmp() leaves it as it is.
  for (volatile uint32_t i = 0; TP_CHECKS >= TP_CHECKS_FAST && i < 3; i++) {
    size_t size = none[i][0];
    size_t align = none[i][1];
    CHECK_FAULTS(TP_FAULT_SIZE, tp_stack_alloc(&one_stack, size, align));
    CHECK_FAULTS(TP_FAULT_SIZE, tp_stack_alloc_block(&one_stack, size, align));
    CHECK_FAULTS(TP_FAULT_SIZE, tp_frame_alloc(&few_frame, size, align));
    CHECK_FAULTS(TP_FAULT_SIZE,
                 tp_dstack_alloc(&two_dstack, TP_LOW, size, align));
  }
}

TP_FRAME_DEFINE(single, BYTES, 1, .full = TP_FULL_DROP);

static void a_frame_of_one_buffer_begins_it_again(void)
{
  void *first = tp_frame_alloc(&single_frame, 4, 4);
  tp_frame_end(&single_frame);
  CHECK(tp_frame_alloc(&single_frame, 4, 4) == first);
  tp_frame_end(&single_frame);
}

// The number that comes after the last one there is, is that of no buffer.
static void a_frame_goes_on_with_its_first_buffer_where_numbers_end(void)
{
  few_frame.state->current = UINT32_MAX;
  tp_frame_end(&few_frame);
  CHECK_EQ(few_frame.state->current, 0);
  CHECK(tp_frame_alloc(&few_frame, 4, 4));
  tp_frame_end(&few_frame);
  tp_frame_end(&few_frame);
}

// All that is left, from where it would have to begin higher, or lower.
static void a_block_that_fits_but_for_what_is_skipped_is_refused(void)
{
  uint32_t refused = 0;
  for (uint32_t used = 4; used <= 8; used += 4) {
    *one_stack.state = (struct tp_stack_state){0};
    CHECK(tp_stack_alloc(&one_stack, used, 4));
    refused += !tp_stack_alloc_block(&one_stack, BYTES - 64 - used, 64);
    for (enum tp_end end = TP_LOW; end <= TP_HIGH; end++) {
      *two_dstack.state = (struct tp_dstack_state){0};
      CHECK(tp_dstack_alloc(&two_dstack, end, used, 4));
      size_t left = BYTES - 64 - used;
      refused += !tp_dstack_alloc_block(&two_dstack, end, left, 64);
    }
  }
  CHECK(refused >= 3);
  *one_stack.state = (struct tp_stack_state){0};
  *two_dstack.state = (struct tp_dstack_state){0};
}

// Its end was written over: it is above how full the end is.
static void a_mark_above_the_top_is_not_gone_back_to(void)
{
  for (uint32_t i = 0; TP_CHECKS >= TP_CHECKS_FAST && i < 2; i++) {
    enum tp_end end = i ? TP_HIGH : TP_LOW;
    *two_dstack.state = (struct tp_dstack_state){0};
    (void)tp_dstack_alloc(&two_dstack, end, 8, 4);
    struct tp_mark above = tp_dstack_mark(&two_dstack, end);
    two_dstack.state->bump[end].used = 4;
    CHECK_FAULTS(TP_FAULT_MARK, tp_dstack_release(&two_dstack, end, above));
    two_dstack.state->bump[end].used = 8;
    tp_dstack_release(&two_dstack, end, above);
  }
}

void suite_regions(void)
{
  RUN(verify_finds_how_full_a_region_is_wrong);
  RUN(a_frame_of_one_buffer_begins_it_again);
  RUN(a_frame_goes_on_with_its_first_buffer_where_numbers_end);
  RUN(a_block_that_fits_but_for_what_is_skipped_is_refused);
  RUN(a_mark_above_the_top_is_not_gone_back_to);
#if TP_CHECKS >= TP_CHECKS_FAST
  RUN(each_call_of_a_stack_finds_how_full_it_is_wrong);
  RUN(each_call_of_a_double_ended_stack_does_so_of_both_ends);
  RUN(each_call_of_a_frame_does);
#endif
  RUN(a_scene_does_not_end_what_has_a_child_or_is_closed);
  RUN(what_does_not_fit_is_refused_by_each_call);
  RUN(what_is_no_size_is_a_fault_of_each_call);
}
