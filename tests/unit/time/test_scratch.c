// SPDX-License-Identifier: MIT
// Stacks, frames, and what is carved of them: nests.
#include "allocator/tp_nest.h"
#include "config/tp_define.h"
#include "time.h"

enum { ROOM = 8192 };

static struct tp_stats stats;

TP_STACK_DEFINE(pile, ROOM, .full = TP_FULL_DROP);
TP_DSTACK_DEFINE(both, ROOM, .full = TP_FULL_DROP);
TP_FRAME_DEFINE(sketch, ROOM, 2, .full = TP_FULL_DROP);

// [count] objects of [bytes] in each of them, after a mark.
static struct tp_mark pile_mark, both_mark;
static void pile_up(uint32_t count, uint32_t bytes)
{
  *pile_stack.state = (struct tp_stack_state){0};
  *both_dstack.state = (struct tp_dstack_state){0};
  *sketch_frame.state = (struct tp_frame_state){0};
  for (uint32_t i = 0; i < 2; i++) sketch_frame.bump[i] = (struct tp_bump){0};
  pile_mark = tp_stack_mark(&pile_stack);
  both_mark = tp_dstack_mark(&both_dstack, TP_HIGH);
  for (uint32_t i = 0; i < count; i++) {
    tp_stack_alloc(&pile_stack, bytes, 4);
    tp_dstack_alloc(&both_dstack, TP_HIGH, bytes, 4);
    tp_frame_alloc(&sketch_frame, bytes, 4);
  }
}

static uint32_t of_stack_alloc(uint32_t count)
{
  pile_up(count, 16);
  return COST(tp_stack_alloc(&pile_stack, 16, 4));
}

static uint32_t of_dstack_alloc(uint32_t count)
{
  pile_up(count, 16);
  return COST(tp_dstack_alloc(&both_dstack, TP_HIGH, 16, 4));
}

static uint32_t of_frame_alloc(uint32_t count)
{
  pile_up(count, 16);
  return COST(tp_frame_alloc(&sketch_frame, 16, 4));
}

static uint32_t of_stack_alloc_of(uint32_t words)
{
  pile_up(1, 16);
  return COST(tp_stack_alloc(&pile_stack, 16 * words, 4));
}

static uint32_t of_dstack_alloc_of(uint32_t words)
{
  pile_up(1, 16);
  return COST(tp_dstack_alloc(&both_dstack, TP_HIGH, 16 * words, 4));
}

static uint32_t of_frame_alloc_of(uint32_t words)
{
  pile_up(1, 16);
  return COST(tp_frame_alloc(&sketch_frame, 16 * words, 4));
}

static void scratch_memory_is_taken_as_fast_whatever_is_in_use(void)
{
  CHECK(is_constant(of_stack_alloc));
  CHECK(is_constant(of_dstack_alloc));
  CHECK(is_constant(of_frame_alloc));
  CHECK(is_by_bytes(of_stack_alloc_of));
  CHECK(is_by_bytes(of_dstack_alloc_of));
  CHECK(is_by_bytes(of_frame_alloc_of));
}

static void scratch_memory_is_taken_with_nothing_locked(void)
{
  pile_up(1, 16);
  CHECK_EQ(WINDOWS(tp_stack_alloc(&pile_stack, 16, 4)), 0);
  CHECK_EQ(WINDOWS(tp_dstack_alloc(&both_dstack, TP_LOW, 16, 4)), 0);
  CHECK_EQ(WINDOWS(tp_frame_alloc(&sketch_frame, 16, 4)), 0);
}

static uint32_t of_stack_alloc_block(uint32_t count)
{
  pile_up(count, 16);
  return COST(tp_stack_alloc_block(&pile_stack, 16, 4));
}

static uint32_t of_dstack_alloc_block(uint32_t count)
{
  pile_up(count, 16);
  return COST(tp_dstack_alloc_block(&both_dstack, TP_HIGH, 16, 4));
}

static uint32_t of_stack_free(uint32_t words)
{
  pile_up(1, 16);
  void *block = tp_stack_alloc_block(&pile_stack, 16 * words, 4);
  return COST(tp_stack_free(&pile_stack, block));
}

static uint32_t of_dstack_free(uint32_t words)
{
  pile_up(1, 16);
  void *block = tp_dstack_alloc_block(&both_dstack, TP_HIGH, 16 * words, 4);
  return COST(tp_dstack_free(&both_dstack, TP_HIGH, block));
}

static void blocks_of_a_stack_come_and_go_as_fast_whatever_is_in_use(void)
{
  CHECK(is_constant(of_stack_alloc_block));
  CHECK(is_constant(of_dstack_alloc_block));
  CHECK(is_by_bytes(of_stack_free));
  CHECK(is_by_bytes(of_dstack_free));
}

static uint32_t of_stack_mark(uint32_t count)
{
  pile_up(count, 16);
  return COST(tp_stack_mark(&pile_stack));
}

static uint32_t of_dstack_mark(uint32_t count)
{
  pile_up(count, 16);
  return COST(tp_dstack_mark(&both_dstack, TP_HIGH));
}

static void a_mark_is_made_as_fast_whatever_is_in_use(void)
{
  CHECK(is_constant(of_stack_mark));
  CHECK(is_constant(of_dstack_mark));
}

static uint32_t of_stack_release(uint32_t count)
{
  pile_up(count, 16);
  return COST(tp_stack_release(&pile_stack, pile_mark));
}

static uint32_t of_dstack_release(uint32_t count)
{
  pile_up(count, 16);
  return COST(tp_dstack_release(&both_dstack, TP_HIGH, both_mark));
}

