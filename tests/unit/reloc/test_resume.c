// SPDX-License-Identifier: MIT
// What happens between two steps to the place where the next goes on.
#include "unit.h"

enum { BLOCKS = 16, BYTES = 24 };

static tp_handle_t block[BLOCKS];

// Holes at 0 and 8; one step went as far as block 4.
static void start(void)
{
  forget(&heap_reloc);
  for (uint32_t i = 0; i < BLOCKS; i++) block[i] = make(BYTES);
  heap_free(block[0]);
  heap_free(block[8]);
  block[0] = block[8] = TP_NO_HANDLE;
  for (uint32_t i = 0; i < 4; i++) tp_reloc_step(&heap_reloc, 1, HEAP_BYTES);
}

static uint32_t live(void)
{
  return heap_reloc.state->live;
}

// As many steps of one block as there are blocks must do.
static void is_soon_compact(void)
{
  struct tp_reloc_moved done = {0};
  CHECK(tp_reloc_verify(&heap_reloc));
  for (uint32_t n = live(); n > 0; n--) {
    done = tp_reloc_step(&heap_reloc, 1, HEAP_BYTES);
    CHECK(tp_reloc_verify(&heap_reloc));
  }
  CHECK_EQ(done.holes, 0);
  for (uint32_t i = 0; i < BLOCKS; i++) {
    CHECK(block[i] == TP_NO_HANDLE || is_whole(block[i], BYTES));
  }
}

static void release(uint32_t i)
{
  heap_free(block[i]);
  block[i] = TP_NO_HANDLE;
}

static void any_block_may_be_freed_between_two_steps(void)
{
  for (uint32_t i = 1; i < BLOCKS; i++) {
    if (i == 8) continue;
    start();
    release(i);
    is_soon_compact();
  }
}

static void any_two_blocks_may_be_freed_between_two_steps(void)
{
  for (uint32_t i = 1; i < BLOCKS; i++) {
    for (uint32_t j = 1; j < BLOCKS; j++) {
      if (i == 8 || j == 8 || i == j) continue;
      start();
      release(i);
      release(j);
      is_soon_compact();
    }
  }
}

static void all_blocks_may_be_freed_between_two_steps(void)
{
  start();
  for (uint32_t i = BLOCKS; i-- > 0;) {
    if (block[i] != TP_NO_HANDLE) release(i);
  }
  CHECK_EQ(live(), 0);
  is_soon_compact();
  CHECK_EQ(figures(&heap_reloc).largest, HEAP_BYTES - 8);
}

static void the_hole_it_stands_at_may_be_filled_between_two_steps(void)
{
  start();
  tp_handle_t rest = make(figures(&heap_reloc).top_bytes);
  block[0] = make(BYTES);
  CHECK(place_of(block[0]) < place_of(block[15]));
  is_soon_compact();
  CHECK(rest != TP_NO_HANDLE);
}

static void a_block_at_the_top_may_be_added_between_two_steps(void)
{
  start();
  block[0] = make(BYTES);
  is_soon_compact();
}

static void the_last_unlock_takes_it_back_to_the_hole_before(void)
{
  start();
  heap_lock(block[5]);
  heap_lock(block[5]);
  for (uint32_t i = 0; i < BLOCKS; i++) {
    tp_reloc_step(&heap_reloc, 1, HEAP_BYTES);
  }
  CHECK_EQ(figures(&heap_reloc).holes, 1);
  uint32_t cursor = heap_reloc.state->cursor;
  heap_unlock(block[5]);
  CHECK_EQ(heap_reloc.state->cursor, cursor);
  tp_reloc_step(&heap_reloc, BLOCKS, HEAP_BYTES);
  CHECK_EQ(figures(&heap_reloc).holes, 1);
  heap_unlock(block[5]);
  is_soon_compact();
}

// It is told of block 9, which comes to the second hole.
static void what_on_move_unlocks_takes_it_back_to_the_hole_before(void)
{
  start();
  heap_lock(block[5]);
  while (moved.count < 4) tp_reloc_step(&heap_reloc, 1, HEAP_BYTES);
  moved_unlocks = block[5];
  while (moved.count < 5) tp_reloc_step(&heap_reloc, 1, HEAP_BYTES);
  CHECK(moved.handle == block[9]);
  CHECK_EQ(moved_unlocks, TP_NO_HANDLE);
  is_soon_compact();
}

void suite_resume(void)
{
  RUN(any_block_may_be_freed_between_two_steps);
  RUN(any_two_blocks_may_be_freed_between_two_steps);
  RUN(all_blocks_may_be_freed_between_two_steps);
  RUN(the_hole_it_stands_at_may_be_filled_between_two_steps);
  RUN(a_block_at_the_top_may_be_added_between_two_steps);
  RUN(the_last_unlock_takes_it_back_to_the_hole_before);
  RUN(what_on_move_unlocks_takes_it_back_to_the_hole_before);
}
