// SPDX-License-Identifier: MIT
// Every use of what is not open is a fault: of the child, and of the allocator
// whose address was kept.
#include "core/tp_registry.h"
#include "nest.h"

static struct tp_nest child, never;

static void start(void)
{
  forget_nest(&root_nest);
  child = (struct tp_nest){0};
}

static void a_child_never_opened_is_closed(void)
{
  struct tp_build row = drop_row(4);
  start();
  CHECK_FAULTS(TP_FAULT_CLOSED, tp_nest_close(&never));
  CHECK_FAULTS(TP_FAULT_CLOSED, tp_nest_pool(&never));
  CHECK_FAULTS(TP_FAULT_CLOSED, tp_nest_walk(&never, NULL, NULL));
  CHECK(tp_fault_record.address == &never);
  CHECK_EQ(tp_fault_record.found, 0);
  CHECK_EQ(tp_fault_record.expected, 0);
  CHECK_FAULTS(TP_FAULT_CLOSED,
               tp_nest_open_pool(&child, &never, TP_LOW, "child", &row));
}

static void a_child_is_only_what_it_was_opened_as(void)
{
  start();
  tp_nest_open_stack(&child, &root_nest, TP_LOW, "child", 64, TP_FULL_DROP);
  CHECK(tp_nest_stack(&child));
  CHECK_FAULTS(TP_FAULT_CLOSED, tp_nest_dstack(&child));
  CHECK_FAULTS(TP_FAULT_CLOSED, tp_nest_frame(&child));
  CHECK_FAULTS(TP_FAULT_CLOSED, tp_nest_pool(&child));
  CHECK(tp_fault_record.name == child.name);
  CHECK(tp_fault_record.address == &child);
  CHECK_EQ(tp_fault_record.found, TP_NEST_STACK);
  CHECK_EQ(tp_fault_record.expected, TP_NEST_POOL);
}

static void a_stack_that_was_closed_gives_nothing(void)
{
  start();
  tp_nest_open_stack(&child, &root_nest, TP_LOW, "child", 64, TP_FULL_DROP);
  const struct tp_stack *stack = tp_nest_stack(&child);
  tp_nest_close(&child);

  CHECK_FAULTS(TP_FAULT_CLOSED, tp_stack_alloc(stack, 4, 4));
  CHECK(tp_fault_record.name == child.name);
  CHECK_FAULTS(TP_FAULT_CLOSED, tp_stack_mark(stack));
  struct tp_stats stats;
  tp_stack_stats(stack, &stats);
  CHECK_EQ(stats.live, 0);
}

static void two_ends_that_were_closed_give_nothing(void)
{
  start();
  tp_nest_open_dstack(&child, &root_nest, TP_LOW, "child", 64, TP_FULL_DROP);
  const struct tp_dstack *dstack = tp_nest_dstack(&child);
  tp_nest_close(&child);

  CHECK_FAULTS(TP_FAULT_CLOSED, tp_dstack_alloc(dstack, TP_LOW, 4, 4));
  CHECK(tp_fault_record.name == child.name);
  CHECK_FAULTS(TP_FAULT_CLOSED, tp_dstack_alloc(dstack, TP_HIGH, 4, 4));
  CHECK_EQ(tp_dstack_room(dstack), 0);
}

static void a_frame_that_was_closed_gives_nothing(void)
{
  start();
  tp_nest_open_frame(&child, &root_nest, TP_LOW, "child", 64, 3, TP_FULL_DROP);
  const struct tp_frame *frame = tp_nest_frame(&child);
  tp_frame_end(frame);
  tp_nest_close(&child);

  CHECK_FAULTS(TP_FAULT_CLOSED, tp_frame_alloc(frame, 4, 4));
  CHECK(tp_fault_record.name == child.name);
  CHECK_FAULTS(TP_FAULT_CLOSED, tp_frame_end(frame));
  struct tp_stats stats;
  tp_frame_stats(frame, &stats);
  CHECK_EQ(stats.peak, 0);
}

// It has a buffer, of no bytes: no figure and no look goes beyond that.
static void a_frame_that_was_closed_is_sound(void)
{
  struct tp_finding finding;
  start();
  tp_nest_open_frame(&child, &root_nest, TP_LOW, "child", 64, 3, TP_FULL_DROP);
  tp_frame_end(tp_nest_frame(&child));
  tp_nest_close(&child);

  CHECK(tp_frame_kind.verify(&child.as.frame, &finding));
  CHECK_EQ(tp_frame_kind.capacity(&child.as.frame), 0);
}

