// SPDX-License-Identifier: MIT
#include "unit.h"

enum { BLOCKS = 24, BYTES = 40 };

static tp_handle_t block[BLOCKS];
static struct tp_reloc_moved done;

// Every other block is a hole, and the arena is full.
static void checkerboard(void)
{
  forget(&heap_reloc);
  for (uint32_t i = 0; i < BLOCKS; i++) block[i] = make(BYTES);
  for (uint32_t i = 0; i < BLOCKS; i += 2) heap_free(block[i]);
}

static void others_are_whole(void)
{
  for (uint32_t i = 1; i < BLOCKS; i += 2) CHECK(is_whole(block[i], BYTES));
  CHECK(tp_reloc_verify(&heap_reloc));
}

static void step(uint32_t moves, uint32_t bytes)
{
  done = tp_reloc_step(&heap_reloc, moves, bytes);
}

static void a_step_moves_at_most_as_many_blocks_as_it_may(void)
{
  for (uint32_t moves = 0; moves <= BLOCKS; moves++) {
    checkerboard();
    for (uint32_t left = BLOCKS / 2; left > 0 && moves > 0;) {
      step(moves, HEAP_BYTES);
      CHECK_EQ(done.moves, left < moves ? left : moves);
      left -= done.moves;
      others_are_whole();
    }
  }
}

static void a_step_of_no_moves_changes_nothing(void)
{
  checkerboard();
  struct tp_reloc_state before = *heap_reloc.state;

  step(0, HEAP_BYTES);

  CHECK_EQ(done.moves + done.bytes, 0);
  CHECK_EQ(done.holes, BLOCKS / 2);
  CHECK_EQ(done.hole_bytes, BLOCKS / 2 * (BYTES + 8));
  CHECK_EQ(heap_reloc.state->cursor, before.cursor);
}

static void a_step_moves_at_most_as_many_bytes_as_it_may(void)
{
  checkerboard();
  while (figures(&heap_reloc).holes > 0) {
    step(BLOCKS, 3 * BYTES + 39);
    CHECK(done.moves <= 3);
    CHECK_EQ(done.bytes, done.moves * BYTES);
    CHECK(done.moves > 0);
    others_are_whole();
  }
}

// As many bytes as a number can say: what ends it there is no block's size.
static void a_step_that_may_move_any_bytes_ends_at_the_top(void)
{
  checkerboard();
  for (uint32_t i = 1; i < BLOCKS; i += 2) heap_lock(block[i]);
  step(2 * BLOCKS, UINT32_MAX);
  CHECK_EQ(done.moves + done.bytes, 0);
  CHECK_EQ(done.holes, BLOCKS / 2);
  for (uint32_t i = 1; i < BLOCKS; i += 2) heap_unlock(block[i]);
  others_are_whole();
  for (uint32_t i = 0; i < 2; i++) step(2 * BLOCKS, UINT32_MAX);
  CHECK_EQ(done.moves + done.holes, 0);
  others_are_whole();
}

static void n_blocks_are_compact_after_n_over_k_steps(void)
{
  for (uint32_t moves = 1; moves <= BLOCKS; moves++) {
    checkerboard();
    uint32_t steps = (BLOCKS / 2 + moves - 1) / moves;
    for (uint32_t i = 0; i < steps; i++) step(moves, HEAP_BYTES);
    CHECK_EQ(done.holes, 0);
    CHECK_EQ(done.hole_bytes, 0);
    others_are_whole();
  }
}

static void a_compact_arena_is_left_alone(void)
{
  checkerboard();
  step(BLOCKS, HEAP_BYTES);
  step(BLOCKS, HEAP_BYTES);
  CHECK_EQ(done.moves, 0);
  CHECK_EQ(figures(&heap_reloc).moves, BLOCKS / 2);
}

static void a_locked_block_stays_and_those_behind_it_move(void)
{
  checkerboard();
  const void *pinned = heap_lock(block[5]);
  uintptr_t behind = place_of(block[7]);

  step(BLOCKS, HEAP_BYTES);

  CHECK_EQ(done.moves, BLOCKS / 2 - 1);
  CHECK_EQ(done.holes, 1);
  CHECK(pinned == heap_lock(block[5]));
  CHECK_EQ(place_of(block[7]), behind - (BYTES + 8));
  others_are_whole();
  heap_unlock(block[5]);
  heap_unlock(block[5]);
  step(BLOCKS, HEAP_BYTES);
  CHECK_EQ(done.holes, 0);
  others_are_whole();
}

static void with_all_locked_nothing_moves_and_steps_stay_bounded(void)
{
  checkerboard();
  for (uint32_t i = 1; i < BLOCKS; i += 2) heap_lock(block[i]);
  for (uint32_t i = 0; i < BLOCKS; i++) {
    step(2, HEAP_BYTES);
    CHECK_EQ(done.moves, 0);
    CHECK_EQ(done.holes, BLOCKS / 2);
  }
  for (uint32_t i = 1; i < BLOCKS; i += 2) heap_unlock(block[i]);
  for (uint32_t i = 0; i < BLOCKS / 4; i++) step(2, HEAP_BYTES);
  CHECK_EQ(done.holes, 0);
  others_are_whole();
}