static uint32_t of_stack_reset(uint32_t count)
{
  pile_up(count, 16);
  return COST(tp_stack_reset(&pile_stack));
}

static uint32_t of_dstack_reset(uint32_t count)
{
  pile_up(count, 16);
  return COST(tp_dstack_reset(&both_dstack, TP_HIGH));
}

static uint32_t of_frame_end(uint32_t count)
{
  pile_up(count, 16);
  tp_frame_end(&sketch_frame);
  return COST(tp_frame_end(&sketch_frame));
}

static void scratch_memory_is_given_back_at_once_and_poisoned_by_the_byte(void)
{
  CHECK(is_by_bytes(of_stack_release));
  CHECK(is_by_bytes(of_dstack_release));
  CHECK(is_by_bytes(of_stack_reset));
  CHECK(is_by_bytes(of_dstack_reset));
  CHECK(is_by_bytes(of_frame_end));
}

static uint32_t of_stack_stats(uint32_t count)
{
  pile_up(count, 16);
  return COST(tp_stack_stats(&pile_stack, &stats));
}

static uint32_t of_dstack_stats(uint32_t count)
{
  pile_up(count, 16);
  return COST(tp_dstack_stats(&both_dstack, TP_HIGH, &stats));
}

static uint32_t of_frame_stats(uint32_t buffers)
{
  static struct tp_bump bumps[LARGEST];
  struct tp_frame frame = sketch_frame;
  frame.bump = bumps;
  frame.buffers = (uint8_t)buffers;
  return COST(tp_frame_stats(&frame, &stats));
}

static void scratch_memory_has_its_figures_at_hand(void)
{
  CHECK(is_constant(of_stack_stats));
  CHECK(is_constant(of_dstack_stats));
  CHECK(is_linear(of_frame_stats));
}

TP_NEST_DEFINE(root, 4 * ROOM, .full = TP_FULL_DROP);

static struct tp_nest children[LARGEST + 1];

static void open_children(uint32_t count)
{
  *root_nest.state = (struct tp_nest_state){{NULL, NULL}};
  *root_nest.as.dstack.state = (struct tp_dstack_state){0};
  for (uint32_t i = 0; i <= LARGEST; i++) children[i] = (struct tp_nest){0};
  for (uint32_t i = 0; i < count; i++) {
    tp_nest_open_stack(&children[i], &root_nest, TP_LOW, "one", 64,
                       TP_FULL_DROP);
  }
}

static uint32_t of_opening(uint32_t count)
{
  open_children(count);
  return COST(tp_nest_open_stack(&children[LARGEST], &root_nest, TP_LOW, "one",
                                 64, TP_FULL_DROP));
}

static uint32_t of_nest_close(uint32_t count)
{
  open_children(count);
  return COST(tp_nest_close(&children[count - 1]));
}

static uint32_t of_nest_stack(uint32_t count)
{
  open_children(count);
  return COST(tp_nest_stack(&children[count - 1]));
}

static void children_are_opened_and_closed_as_fast_whatever_is_open(void)
{
  CHECK(is_constant(of_opening));
  CHECK(is_constant(of_nest_close));
  CHECK(is_constant(of_nest_stack));
  open_children(1);
  CHECK_EQ(WINDOWS(tp_nest_open_stack(&children[1], &root_nest, TP_LOW, "one",
                                      64, TP_FULL_DROP)),
           0);
}

static uint32_t of_opening_a_pool(uint32_t count)
{
  struct tp_build row = {
      .size = 16,
      .count = (tp_slot_t)count,
      .align = 8,
      .tagged = 1,
      .policy = &tp_drop,
  };
  open_children(0);
  return COST(
      tp_nest_open_pool(&children[0], &root_nest, TP_LOW, "pool", &row));
}

static uint32_t of_closing_a_pool(uint32_t count)
{
  of_opening_a_pool(count);
  const struct tp_pool *pool = tp_nest_pool(&children[0]);
  for (uint32_t i = 0; i < count; i++) objects[i] = tp_pool_alloc(pool);
  for (uint32_t i = 0; i < count; i++) tp_pool_free(pool, objects[i]);
  return COST(tp_nest_close(&children[0]));
}

static void pass_by(const struct tp_nest_item *item, void *context)
{
  (void)item;
  (void)context;
}

static uint32_t of_nest_walk(uint32_t count)
{
  open_children(count);
  return COST(tp_nest_walk(&root_nest, pass_by, NULL));
}

static void a_pool_in_a_nest_takes_time_by_its_slots_and_a_walk_by_the_nodes(
    void)
{
  bool counts = TP_CHECKS >= TP_CHECKS_FAST;
  CHECK(is_linear(of_opening_a_pool));
  CHECK(!counts || is_linear(of_closing_a_pool));
  CHECK(is_linear(of_nest_walk));
}

void suite_scratch(void)
{
  RUN(scratch_memory_is_taken_as_fast_whatever_is_in_use);
  RUN(scratch_memory_is_taken_with_nothing_locked);
  RUN(blocks_of_a_stack_come_and_go_as_fast_whatever_is_in_use);
  RUN(a_mark_is_made_as_fast_whatever_is_in_use);
  RUN(scratch_memory_is_given_back_at_once_and_poisoned_by_the_byte);
  RUN(scratch_memory_has_its_figures_at_hand);
  RUN(children_are_opened_and_closed_as_fast_whatever_is_open);
  RUN(a_pool_in_a_nest_takes_time_by_its_slots_and_a_walk_by_the_nodes);
}
