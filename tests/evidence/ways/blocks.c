// SPDX-License-Identifier: MIT
// Blocks by classes, dense and relocating pools: what they keep of their own
// was written over, or a handle is none of theirs.
#include "allocator/tp_blocks.h"
#include "allocator/tp_dense.h"
#include "allocator/tp_reloc_block.h"
#include "config/tp_define.h"
#include "ways.h"

// Blocks ----------------------------------------------------------------------

// A class of a single slot has its tag at off, too.
TP_BLOCK_CLASS(lone, 16, 1, .policy = &tp_drop, .tagged = 1);
TP_BLOCK_CLASS(broad, 64, 2, .policy = &tp_drop, .refuses = 1);
TP_BLOCKS_DEFINE(rising, 0, TP_BLOCK_ROW(lone), TP_BLOCK_ROW(broad));
TP_BLOCKS_DEFINE(falling, 0, TP_BLOCK_ROW(broad), TP_BLOCK_ROW(lone));

static void a_size_that_is_noted_wrong_does_not_verify(void)
{
  CHECK(tp_blocks_verify(&rising_blocks));
  void *block = tp_blocks_alloc(&rising_blocks, 9);
  CHECK(block && tp_blocks_verify(&rising_blocks));
  CHECK_EQ(lone_asked[1], 9);
  lone_asked[1] = 0;
  CHECK(!tp_blocks_verify(&rising_blocks));
  lone_asked[1] = 10;
  CHECK(!tp_blocks_verify(&rising_blocks));
  lone_asked[1] = 9;
  tp_blocks_free(&rising_blocks, block);
  CHECK(tp_blocks_verify(&rising_blocks));
  lone_asked[1] = 9;
  CHECK(!tp_blocks_verify(&rising_blocks));
  lone_asked[1] = 0;
  CHECK(tp_blocks_verify(&rising_blocks));
}

static void classes_that_do_not_ascend_do_not_verify(void)
{
  CHECK(!tp_blocks_verify(&falling_blocks));
}

static void of_what_begins_no_block_nothing_is_noted(void)
{
  char *block = tp_blocks_alloc(&rising_blocks, 9);
  CHECK(block);
  CHECK_FAULTS(TP_FAULT_INTERIOR, tp_blocks_free(&rising_blocks, block + 8));
  CHECK_EQ(lone_asked[1], 9);
  tp_blocks_free(&rising_blocks, block);
  CHECK_EQ(lone_asked[1], 0);
}

static void what_is_no_size_is_a_fault_of_blocks(void)
{
  if (TP_CHECKS < TP_CHECKS_FAST) return;
  CHECK_FAULTS(TP_FAULT_SIZE, tp_blocks_alloc(&rising_blocks, 0));
  CHECK_FAULTS(TP_FAULT_LARGE, tp_blocks_alloc(&rising_blocks, 65));
}

// Dense pools -----------------------------------------------------------------

TP_DENSE_DEFINE(herd, 8, 3, 4, .full = 0);

// From fast up it is a fault to free by a handle that was never given.
static void never_given(tp_handle_t handle)
{
  CHECK(!tp_dense_get(&herd_dense, handle));
  if (TP_CHECKS < TP_CHECKS_FAST) {
    CHECK(!tp_dense_free(&herd_dense, handle));
  } else {
    CHECK_FAULTS(TP_FAULT_HANDLE_POOL, tp_dense_free(&herd_dense, handle));
  }
}

static void a_handle_that_comes_next_is_that_of_no_object(void)
{
  tp_handle_t handle;
  CHECK(tp_dense_alloc(&herd_dense, &handle));
  tp_handle_t next = handle + (1u << herd_dense.bits);
  never_given(next);
  never_given(handle + 1);
  CHECK(tp_dense_free(&herd_dense, handle));
  CHECK(!tp_dense_free(&herd_dense, handle));
  CHECK(!tp_dense_free(&herd_dense, TP_NO_HANDLE));
  never_given(next);
  CHECK(tp_dense_alloc(&herd_dense, &handle));
  CHECK_EQ(handle, next);
  CHECK(tp_dense_free(&herd_dense, handle));
}