static void a_block_larger_than_the_budget_is_passed_over(void)
{
  forget(&heap_reloc);
  tp_handle_t first = make(8);
  tp_handle_t large = make(400);
  tp_handle_t second = make(8);
  tp_handle_t third = make(24);
  heap_free(first);
  heap_free(second);

  step(4, 100);

  CHECK_EQ(done.moves, 1);
  CHECK_EQ(done.bytes, 24);
  CHECK_EQ(done.holes, 1);
  step(4, 400);
  CHECK_EQ(done.bytes, 400);
  step(4, 400);
  CHECK_EQ(done.holes, 0);
  CHECK(is_whole(large, 400));
  CHECK(is_whole(third, 24));
}

// Of three blocks one pass is one step; it stands behind the first of them.
static void what_fewer_bytes_passed_over_is_moved_by_the_next_pass(void)
{
  forget(&heap_reloc);
  tp_handle_t first = make(8);
  tp_handle_t large = make(400);
  make(8);
  make(24);
  heap_free(first);
  step(1, 100);
  CHECK_EQ(done.moves, 0);

  step(3, HEAP_BYTES);

  CHECK_EQ(done.holes, 1);
  step(3, HEAP_BYTES);
  CHECK_EQ(done.holes, 0);
  CHECK(is_whole(large, 400));
}

static void overlapping_moves_keep_every_byte(void)
{
  for (uint32_t gap = 1; gap <= 80; gap += 8) {
    for (uint32_t size = 1; size <= 160; size += 13) {
      forget(&heap_reloc);
      tp_handle_t hole = make(gap);
      tp_handle_t body = make(size);
      tp_handle_t next = make(5);
      heap_free(hole);
      step(1, HEAP_BYTES);
      CHECK(is_whole(body, size));
      CHECK(tp_reloc_verify(&heap_reloc));
      step(1, HEAP_BYTES);
      CHECK(is_whole(next, 5));
      CHECK_EQ(done.holes, 0);
    }
  }
}

static void on_move_is_told_where_each_block_went(void)
{
  forget(&heap_reloc);
  tp_handle_t hole = make(8);
  tp_handle_t body = make(30);
  const void *from = (const void *)place_of(body);
  const void *to = (const void *)place_of(hole);
  heap_free(hole);

  step(1, HEAP_BYTES);

  CHECK_EQ(moved.count, 1);
  CHECK_EQ(moved.handle, body);
  CHECK(moved.from == from);
  CHECK(moved.to == to);
  CHECK_EQ((uintptr_t)to, place_of(body));
}

static void on_move_may_lock_the_block_in_a_pool_that_is_whole(void)
{
  checkerboard();
  moved_asks = true;
  step(4, HEAP_BYTES);
  moved_asks = false;
  CHECK_EQ(moved.count, 4);
  CHECK_EQ(moved_amiss, 0);
  others_are_whole();
}

static void the_declared_step_uses_the_numbers_of_its_row(void)
{
  checkerboard();
  CHECK_EQ(heap_step().moves, HEAP_MOVES);
}

static void the_checkerboard_is_served_after_compaction(void)
{
  checkerboard();
  make(figures(&heap_reloc).top_bytes);
  uint32_t wanted = BLOCKS / 2 * (BYTES + 8) - 8;
  CHECK(heap_alloc(wanted) == TP_NO_HANDLE);
  do {
    step(4, HEAP_BYTES);
  } while (done.holes > 0);
  tp_handle_t served = make(wanted);
  CHECK(is_whole(served, wanted));
  others_are_whole();
}

void suite_steps(void)
{
  RUN(a_step_moves_at_most_as_many_blocks_as_it_may);
  RUN(a_step_of_no_moves_changes_nothing);
  RUN(a_step_moves_at_most_as_many_bytes_as_it_may);
  RUN(a_step_that_may_move_any_bytes_ends_at_the_top);
  RUN(n_blocks_are_compact_after_n_over_k_steps);
  RUN(a_compact_arena_is_left_alone);
  RUN(a_locked_block_stays_and_those_behind_it_move);
  RUN(with_all_locked_nothing_moves_and_steps_stay_bounded);
  RUN(a_block_larger_than_the_budget_is_passed_over);
  RUN(what_fewer_bytes_passed_over_is_moved_by_the_next_pass);
  RUN(overlapping_moves_keep_every_byte);
  RUN(on_move_is_told_where_each_block_went);
  RUN(on_move_may_lock_the_block_in_a_pool_that_is_whole);
  RUN(the_declared_step_uses_the_numbers_of_its_row);
  RUN(the_checkerboard_is_served_after_compaction);
}
