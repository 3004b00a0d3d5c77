// SPDX-License-Identifier: MIT
// Giving back in reverse order, and what is refused.
#include "nest.h"

static struct tp_nest level, draw, sparks, smoke;

// root: draw at the low end; level at the high end, in it sparks and smoke.
static void start(void)
{
  struct tp_build row = drop_row(4);
  forget_nest(&root_nest);
  level = (struct tp_nest){0};
  draw = level;
  sparks = level;
  smoke = level;
  tp_nest_open_frame(&draw, &root_nest, TP_LOW, "draw", 64, 2, TP_FULL_DROP);
  tp_nest_open_stack(&level, &root_nest, TP_HIGH, "level", 1024, TP_FULL_DROP);
  tp_nest_open_pool(&sparks, &level, TP_LOW, "sparks", &row);
  tp_nest_open_pool(&smoke, &level, TP_LOW, "smoke", &row);
}

static void closing_in_reverse_order_gives_everything_back(void)
{
  start();
  tp_nest_close(&smoke);
  CHECK_EQ(used_of(&level), sparks.bytes);
  tp_nest_close(&sparks);
  CHECK_EQ(used_of(&level), 0);
  tp_nest_close(&level);
  CHECK_EQ(used_of(&root_nest), draw.bytes);
  tp_nest_close(&draw);
  CHECK_EQ(used_of(&root_nest), 0);
}

static void the_ends_of_a_root_are_closed_independently(void)
{
  start();
  tp_nest_close(&draw);
  CHECK_EQ(used_of(&root_nest), level.bytes);
  tp_nest_close(&smoke);
  tp_nest_close(&sparks);
  tp_nest_close(&level);
  CHECK_EQ(used_of(&root_nest), 0);
}

static void what_was_closed_can_be_opened_again(void)
{
  struct tp_build row = drop_row(7);
  start();
  tp_nest_close(&smoke);
  CHECK(tp_nest_open_pool(&smoke, &level, TP_LOW, "smoke", &row));
  CHECK_EQ(tp_nest_pool(&smoke)->capacity, 7);
}

static void releasing_a_parent_with_a_live_child_is_refused_and_names_the_child(
    void)
{
  start();
  CHECK_FAULTS(TP_FAULT_CHILD, tp_nest_close(&level));
  CHECK(tp_fault_record.name == smoke.name);
  CHECK_EQ(tp_fault_record.found, 0);
  CHECK_EQ(tp_fault_record.expected, 0);

  tp_nest_close(&smoke);
  CHECK_FAULTS(TP_FAULT_CHILD, tp_nest_close(&level));
  CHECK(tp_fault_record.name == sparks.name);

  tp_nest_close(&sparks);
  tp_nest_close(&level);
}

static void releasing_a_mark_below_a_live_child_names_the_child(void)
{
  struct tp_build row = drop_row(4);
  struct tp_nest inner = {0};
  start();
  const struct tp_stack *stack = tp_nest_stack(&level);
  struct tp_mark mark = tp_stack_mark(stack);
  tp_nest_open_pool(&inner, &level, TP_LOW, "inner", &row);
  struct tp_mark above = tp_stack_mark(stack);

  CHECK_FAULTS(TP_FAULT_CHILD, tp_stack_release(stack, mark));
  CHECK(tp_fault_record.name == inner.name);

  tp_stack_release(stack, above);
  CHECK_FAULTS(TP_FAULT_CHILD, tp_stack_release(stack, mark));
  tp_nest_close(&inner);
  tp_stack_release(stack, mark);
}

static void clearing_a_parent_with_a_live_child_names_the_child(void)
{
  start();
  CHECK_FAULTS(TP_FAULT_CHILD, tp_stack_reset(tp_nest_stack(&level)));
  CHECK(tp_fault_record.name == smoke.name);
  CHECK_EQ(tp_fault_record.found, 0);
  CHECK_EQ(tp_fault_record.expected, used_of(&level));
  CHECK_FAULTS(TP_FAULT_CHILD, tp_dstack_reset(&root_nest.as.dstack, TP_LOW));
  CHECK(tp_fault_record.name == draw.name);
  CHECK_FAULTS(TP_FAULT_CHILD, tp_dstack_reset(&root_nest.as.dstack, TP_HIGH));
  CHECK(tp_fault_record.name == level.name);
}

