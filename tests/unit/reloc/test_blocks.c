// SPDX-License-Identifier: MIT
#include "unit.h"

static void an_arena_at_boot_is_empty_and_sound(void)
{
  forget(&heap_reloc);
  CHECK(tp_reloc_verify(&heap_reloc));
  struct tp_reloc_figures layout = figures(&heap_reloc);
  CHECK_EQ(layout.locked + layout.live_bytes + layout.holes, 0);
  CHECK_EQ(layout.peak_bytes, 0);
  CHECK_EQ(layout.top_bytes, HEAP_BYTES - 8);
  CHECK_EQ(layout.largest, HEAP_BYTES - 8);
}

static void blocks_are_aligned_to_8_and_lie_in_order(void)
{
  uintptr_t last = 0;
  forget(&heap_reloc);
  for (uint32_t size = 1; size <= 20; size++) {
    uintptr_t place = place_of(make(size));
    CHECK_EQ(place % 8, 0);
    CHECK(place > last);
    last = place;
  }
  CHECK(tp_reloc_verify(&heap_reloc));
}

static void a_block_costs_its_size_rounded_up_and_8_bytes(void)
{
  forget(&heap_reloc);
  uintptr_t first = place_of(heap_alloc(17));
  uintptr_t second = place_of(heap_alloc(8));
  uintptr_t third = place_of(heap_alloc(1));
  CHECK_EQ(second - first, 32);
  CHECK_EQ(third - second, 16);
  CHECK_EQ(figures(&heap_reloc).live_bytes, 24 + 8 + 8);
}

static void the_whole_arena_can_be_one_block(void)
{
  forget(&heap_reloc);
  tp_handle_t all = make(HEAP_BYTES - 8);
  CHECK(all != TP_NO_HANDLE);
  CHECK(is_whole(all, HEAP_BYTES - 8));
  CHECK(heap_alloc(1) == TP_NO_HANDLE);
  CHECK_EQ(figures(&heap_reloc).largest, 0);
  heap_free(all);
  CHECK_EQ(figures(&heap_reloc).largest, HEAP_BYTES - 8);
  CHECK(tp_reloc_verify(&heap_reloc));
}

static void what_does_not_fit_is_refused_and_counted(void)
{
  forget(&heap_reloc);
  make(HEAP_BYTES - 24);
  CHECK(heap_alloc(9) == TP_NO_HANDLE);
  CHECK(heap_alloc(100) == TP_NO_HANDLE);
  CHECK_EQ(heap_reloc.state->refused, 2);
  CHECK(heap_alloc(8) != TP_NO_HANDLE);
}

static void a_request_beyond_the_last_handle_is_refused(void)
{
  forget(&heap_reloc);
  for (uint32_t i = 0; i < HEAP_HANDLES; i++) {
    CHECK(heap_alloc(1) != TP_NO_HANDLE);
  }
  CHECK(heap_alloc(1) == TP_NO_HANDLE);
  CHECK_EQ(figures(&heap_reloc).largest, 0);
  CHECK(tp_reloc_verify(&heap_reloc));
}

static void a_full_pool_that_must_never_be_full_faults(void)
{
  forget(&strict_reloc);
  strict_alloc(40);
  CHECK_FAULTS(TP_FAULT_FULL, strict_alloc(16));
  CHECK_RECORD(strict_reloc.name, NULL, 16, 2);
  CHECK_EQ(tp_fault_record.found, 16);
  strict_alloc(8);
  CHECK_FAULTS(TP_FAULT_FULL, strict_alloc(1));
}

static void a_handle_is_stale_from_the_free_on_for_ever(void)
{
  forget(&heap_reloc);
  tp_handle_t old = heap_alloc(8);
  heap_free(old);
  CHECK(heap_lock(old) == NULL);
  for (uint32_t i = 0; i < 1000; i++) {
    tp_handle_t other = heap_alloc(8);
    CHECK(other != old);
    CHECK(other != TP_NO_HANDLE);
    CHECK(heap_lock(old) == NULL);
    heap_free(other);
    CHECK(heap_lock(old) == NULL);
  }
}

static void no_handle_and_others_than_were_issued_lock_nothing(void)
{
  forget(&heap_reloc);
  tp_handle_t only = heap_alloc(8);
  CHECK(heap_lock(TP_NO_HANDLE) == NULL);
  CHECK(heap_lock(only + 1) == NULL);
  CHECK(heap_lock(HEAP_HANDLES + 1) == NULL);
  CHECK(heap_lock(0xffffffffu) == NULL);
}

static void the_peak_is_the_most_the_arena_ever_held(void)
{
  forget(&heap_reloc);
  tp_handle_t first = heap_alloc(100);
  heap_free(heap_alloc(200));
  heap_free(first);
  heap_alloc(8);
  CHECK_EQ(figures(&heap_reloc).peak_bytes, 104 + 8 + 200 + 8);
}

static void the_statistics_count_blocks_and_requests(void)
{
  struct tp_stats stats;
  forget(&heap_reloc);
  tp_handle_t first = heap_alloc(24);
  tp_handle_t second = heap_alloc(8);
  heap_free(first);
  heap_free(heap_alloc(8));
  tp_reloc_stats(&heap_reloc, &stats);
  CHECK_EQ(stats.live, 1);
  CHECK_EQ(stats.peak, 2);
  CHECK_EQ(stats.allocs, 3);
  CHECK_EQ(stats.frees, 2);
  CHECK_EQ(stats.steals + stats.spills + stats.refused, 0);

  while (heap_alloc(HEAP_BYTES / 2)) continue;
  heap_free(second);
  tp_reloc_stats(&heap_reloc, &stats);
  CHECK_EQ(stats.refused, 1);
  CHECK_EQ(stats.frees, 3);
  CHECK_EQ(stats.allocs, stats.frees + stats.live);
}

static void an_unlock_says_so_and_the_layout_counts_who_is_locked(void)
{
  forget(&heap_reloc);
  tp_handle_t first = make(24), second = make(24), third = make(24);
  heap_lock(second);
  heap_lock(second);
  heap_lock(third);
  CHECK_EQ(figures(&heap_reloc).locked, 2);
  heap_free(first);
  CHECK(heap_unlock(second) && heap_unlock(third));
  CHECK_EQ(figures(&heap_reloc).locked, 1);
  CHECK(heap_unlock(second));
  CHECK_EQ(figures(&heap_reloc).locked, 0);
}

void suite_blocks(void)
{
  RUN(an_unlock_says_so_and_the_layout_counts_who_is_locked);
  RUN(the_statistics_count_blocks_and_requests);
  RUN(an_arena_at_boot_is_empty_and_sound);
  RUN(blocks_are_aligned_to_8_and_lie_in_order);
  RUN(a_block_costs_its_size_rounded_up_and_8_bytes);
  RUN(the_whole_arena_can_be_one_block);
  RUN(what_does_not_fit_is_refused_and_counted);
  RUN(a_request_beyond_the_last_handle_is_refused);
  RUN(a_full_pool_that_must_never_be_full_faults);
  RUN(a_handle_is_stale_from_the_free_on_for_ever);
  RUN(no_handle_and_others_than_were_issued_lock_nothing);
  RUN(the_peak_is_the_most_the_arena_ever_held);
}
