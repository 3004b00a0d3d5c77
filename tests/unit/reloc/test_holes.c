// SPDX-License-Identifier: MIT
#include "unit.h"

enum { BLOCKS = 7, BYTES = 56 };

static tp_handle_t block[BLOCKS];

static void start(void)
{
  forget(&heap_reloc);
  for (uint32_t i = 0; i < BLOCKS; i++) block[i] = make(BYTES);
}

static void holes_are(uint32_t holes, uint32_t bytes)
{
  struct tp_reloc_figures layout = figures(&heap_reloc);
  CHECK_EQ(layout.holes, holes);
  CHECK_EQ(layout.hole_bytes, bytes);
  CHECK(tp_reloc_verify(&heap_reloc));
}

static void freeing_between_blocks_leaves_a_hole(void)
{
  start();
  heap_free(block[2]);
  holes_are(1, 64);
}

static void neighbouring_holes_are_one_in_any_order_of_frees(void)
{
  static const uint8_t orders[6][3] = {{2, 3, 4}, {2, 4, 3}, {3, 2, 4},
                                       {3, 4, 2}, {4, 2, 3}, {4, 3, 2}};
  for (uint32_t i = 0; i < 6; i++) {
    start();
    for (uint32_t j = 0; j < 3; j++) heap_free(block[orders[i][j]]);
    holes_are(1, 3 * 64);
  }
}

static void a_hole_at_the_top_is_none(void)
{
  start();
  heap_free(block[5]);
  holes_are(1, 64);
  heap_free(block[6]);
  holes_are(0, 0);
  CHECK_EQ(figures(&heap_reloc).top_bytes, HEAP_BYTES - 5 * 64 - 8);
}

static void freeing_all_leaves_an_empty_arena(void)
{
  start();
  for (uint32_t i = 0; i < BLOCKS; i++) heap_free(block[i * 3 % BLOCKS]);
  holes_are(0, 0);
  CHECK_EQ(figures(&heap_reloc).largest, HEAP_BYTES - 8);
}

static void a_request_takes_the_top_though_a_hole_would_do(void)
{
  start();
  uint32_t top = heap_reloc.state->top;
  heap_free(block[2]);
  tp_handle_t issued = make(BYTES);
  CHECK_EQ(heap_reloc.state->top, top + 64 / 8);
  CHECK(is_whole(issued, BYTES));
  holes_are(1, 64);
}

static void fill_the_top(void)
{
  make(figures(&heap_reloc).top_bytes);
  CHECK_EQ(figures(&heap_reloc).top_bytes, 0);
}

static void a_request_takes_the_lowest_hole_once_the_top_is_full(void)
{
  start();
  fill_the_top();
  uintptr_t low = place_of(block[1]);
  heap_free(block[4]);
  heap_free(block[1]);

  tp_handle_t fitted = make(BYTES);

  CHECK_EQ(place_of(fitted), low);
  holes_are(1, 64);
}

static void the_rest_of_a_hole_stays_one(void)
{
  start();
  fill_the_top();
  heap_free(block[3]);

  tp_handle_t small = make(9);
  holes_are(1, 64 - 24);
  tp_handle_t other = make(24);
  holes_are(1, 8);
  CHECK(heap_alloc(1) == TP_NO_HANDLE);

  heap_free(small);
  holes_are(2, 24 + 8);
  heap_free(other);
  holes_are(1, 64);
}

static void a_request_larger_than_every_hole_is_refused(void)
{
  start();
  fill_the_top();
  heap_free(block[1]);
  heap_free(block[3]);
  CHECK_EQ(figures(&heap_reloc).largest, BYTES);
  CHECK(heap_alloc(BYTES + 1) == TP_NO_HANDLE);
  CHECK(heap_alloc(BYTES) != TP_NO_HANDLE);
}

static void at_off_what_the_empty_arena_would_not_serve_is_refused(void)
{
  start();
  uint32_t before = heap_reloc.state->refused;
  CHECK(heap_alloc(HEAP_BYTES - 7) == TP_NO_HANDLE);
  CHECK(heap_alloc((size_t)-1) == TP_NO_HANDLE);
  CHECK_EQ(heap_reloc.state->refused, before + 2);
}

void suite_holes(void)
{
  RUN(freeing_between_blocks_leaves_a_hole);
  RUN(neighbouring_holes_are_one_in_any_order_of_frees);
  RUN(a_hole_at_the_top_is_none);
  RUN(freeing_all_leaves_an_empty_arena);
  RUN(a_request_takes_the_top_though_a_hole_would_do);
  RUN(a_request_takes_the_lowest_hole_once_the_top_is_full);
  RUN(the_rest_of_a_hole_stays_one);
  RUN(a_request_larger_than_every_hole_is_refused);
  if (TP_CHECKS == TP_CHECKS_OFF) {
    RUN(at_off_what_the_empty_arena_would_not_serve_is_refused);
  }
}