static void a_pool_that_was_closed_gives_nothing_and_takes_nothing(void)
{
  struct tp_build row = drop_row(4);
  start();
  tp_nest_open_pool(&child, &root_nest, TP_LOW, "child", &row);
  const struct tp_pool *pool = tp_nest_pool(&child);
  void *object = tp_pool_alloc(pool);
  tp_pool_free(pool, object);
  tp_nest_close(&child);

  CHECK_FAULTS(TP_FAULT_CLOSED, tp_pool_alloc(pool));
  CHECK(tp_fault_record.name == child.name);
  CHECK(tp_fault_record.address == pool);
  CHECK_EQ(tp_fault_record.found, 0);
  CHECK_EQ(tp_fault_record.expected, 0);
  CHECK_FAULTS(TP_FAULT_FOREIGN, tp_pool_free(pool, object));
}

static void scrubbing_a_closed_pool_leaves_a_closed_frame_empty(void)
{
  static struct tp_nest other;
  struct tp_build row = drop_row(4);
  start();
  tp_nest_open_pool(&child, &root_nest, TP_LOW, "child", &row);
  tp_nest_open_frame(&other, &root_nest, TP_LOW, "other", 64, 1, TP_FULL_DROP);
  const struct tp_pool *pool = tp_nest_pool(&child);
  const struct tp_frame *frame = tp_nest_frame(&other);
  tp_nest_close(&other);
  tp_nest_close(&child);
  tp_pool_scrub(pool, 3);
  struct tp_stats stats;
  tp_frame_stats(frame, &stats);
  CHECK_EQ(stats.live, 0);
  CHECK(tp_pool_verify(pool, NULL));
}

static void children_of_a_child_that_was_closed_cannot_be_opened(void)
{
  struct tp_nest inner = {0};
  start();
  tp_nest_open_stack(&child, &root_nest, TP_LOW, "child", 512, TP_FULL_DROP);
  tp_nest_close(&child);
  CHECK_FAULTS(TP_FAULT_CLOSED, tp_nest_open_stack(&inner, &child, TP_LOW,
                                                   "inner", 64, TP_FULL_DROP));
}

static void a_pool_that_was_closed_gives_no_handle(void)
{
  struct tp_build row = drop_row(4);
  tp_handle_t handle = 7;
  start();
  tp_nest_open_pool(&child, &root_nest, TP_LOW, "child", &row);
  const struct tp_pool *pool = tp_nest_pool(&child);
  tp_nest_close(&child);
  CHECK_FAULTS(TP_FAULT_CLOSED, tp_handle_alloc(pool, &handle));
  CHECK(tp_fault_record.name == child.name);
}

static void a_child_at_an_end_that_is_none_is_refused(void)
{
  start();
  CHECK_FAULTS(TP_FAULT_CHILD,
               tp_nest_open_stack(&child, &root_nest, (enum tp_end)2, "child",
                                  64, TP_FULL_DROP));
  CHECK(tp_nest_open_stack(&child, &root_nest, TP_HIGH, "child", 64,
                           TP_FULL_DROP));
}

// The mark was made above a child that is gone, or below one that is there.
static void a_mark_names_the_child_that_is_in_its_way_if_it_lives(void)
{
  const struct tp_dstack *root = &root_nest.as.dstack;
  start();
  struct tp_mark below = tp_dstack_mark(root, TP_LOW);
  tp_nest_open_stack(&child, &root_nest, TP_LOW, "child", 64, TP_FULL_DROP);
  struct tp_mark first = tp_dstack_mark(root, TP_LOW);
  struct tp_mark second = tp_dstack_mark(root, TP_LOW);
  CHECK_FAULTS(TP_FAULT_CHILD, tp_dstack_release(root, TP_LOW, below));
  CHECK(tp_fault_record.name == child.name);
  tp_dstack_release(root, TP_LOW, second);
  tp_dstack_release(root, TP_LOW, first);
  CHECK_FAULTS(TP_FAULT_ORDER, tp_dstack_release(root, TP_LOW, second));
  CHECK(tp_fault_record.name == root_nest.name);
  uint32_t used = used_of(&root_nest);
  tp_nest_close(&child);
  tp_dstack_alloc(root, TP_LOW, used, 4);
  CHECK_FAULTS(TP_FAULT_CHILD, tp_dstack_release(root, TP_LOW, second));
  CHECK(tp_fault_record.name == root_nest.name);
}

static const struct tp_stack *opened_stack(void)
{
  tp_nest_open_stack(&child, &root_nest, TP_LOW, "child", 64, TP_FULL_DROP);
  return tp_nest_stack(&child);
}

static const struct tp_dstack *opened_dstack(void)
{
  tp_nest_open_dstack(&child, &root_nest, TP_LOW, "child", 64, TP_FULL_DROP);
  return tp_nest_dstack(&child);
}

