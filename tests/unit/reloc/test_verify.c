// SPDX-License-Identifier: MIT
// Whatever is wrong with one number of a relocating pool, verify says so.
#include "allocator/tp_reloc_block.h"
#include "unit.h"

static const struct tp_reloc *const reloc = &heap_reloc;
static tp_handle_t low, mid, high;

// Blocks of 4, 4 and 2 units at 0, 4 and 8; the second is freed, and the top is
// at 10.
enum { HOLE = 4, HIGH = 8, TOP = 10 };

static void start(void)
{
  forget(reloc);
  low = make(20);
  mid = make(24);
  high = make(8);
  heap_free(mid);
}

static void a_number_of_the_state_that_is_wrong_is_found(void)
{
  start();
  struct tp_reloc_state *state = reloc->state;
  uint16_t *const numbers[] = {
      &state->top,   &state->cursor, &state->holes,      &state->hole_units,
      &state->fresh, &state->live,   &state->free_index,
  };
  CHECK(tp_reloc_verify(reloc));
  for (uint32_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
    for (int change = -1; change <= 1; change += 2) {
      *numbers[i] = (uint16_t)(*numbers[i] + change);
      CHECK(!tp_reloc_verify(reloc));
      *numbers[i] = (uint16_t)(*numbers[i] - change);
    }
  }
  CHECK(tp_reloc_verify(reloc));
}

static void a_top_above_the_arena_is_found(void)
{
  start();
  reloc->state->top = (uint16_t)(reloc->units + 1);
  CHECK(!tp_reloc_verify(reloc));
}

// Two holes side by side add up, but a free would have made them one.
static void a_hole_beside_another_is_found(void)
{
  start();
  tp_head_put(reloc, HOLE, 2, 4, 0);
  tp_head_put(reloc, HOLE + 2, 2, 2, 0);
  tp_head_put(reloc, HIGH, 2, 2, 3);
  reloc->state->holes = 2;
  CHECK(!tp_reloc_verify(reloc));
}

static void a_hole_below_the_top_is_found(void)
{
  start();
  tp_head_put(reloc, HIGH, 2, 4, 0);
  CHECK(!tp_reloc_verify(reloc));
  start();
  heap_free(high);
  heap_free(low);
  CHECK(tp_reloc_verify(reloc));
  tp_head_put(reloc, 0, HOLE, 0, 0);
  tp_head_put(reloc, HOLE, 0, HOLE, 0);
  reloc->state->top = HOLE;
  reloc->state->holes = 1;
  reloc->state->hole_units = HOLE;
  CHECK(!tp_reloc_verify(reloc));
}

static void a_block_of_an_owner_that_never_was_is_found(void)
{
  start();
  tp_head_put(reloc, HIGH, 2, 4, 4);
  CHECK(!tp_reloc_verify(reloc));
}

static void a_header_that_is_wrong_about_the_one_below_is_found(void)
{
  start();
  tp_head_put(reloc, HIGH, 2, 3, 3);
  CHECK(!tp_reloc_verify(reloc));
}

static void a_header_that_leads_above_the_top_is_found(void)
{
  start();
  tp_head_put(reloc, HIGH, 3, 4, 3);
  CHECK(!tp_reloc_verify(reloc));
  if (TP_CHECKS < TP_CHECKS_FAST) return;
  CHECK_FAULTS(TP_FAULT_RED_ZONE, heap_lock(high));
}

static void a_last_header_that_is_wrong_is_found(void)
{
  start();
  tp_head_put(reloc, TOP, 0, 2, 0);
  CHECK(tp_reloc_verify(reloc));
  tp_head_put(reloc, TOP, 0, 2, 1);
  CHECK(!tp_reloc_verify(reloc));
  tp_head_put(reloc, TOP, 0, 3, 0);
  CHECK(!tp_reloc_verify(reloc));
  tp_head_put(reloc, TOP, 0, 2, 0);
  tp_head_at(reloc, TOP)->guard ^= 1;
  CHECK(!tp_reloc_verify(reloc));
}

static void a_list_of_free_indices_that_leads_to_a_live_one_is_found(void)
{
  start();
  reloc->entry[2].at = 3;
  CHECK(!tp_reloc_verify(reloc));
}

static void a_list_of_free_indices_without_an_end_is_found(void)
{
  start();
  reloc->entry[2].at = 2;
  CHECK(!tp_reloc_verify(reloc));
}

// Of as many steps as there are indices: one is not among them.
static void a_ring_of_free_indices_that_leaves_one_out_is_found(void)
{
  start();
  heap_free(high);
  heap_free(low);
  CHECK(tp_reloc_verify(reloc));
  reloc->state->free_index = 3;
  reloc->entry[3].at = 2;
  reloc->entry[2].at = 3;
  CHECK(!tp_reloc_verify(reloc));
}

static void an_index_that_is_neither_live_nor_free_is_found(void)
{
  start();
  reloc->state->free_index = 0;
  CHECK(!tp_reloc_verify(reloc));
  reloc->entry[2].generation++;
  CHECK(!tp_reloc_verify(reloc));
}

static void damage_above_the_top_is_found(void)
{
  start();
  heap_free(high);
  CHECK(tp_reloc_verify(reloc));
  *tp_head_words(reloc, reloc->state->top + 1u) ^= 1;
  CHECK(!tp_reloc_verify(reloc));
}

static void damage_in_a_hole_is_found(void)
{
  start();
  *tp_head_words(reloc, HIGH - 1) ^= 1;
  CHECK(!tp_reloc_verify(reloc));
}

// Nobody is told, and nothing else is different.
static void a_pool_without_on_move_moves_all_the_same(void)
{
  forget(&strict_reloc);
  tp_handle_t first = strict_alloc(8), second = strict_alloc(8);
  *(uint32_t *)strict_lock(second) = 77;
  strict_unlock(second);
  strict_free(first);
  CHECK_EQ(strict_step().moves, 1);
  CHECK_EQ(figures(&strict_reloc).moves, 1);
  CHECK_EQ(*(uint32_t *)strict_lock(second), 77);
  CHECK_EQ(moved.count, 0);
}

void suite_verify(void)
{
  RUN(a_number_of_the_state_that_is_wrong_is_found);
  RUN(a_top_above_the_arena_is_found);
  RUN(a_hole_beside_another_is_found);
  RUN(a_hole_below_the_top_is_found);
  RUN(a_block_of_an_owner_that_never_was_is_found);
  RUN(a_header_that_is_wrong_about_the_one_below_is_found);
  RUN(a_header_that_leads_above_the_top_is_found);
  RUN(a_last_header_that_is_wrong_is_found);
  RUN(a_list_of_free_indices_that_leads_to_a_live_one_is_found);
  RUN(a_list_of_free_indices_without_an_end_is_found);
  RUN(a_ring_of_free_indices_that_leaves_one_out_is_found);
  RUN(an_index_that_is_neither_live_nor_free_is_found);
  RUN(a_pool_without_on_move_moves_all_the_same);
  if (TP_CHECKS < TP_CHECKS_POISON) return;
  RUN(damage_above_the_top_is_found);
  RUN(damage_in_a_hole_is_found);
}