static void closing_out_of_order_faults(void)
{
  start();
  CHECK_FAULTS(TP_FAULT_ORDER, tp_nest_close(&sparks));
  CHECK(tp_fault_record.name == sparks.name);
  CHECK(tp_fault_record.address == &sparks);

  tp_nest_close(&smoke);
  tp_nest_close(&sparks);
}

static void closing_below_a_mark_faults(void)
{
  start();
  struct tp_mark mark = tp_stack_mark(tp_nest_stack(&level));

  CHECK_FAULTS(TP_FAULT_ORDER, tp_nest_close(&smoke));

  tp_stack_release(tp_nest_stack(&level), mark);
  tp_nest_close(&smoke);
}

static void what_a_parent_gave_out_since_goes_back_with_a_child(void)
{
  start();
  CHECK(tp_stack_alloc(tp_nest_stack(&level), 16, 8) != NULL);
  tp_nest_close(&smoke);
  CHECK_EQ(used_of(&level), sparks.bytes);
}

static void closing_a_pool_with_live_objects_is_refused(void)
{
  start();
  const struct tp_pool *pool = tp_nest_pool(&smoke);
  void *first = tp_pool_alloc(pool);
  void *second = tp_pool_alloc(pool);

  CHECK_FAULTS(TP_FAULT_CHILD, tp_nest_close(&smoke));

  CHECK(tp_fault_record.name == smoke.name);
  CHECK_EQ(tp_fault_record.found, 2);
  tp_pool_free(pool, first);
  tp_pool_free(pool, second);
  tp_nest_close(&smoke);
}

static void a_child_that_was_closed_is_not_closed_again(void)
{
  start();
  tp_nest_close(&smoke);
  CHECK_FAULTS(TP_FAULT_CLOSED, tp_nest_close(&smoke));
  CHECK(tp_fault_record.address == &smoke);
}

static void memory_of_a_closed_child_is_poison(void)
{
  start();
  const tp_word_t *words = smoke.as.pool.storage - smoke.as.pool.zone / 4;
  const tp_word_t *end = words + (smoke.bytes - smoke.padding) / 4;

  tp_nest_close(&smoke);

  while (words < end) CHECK_EQ(*words++, TP_POISON);
}

static void a_write_into_a_closed_child_is_found_by_the_next(void)
{
  struct tp_build row = drop_row(4);
  start();
  tp_word_t *words = smoke.as.pool.storage;
  tp_nest_close(&smoke);
  words[2] = 0;

  CHECK_FAULTS(TP_FAULT_POISON,
               tp_nest_open_pool(&smoke, &level, TP_LOW, "smoke", &row));

  CHECK(tp_fault_record.address == words + 2);
  CHECK(tp_fault_record.name == level.name);
}

static void the_root_cannot_be_closed(void)
{
  struct tp_nest root = root_nest;
  forget_nest(&root_nest);
  CHECK_FAULTS(TP_FAULT_ORDER, tp_nest_close(&root));
  CHECK(tp_fault_record.name == root_nest.name);
}

static void off_closes_a_parent_with_a_live_child(void)
{
  start();
  tp_nest_close(&level);
  CHECK_EQ(level.kind, TP_NEST_CLOSED);
  CHECK_EQ(used_of(&root_nest), draw.bytes);
}

void suite_close(void)
{
  RUN(closing_in_reverse_order_gives_everything_back);
  RUN(the_ends_of_a_root_are_closed_independently);
  RUN(what_was_closed_can_be_opened_again);
  if (TP_CHECKS < TP_CHECKS_FAST) RUN(off_closes_a_parent_with_a_live_child);
  if (TP_CHECKS < TP_CHECKS_FAST) return;
  RUN(releasing_a_parent_with_a_live_child_is_refused_and_names_the_child);
  RUN(releasing_a_mark_below_a_live_child_names_the_child);
  RUN(clearing_a_parent_with_a_live_child_names_the_child);
  RUN(closing_out_of_order_faults);
  RUN(closing_below_a_mark_faults);
  RUN(what_a_parent_gave_out_since_goes_back_with_a_child);
  RUN(closing_a_pool_with_live_objects_is_refused);
  RUN(a_child_that_was_closed_is_not_closed_again);
  RUN(the_root_cannot_be_closed);
  if (TP_CHECKS < TP_CHECKS_POISON) return;
  RUN(memory_of_a_closed_child_is_poison);
  RUN(a_write_into_a_closed_child_is_found_by_the_next);
}