static void more_entries_than_there_can_be_do_not_verify(void)
{
  CHECK(tp_dense_verify(&herd_dense));
  herd_place[0] = 1u << herd_dense.bits;
  CHECK(!tp_dense_verify(&herd_dense));
  herd_place[0] = 0;
  CHECK(tp_dense_verify(&herd_dense));
}

// Relocating pools ------------------------------------------------------------

enum { UNITS = 3 };  // Of a block of 16 bytes, with its header.

TP_RELOC_DEFINE(moving, 256, 4, .moves = 1, .move_bytes = 64);
static tp_handle_t low, high;

static void begin(void)
{
  *moving_reloc.state = (struct tp_reloc_state){0};
  for (uint32_t i = 0; i <= 4; i++) {
    moving_reloc.entry[i] = (struct tp_reloc_entry){0};
  }
  low = tp_reloc_alloc(&moving_reloc, 16);
  high = tp_reloc_alloc(&moving_reloc, 16);
}

// What a header of the higher block may say wrongly, its guard right: that it
// has no units; more than there are; an owner that there is not.
static const struct tp_head wrong[] = {
    {.units = 0, .before = UNITS, .owner = 2},
    {.units = 100, .before = UNITS, .owner = 2},
    {.units = UNITS, .before = UNITS, .owner = 99},
};

static void put(uint32_t at, const struct tp_head *head)
{
  tp_head_put(&moving_reloc, at, head->units, head->before, head->owner);
}

static void a_header_that_is_wrong_is_found_whatever_its_guard(void)
{
  for (uint32_t i = 0; i < 3; i++) {
    begin();
    CHECK(tp_reloc_verify(&moving_reloc));
    put(UNITS, &wrong[i]);
    CHECK(!tp_reloc_verify(&moving_reloc));
    if (TP_CHECKS < TP_CHECKS_FAST) continue;
    enum tp_fault_kind kind = i < 2 ? TP_FAULT_RED_ZONE : TP_FAULT_INVARIANT;
    CHECK_FAULTS(kind, tp_reloc_lock(&moving_reloc, high));
    if (i < 2) CHECK_FAULTS(kind, tp_reloc_lock(&moving_reloc, low));
  }
}

static void the_generations_of_a_block_end_more_than_once(void)
{
  begin();
  for (uint32_t i = 0; i < 2; i++) {
    moving_reloc.entry[2].generation = UINT32_MAX;
    CHECK(tp_reloc_free(&moving_reloc, tp_entry_handle(&moving_reloc, 2)));
    CHECK_EQ(moving_reloc.entry[2].generation, 0);
    high = tp_reloc_alloc(&moving_reloc, 16);
  }
}

static void a_report_ends_at_a_header_that_is_wrong(void)
{
  for (uint32_t i = 0; i < 3; i++) {
    struct tp_reloc_figures figures;
    begin();
    put(UNITS, &wrong[i]);
    tp_reloc_layout(&moving_reloc, &figures);
    CHECK_EQ(figures.live_bytes, i == 1 ? 16 + 99 * TP_RELOC_UNIT : 16);
  }
}

