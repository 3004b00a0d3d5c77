// SPDX-License-Identifier: MIT
// What a nest keeps of its own was written over: the next call says so, before
// it goes by that.
#include "nest.h"
#include "check/tp_level.h"

static struct tp_nest level, child;

static void open_level(void)
{
  forget_nest(&root_nest);
  level = (struct tp_nest){0};
  child = (struct tp_nest){0};
  tp_nest_open_stack(&level, &root_nest, TP_LOW, "level", 256, TP_FULL_DROP);
}

static void flip(void *memory, uint32_t bit)
{
  ((uint8_t *)memory)[bit / 8] ^= (uint8_t)(1u << bit % 8);
}

static void open_child(void)
{
  tp_nest_open_stack(&child, &level, TP_LOW, "child", 64, TP_FULL_DROP);
}

static void look(const struct tp_nest_item *item, void *context)
{
  (void)item;
  (void)context;
}

static void each_flipped_bit_of_an_open_child_is_a_fault_at_each_call(void)
{
  if (TP_CHECKS < TP_CHECKS_FAST) return;
  open_level();
  for (uint32_t bit = 0; bit < sizeof level * 8; bit++) {
    flip(&level, bit);
    CHECK(!tp_nest_verify(&level));
    CHECK_FAULTS(TP_FAULT_INVARIANT, tp_nest_stack(&level));
    CHECK(tp_fault_record.address == &level);
    CHECK_FAULTS(TP_FAULT_INVARIANT, tp_nest_close(&level));
    CHECK_FAULTS(TP_FAULT_INVARIANT, open_child());
    CHECK_FAULTS(TP_FAULT_INVARIANT, tp_nest_walk(&level, look, NULL));
    CHECK_FAULTS(TP_FAULT_INVARIANT, tp_nest_walk(&root_nest, look, NULL));
    flip(&level, bit);
  }
  CHECK(tp_nest_verify(&level));
  tp_nest_close(&level);
}

static void a_child_of_a_parent_that_was_written_over_is_not_closed(void)
{
  if (TP_CHECKS < TP_CHECKS_FAST) return;
  open_level();
  open_child();
  flip(&level, 0);
  CHECK_FAULTS(TP_FAULT_INVARIANT, tp_nest_close(&child));
  CHECK(tp_fault_record.address == &level);
}

static void a_child_without_a_parent_was_written_over(void)
{
  open_level();
  level.parent = NULL;
  CHECK(!tp_nest_verify(&level));
}

static void a_word_of_a_child_that_became_zero_was_written_over(void)
{
  open_level();
  tp_word_t *words = (tp_word_t *)(void *)&level;
  for (uint32_t i = 0; i < sizeof level / sizeof *words; i++) {
    tp_word_t word = words[i];
    words[i] = 0;
    CHECK(tp_nest_verify(&level) == (word == 0));
    words[i] = word;
  }
  level.mark.owner = NULL;
  CHECK(!tp_nest_verify(&level));
}

static void a_closed_child_and_a_root_are_as_they_were_left(void)
{
  open_level();
  CHECK(tp_nest_verify(&level) && tp_nest_verify(&root_nest));
  tp_nest_close(&level);
  CHECK(tp_nest_verify(&level) && tp_nest_verify(&child));
}

// How full the low end of the root is, and what it says of its children.
static struct tp_dstack_state *ends(void)
{
  return root_nest.as.dstack.state;
}

static void no_child_lies_on_another(void)
{
  if (TP_CHECKS < TP_CHECKS_FAST) return;
  open_level();
  uint32_t *used = &ends()->bump[TP_LOW].used;
  *used -= 8;
  CHECK_FAULTS(TP_FAULT_INVARIANT,
               tp_nest_open_stack(&child, &root_nest, TP_LOW, "child", 64,
                                  TP_FULL_DROP));
  CHECK(tp_fault_record.address == used);
  CHECK_EQ(tp_fault_record.found + 8, tp_fault_record.expected);
}

static void nor_does_one_that_does_not_begin_at_the_end(void)
{
  if (TP_CHECKS < TP_CHECKS_FAST) return;
  forget_nest(&root_nest);
  level = (struct tp_nest){0};
  child = (struct tp_nest){0};
  tp_dstack_alloc(&root_nest.as.dstack, TP_LOW, 64, 8);
  tp_nest_open_stack(&level, &root_nest, TP_LOW, "level", 128, TP_FULL_DROP);
  uint32_t *used = &ends()->bump[TP_LOW].used, full = *used;
  CHECK(full > 128 + 64);
  *used -= 8;
  CHECK_FAULTS(TP_FAULT_INVARIANT,
               tp_nest_open_stack(&child, &root_nest, TP_LOW, "child", 64,
                                  TP_FULL_DROP));
  CHECK(tp_fault_record.address == used);
  CHECK_EQ(tp_fault_record.found, full - 8);
  CHECK_EQ(tp_fault_record.expected, full);
}

static void what_says_how_full_a_parent_is_is_looked_at_before_a_child_closes(
    void)
{
  if (TP_CHECKS < TP_CHECKS_FAST) return;
  open_level();
  uint32_t *used = &ends()->bump[TP_LOW].used;
  *used += root_nest.bytes;
  CHECK_FAULTS(TP_FAULT_INVARIANT, tp_nest_close(&level));
  CHECK(tp_fault_record.address == used);
}

// No name is read by way of it.
static void each_flipped_bit_of_where_a_childs_name_stands_is_a_fault(void)
{
  if (TP_CHECKS < TP_CHECKS_FAST) return;
  open_level();
  uintptr_t *place = &ends()->marks[TP_LOW].child;
  for (uint32_t bit = 0; bit < sizeof *place * 8; bit++) {
    flip(place, bit);
    CHECK_FAULTS(TP_FAULT_INVARIANT,
                 tp_dstack_reset(&root_nest.as.dstack, TP_LOW));
    CHECK(tp_fault_record.address == place);
    CHECK_EQ(tp_fault_record.found, *place);
    CHECK_EQ(tp_fault_record.expected, 0);
    CHECK_FAULTS(TP_FAULT_INVARIANT,
                 tp_nest_open_stack(&child, &root_nest, TP_LOW, "child", 64,
                                    TP_FULL_DROP));
    flip(place, bit);
  }
}

void suite_written_over(void)
{
  RUN(each_flipped_bit_of_an_open_child_is_a_fault_at_each_call);
  RUN(a_child_of_a_parent_that_was_written_over_is_not_closed);
  RUN(a_child_without_a_parent_was_written_over);
  RUN(a_word_of_a_child_that_became_zero_was_written_over);
  RUN(a_closed_child_and_a_root_are_as_they_were_left);
  RUN(no_child_lies_on_another);
  RUN(nor_does_one_that_does_not_begin_at_the_end);
  RUN(what_says_how_full_a_parent_is_is_looked_at_before_a_child_closes);
  RUN(each_flipped_bit_of_where_a_childs_name_stands_is_a_fault);
}