static void a_mark_of_a_child_is_none_of_those_after_it_in_its_place(void)
{
  start();
  const struct tp_stack *stack = opened_stack();
  struct tp_mark marks[3];
  for (uint32_t i = 0; i < 3; i++) marks[i] = tp_stack_mark(stack);
  for (uint32_t after = 0; after < 300; after++) {
    tp_nest_close(&child);
    CHECK(opened_stack() == stack);
    for (uint32_t i = 0; i < 3; i++) {
      tp_stack_mark(stack);
      CHECK_FAULTS(TP_FAULT_ORDER, tp_stack_release(stack, marks[i]));
    }
  }
}

static void a_mark_of_either_end_of_a_child_is_none_of_the_next(void)
{
  start();
  const struct tp_dstack *dstack = opened_dstack();
  struct tp_mark marks[2];
  for (uint32_t i = 0; i < 2; i++) {
    marks[i] = tp_dstack_mark(dstack, (enum tp_end)i);
  }
  tp_nest_close(&child);
  CHECK(opened_dstack() == dstack);
  for (uint32_t i = 0; i < 2; i++) {
    enum tp_end end = (enum tp_end)i;
    tp_dstack_mark(dstack, end);
    CHECK_FAULTS(TP_FAULT_ORDER, tp_dstack_release(dstack, end, marks[i]));
  }
}

// Of one that takes all there is, so that both lie in the same place.
static void a_mark_of_a_child_is_none_of_the_next_at_the_other_end(void)
{
  size_t metadata =
      sizeof(struct tp_stack_state) + sizeof(struct tp_nest_state);
  size_t bytes = (root_nest.as.dstack.region.bytes - metadata) / 8 * 8;
  start();
  CHECK(tp_nest_open_stack(&child, &root_nest, TP_LOW, "child", bytes,
                           TP_FULL_DROP));
  const struct tp_stack *stack = tp_nest_stack(&child);
  struct tp_mark mark = tp_stack_mark(stack);
  tp_nest_close(&child);
  CHECK(tp_nest_open_stack(&child, &root_nest, TP_HIGH, "child", bytes,
                           TP_FULL_DROP));
  tp_stack_mark(stack);
  CHECK_FAULTS(TP_FAULT_ORDER, tp_stack_release(stack, mark));
}

static void who_has_a_child_and_is_not_the_newest_is_told_of_the_child(void)
{
  struct tp_nest sibling = {0}, grandchild = {0};
  start();
  tp_nest_open_stack(&child, &root_nest, TP_LOW, "child", 64, TP_FULL_DROP);
  tp_nest_open_stack(&grandchild, &child, TP_LOW, "inner", 8, TP_FULL_DROP);
  tp_nest_open_stack(&sibling, &root_nest, TP_LOW, "next", 8, TP_FULL_DROP);
  CHECK_FAULTS(TP_FAULT_CHILD, tp_nest_close(&child));
  CHECK(tp_fault_record.name == grandchild.name);
}

static void a_block_of_a_child_is_none_of_the_next_in_its_place(void)
{
  start();
  const struct tp_stack *stack = opened_stack();
  void *block = tp_stack_alloc_block(stack, 8, 4);
  tp_nest_close(&child);
  CHECK(opened_stack() == stack);
  CHECK(tp_stack_alloc(stack, 24, 4));
  CHECK_FAULTS(TP_FAULT_ORDER, tp_stack_free(stack, block));
}

void suite_closed(void)
{
  if (TP_CHECKS < TP_CHECKS_FAST) return;
  RUN(a_child_never_opened_is_closed);
  RUN(a_child_is_only_what_it_was_opened_as);
  RUN(a_stack_that_was_closed_gives_nothing);
  RUN(two_ends_that_were_closed_give_nothing);
  RUN(a_frame_that_was_closed_gives_nothing);
  RUN(a_frame_that_was_closed_is_sound);
  RUN(a_pool_that_was_closed_gives_nothing_and_takes_nothing);
  RUN(scrubbing_a_closed_pool_leaves_a_closed_frame_empty);
  RUN(children_of_a_child_that_was_closed_cannot_be_opened);
  RUN(a_pool_that_was_closed_gives_no_handle);
  RUN(a_child_at_an_end_that_is_none_is_refused);
  RUN(a_mark_names_the_child_that_is_in_its_way_if_it_lives);
  RUN(a_mark_of_a_child_is_none_of_those_after_it_in_its_place);
  RUN(a_mark_of_either_end_of_a_child_is_none_of_the_next);
  RUN(a_mark_of_a_child_is_none_of_the_next_at_the_other_end);
  RUN(who_has_a_child_and_is_not_the_newest_is_told_of_the_child);
  RUN(a_block_of_a_child_is_none_of_the_next_in_its_place);
}