static void what_says_where_an_arena_ends_is_verified(void)
{
  begin();
  struct tp_head top = *tp_head_at(&moving_reloc, 2 * UNITS);
  moving_reloc.state->cursor = 1;
  CHECK(!tp_reloc_verify(&moving_reloc));
  moving_reloc.state->cursor = 0;
  CHECK(tp_reloc_verify(&moving_reloc));
  moving_reloc.state->touched = 0;
  CHECK(!tp_reloc_verify(&moving_reloc));
  moving_reloc.state->touched = 2 * UNITS + 1;
  CHECK(tp_reloc_verify(&moving_reloc));
  tp_head_put(&moving_reloc, 2 * UNITS, 1, UNITS, 0);
  CHECK(!tp_reloc_verify(&moving_reloc));
  tp_head_at(&moving_reloc, 2 * UNITS)->guard ^= 1;
  CHECK(!tp_reloc_verify(&moving_reloc));
  put(2 * UNITS, &top);
  tp_head_at(&moving_reloc, 0)->guard ^= 1;
  CHECK(!tp_reloc_verify(&moving_reloc));
}

static void figures_are_of_the_entries_that_there_are(void)
{
  struct tp_stats stats;
  begin();
  CHECK(tp_reloc_free(&moving_reloc, low));
  moving_reloc.state->fresh = 9;
  tp_reloc_stats(&moving_reloc, &stats);
  CHECK_EQ(stats.frees, 1);
  CHECK_EQ(stats.allocs, 2);
}

// From fast up it is a fault, unless it was given once.
static void leads_nowhere(tp_handle_t handle)
{
  CHECK(!tp_reloc_lock(&moving_reloc, handle));
  if (TP_CHECKS < TP_CHECKS_FAST) {
    CHECK(!tp_reloc_free(&moving_reloc, handle));
    CHECK(!tp_reloc_unlock(&moving_reloc, handle));
  } else {
    CHECK_FAULTS(TP_FAULT_HANDLE_POOL, tp_reloc_free(&moving_reloc, handle));
    CHECK_FAULTS(TP_FAULT_HANDLE_POOL, tp_reloc_unlock(&moving_reloc, handle));
  }
}

static void a_handle_of_another_life_is_that_of_no_block(void)
{
  begin();
  uint32_t life = 1u << moving_reloc.handle_bits;
  leads_nowhere(low + life);
  leads_nowhere(low | 7);
  leads_nowhere(4);
  leads_nowhere(life);
  CHECK(tp_reloc_free(&moving_reloc, low));
  leads_nowhere(low + life);
  CHECK_EQ(tp_reloc_alloc(&moving_reloc, 16), low + life);
  CHECK(!tp_reloc_free(&moving_reloc, low));
  CHECK(!tp_reloc_unlock(&moving_reloc, low));
}

static void a_block_goes_into_the_hole_or_to_the_top(void)
{
  begin();
  tp_handle_t last = tp_reloc_alloc(&moving_reloc, 168);
  CHECK(tp_reloc_free(&moving_reloc, low));
  CHECK_EQ(tp_reloc_alloc(&moving_reloc, 40), TP_NO_HANDLE);
  CHECK(tp_reloc_alloc(&moving_reloc, 16));
  CHECK(tp_reloc_verify(&moving_reloc));
  CHECK(tp_reloc_free(&moving_reloc, last));
  CHECK(tp_reloc_alloc(&moving_reloc, 168));
  CHECK(tp_reloc_verify(&moving_reloc));
}

void suite_blocks(void)
{
  RUN(a_size_that_is_noted_wrong_does_not_verify);
  RUN(classes_that_do_not_ascend_do_not_verify);
  RUN(of_what_begins_no_block_nothing_is_noted);
  RUN(what_is_no_size_is_a_fault_of_blocks);
  RUN(a_handle_that_comes_next_is_that_of_no_object);
  RUN(more_entries_than_there_can_be_do_not_verify);
  RUN(a_header_that_is_wrong_is_found_whatever_its_guard);
  RUN(the_generations_of_a_block_end_more_than_once);
  RUN(a_report_ends_at_a_header_that_is_wrong);
  RUN(what_says_where_an_arena_ends_is_verified);
  RUN(figures_are_of_the_entries_that_there_are);
  RUN(a_handle_of_another_life_is_that_of_no_block);
  RUN(a_block_goes_into_the_hole_or_to_the_top);
}
