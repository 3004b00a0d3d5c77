// SPDX-License-Identifier: MIT
// Each case breaks one sentence of a contract and must meet its fault, and
// leave the arena as it was. At off nothing is promised.
#include "allocator/tp_reloc_block.h"
#include "unit.h"

static tp_handle_t low, mid, high;

static void start(void)
{
  forget(&heap_reloc);
  low = make(20);
  mid = make(24);
  high = make(8);
}

// One word past the end of [handle]'s [size] bytes becomes [value].
static void overrun(tp_handle_t handle, uint32_t size, uint32_t value)
{
  *(tp_word_t *)(place_of(handle) + size) = value;
}

static void a_request_for_no_bytes_faults(void)
{
  start();
  CHECK_FAULTS(TP_FAULT_SIZE, heap_alloc(0));
  CHECK_RECORD(heap_reloc.name, NULL, 0, 1);
}

static void a_request_larger_than_the_arena_faults(void)
{
  start();
  CHECK_FAULTS(TP_FAULT_LARGE, heap_alloc(HEAP_BYTES - 7));
  CHECK_RECORD(heap_reloc.name, NULL, HEAP_BYTES - 7, HEAP_BYTES - 8);
  CHECK_FAULTS(TP_FAULT_LARGE, heap_alloc((size_t)-1));
}

static void a_stale_handle_frees_and_unlocks_nothing_and_says_so(void)
{
  start();
  CHECK(heap_free(mid));
  uint32_t live = heap_reloc.state->live;
  CHECK(!heap_free(mid) && !heap_unlock(mid) && !heap_lock(mid));
  make(24);
  CHECK(!heap_free(mid) && !heap_unlock(mid) && !heap_lock(mid));
  CHECK(!heap_free(TP_NO_HANDLE) && !heap_unlock(TP_NO_HANDLE));
  CHECK(heap_free(low) && !heap_free(low) && !heap_unlock(low));
  CHECK(heap_free(high) && !heap_free(high) && !heap_unlock(high));
  low = make(20);
  high = make(8);
  CHECK_EQ(heap_reloc.state->live, live + 1);
  CHECK(tp_reloc_verify(&heap_reloc));
}

static void of_an_index_used_thrice_each_handle_but_the_last_is_stale(void)
{
  start();
  tp_handle_t first = mid;
  CHECK(heap_free(first));
  tp_handle_t second = make(24);
  CHECK(heap_free(second));
  tp_handle_t last = make(24);
  CHECK_EQ(tp_entry_index(&heap_reloc, last),
           tp_entry_index(&heap_reloc, first));

  CHECK(!heap_free(first) && !heap_unlock(first));
  CHECK(!heap_free(second) && !heap_unlock(second));

  CHECK(heap_free(last));
}

static void a_handle_that_was_never_given_faults(void)
{
  start();
  tp_handle_t next_generation = 1u << heap_reloc.handle_bits;
  tp_handle_t next_index = heap_reloc.state->fresh + 1u;
  CHECK_FAULTS(TP_FAULT_HANDLE_POOL, heap_free(mid + next_generation));
  CHECK_RECORD(heap_reloc.name, NULL, mid + next_generation, mid);
  CHECK_FAULTS(TP_FAULT_HANDLE_POOL, heap_free(mid - next_generation));
  CHECK_FAULTS(TP_FAULT_HANDLE_POOL, heap_free(next_index));
  CHECK_RECORD(heap_reloc.name, NULL, next_index, TP_NO_HANDLE);
  CHECK_FAULTS(TP_FAULT_HANDLE_POOL, heap_unlock(HEAP_HANDLES + 1));
  heap_free(mid);
  CHECK_FAULTS(TP_FAULT_HANDLE_POOL, heap_free(mid + next_generation));
  CHECK_RECORD(heap_reloc.name, NULL, mid + next_generation,
               mid + next_generation);
  CHECK_FAULTS(TP_FAULT_HANDLE_POOL, heap_free(mid - next_generation));
}

// As if the index of low had been used until its generation wraps next.
static void wear(void)
{
  uint32_t index = tp_entry_index(&heap_reloc, low);
  uint32_t *generation = &heap_reloc.entry[index].generation;
  if (AUDITED) heap_reloc.entry[0].generation += UINT32_MAX - *generation;
  *generation = UINT32_MAX;
  low = tp_entry_handle(&heap_reloc, index);
}

static void no_block_is_counted_twice_where_its_generation_wraps(void)
{
  struct tp_stats before, after;
  for (uint32_t wraps = 0; wraps < 3; wraps++) {
    if (wraps == 0) start();
    wear();
    tp_reloc_stats(&heap_reloc, &before);

    CHECK(heap_free(low));

    tp_reloc_stats(&heap_reloc, &after);
    CHECK_EQ(after.frees - before.frees, 1);
    CHECK_EQ(after.allocs, before.allocs);
    low = make(20);
  }
}

static void a_handle_from_before_its_generation_wrapped_is_stale(void)
{
  start();
  wear();
  CHECK(heap_free(low));
  CHECK(!heap_free(low) && !heap_unlock(low) && !heap_lock(low));
  make(20);
  CHECK(!heap_free(low) && !heap_unlock(low) && !heap_lock(low));
  CHECK(tp_reloc_verify(&heap_reloc));
}

// Index 0 is nobody's, and 4 was not issued yet.
static void of_an_index_never_taken_none_was_given_though_one_wrapped(void)
{
  start();
  wear();
  CHECK(heap_free(low));
  tp_handle_t none = 1u << heap_reloc.handle_bits;
  CHECK_FAULTS(TP_FAULT_HANDLE_POOL, heap_free(none));
  CHECK_RECORD(heap_reloc.name, NULL, none, TP_NO_HANDLE);
  CHECK_FAULTS(TP_FAULT_HANDLE_POOL, heap_free(none + 4));
  CHECK_RECORD(heap_reloc.name, NULL, none + 4, TP_NO_HANDLE);
  CHECK_FAULTS(TP_FAULT_HANDLE_POOL, heap_unlock(none));
}

static void freeing_a_locked_block_faults(void)
{
  start();
  const void *place = heap_lock(mid);
  CHECK_FAULTS(TP_FAULT_LOCK, heap_free(mid));
  CHECK_RECORD(heap_reloc.name, place, 1, 0);
  heap_unlock(mid);
  heap_free(mid);
}

static void unlocking_without_a_lock_faults(void)
{
  start();
  heap_lock(mid);
  heap_unlock(mid);
  CHECK_FAULTS(TP_FAULT_LOCK, heap_unlock(mid));
  CHECK_RECORD(heap_reloc.name, (const void *)place_of(mid), 0, 0);
}

static void one_lock_too_many_faults(void)
{
  start();
  for (uint32_t i = 0; i < 65535; i++) heap_lock(mid);
  CHECK_FAULTS(TP_FAULT_LOCK, heap_lock(mid));
  CHECK_EQ(tp_fault_record.found, 65535);
}

// Whatever is written past the end of mid, the call that touches it faults: at
// full, any.
static void an_overrun_is_found_at_the_unlock(void)
{
  static const uint32_t values[] = {0, 1, 0xffffffffu, TP_POISON, 0x10001u};
  for (uint32_t i = 0; i < sizeof values / sizeof *values; i++) {
    start();
    heap_lock(mid);
    uintptr_t guard = place_of(low) + 24 + 8 + 24;
    overrun(mid, 24, values[i]);
    if (!AUDITED) heap_lock(low);
    CHECK_FAULTS(TP_FAULT_RED_ZONE, heap_unlock(AUDITED ? low : mid));
    const struct tp_head *head = (const struct tp_head *)guard;
    CHECK_RECORD(heap_reloc.name, head, head->guard, tp_head_guard(head));
    CHECK(tp_fault_record.found != tp_fault_record.expected);
  }
}

static void an_overrun_into_the_guard_is_found(void)
{
  start();
  uintptr_t end = place_of(mid) + 24;
  *(tp_word_t *)(end + 4) ^= 0x10000;
  CHECK_FAULTS(TP_FAULT_RED_ZONE, heap_lock(mid));
}

static void an_overrun_is_found_by_freeing_either_neighbour(void)
{
  start();
  overrun(mid, 24, 0);
  CHECK_FAULTS(TP_FAULT_RED_ZONE, heap_free(mid));
  CHECK_FAULTS(TP_FAULT_RED_ZONE, heap_free(high));
  if (!AUDITED) heap_free(low);
}

static void a_flipped_bit_of_the_header_of_a_hole_stops_a_step(void)
{
  for (uint32_t bit = 0; bit < 64; bit++) {
    start();
    tp_word_t *head = (tp_word_t *)place_of(low) - 2;
    heap_free(low);
    head[bit / 32] ^= 1u << bit % 32;
    CHECK(!tp_reloc_verify(&heap_reloc));
    CHECK_FAULTS(TP_FAULT_RED_ZONE, heap_step());
    CHECK(tp_fault_record.address == head);
    CHECK_EQ(moved.count, 0);
  }
}

static void an_overrun_of_the_highest_block_is_found(void)
{
  start();
  overrun(high, 8, 0);
  CHECK_FAULTS(TP_FAULT_RED_ZONE, heap_lock(high));
  CHECK_FAULTS(TP_FAULT_RED_ZONE, heap_alloc(1));
  if (AUDITED) CHECK_FAULTS(TP_FAULT_RED_ZONE, heap_lock(low));
}

// Which is the last, and no block's.
static void damage_of_the_only_header_of_an_emptied_arena_is_found(void)
{
  forget(&heap_reloc);
  heap_free(make(20));
  struct tp_head *head = tp_head_at(&heap_reloc, 0);
  head->before ^= 1;
  CHECK_FAULTS(TP_FAULT_RED_ZONE, heap_alloc(8));
  CHECK_RECORD(heap_reloc.name, head, head->guard, tp_head_guard(head));
  CHECK(tp_fault_record.found != tp_fault_record.expected);
}

static void an_underrun_is_found(void)
{
  start();
  *(tp_word_t *)(place_of(mid) - 8) = 0x0badcafe;
  CHECK_FAULTS(TP_FAULT_RED_ZONE, heap_lock(mid));
}

static void an_overrun_is_found_by_a_step_before_anything_moves(void)
{
  start();
  heap_free(low);
  overrun(mid, 24, 0);
  CHECK_FAULTS(TP_FAULT_RED_ZONE, heap_step());
  CHECK_EQ(moved.count, 0);
}

static void damage_behind_a_hole_is_found_by_who_fills_it(void)
{
  start();
  make(figures(&heap_reloc).top_bytes);
  heap_free(mid);
  *(tp_word_t *)(place_of(high) - 4) ^= 0x10000;
  CHECK_FAULTS(TP_FAULT_RED_ZONE, heap_alloc(24));
}

static void an_overrun_is_found_by_a_search_for_a_hole(void)
{
  start();
  make(figures(&heap_reloc).top_bytes);
  heap_free(high);
  overrun(low, 24, 0);
  CHECK_FAULTS(TP_FAULT_RED_ZONE, heap_alloc(8));
}

static void an_underrun_of_the_block_below_is_found_by_a_free(void)
{
  start();
  *(tp_word_t *)(place_of(low) - 8) = 0x0badcafe;
  CHECK_FAULTS(TP_FAULT_RED_ZONE, heap_free(mid));
}

// The header of high learns of a larger hole below it, and must stay damaged.
static void a_free_next_to_damage_does_not_hide_it(void)
{
  start();
  heap_free(mid);
  *(tp_word_t *)(place_of(high) - 4) ^= 0x10000;
  if (!AUDITED) heap_free(low);
  CHECK_FAULTS(TP_FAULT_RED_ZONE, heap_lock(high));
}

// Or else a walk would never end.
static void a_header_of_no_units_is_damage_whatever_its_guard(void)
{
  start();
  tp_head_put(&heap_reloc, heap_reloc.entry[2].at, 0, 4, 2);
  CHECK_FAULTS(TP_FAULT_RED_ZONE, heap_lock(mid));
}

static void a_fault_names_the_call_that_made_it(void)
{
  start();
  CHECK_FAULTS(TP_FAULT_LOCK, heap_unlock(mid));
  uintptr_t caller = (uintptr_t)tp_fault_record.caller;
  uintptr_t here = (uintptr_t)a_handle_that_was_never_given_faults;
  CHECK(caller - here + 0x8000 < 0x10000);
}

static void counts_that_disagree_are_found(void)
{
  start();
  heap_free(mid);
  CHECK(tp_reloc_verify(&heap_reloc));
  heap_reloc.state->hole_units++;
  CHECK(!tp_reloc_verify(&heap_reloc));
  heap_reloc.state->hole_units--;
  heap_reloc.state->cursor++;
  CHECK(!tp_reloc_verify(&heap_reloc));
  heap_reloc.state->cursor--;
  heap_reloc.entry[3].at++;
  CHECK(!tp_reloc_verify(&heap_reloc));
  heap_reloc.entry[3].at--;
  CHECK(tp_reloc_verify(&heap_reloc));
}

static void an_overwritten_header_does_not_verify(void)
{
  start();
  overrun(mid, 24, 0);
  CHECK(!tp_reloc_verify(&heap_reloc));
}

static void a_header_of_another_s_does_not_verify(void)
{
  start();
  uint32_t at = heap_reloc.entry[2].at;
  tp_head_put(&heap_reloc, at, 4, 4, 3);
  CHECK(!tp_reloc_verify(&heap_reloc));
  tp_head_put(&heap_reloc, at, 4, 4, 2);
  CHECK(tp_reloc_verify(&heap_reloc));
  heap_reloc.entry[2].generation++;
  CHECK(!tp_reloc_verify(&heap_reloc));
}

static void off_serves_a_request_for_no_bytes_and_refuses_too_many(void)
{
  start();
  tp_handle_t handle = tp_reloc_alloc(&heap_reloc, 0);
  CHECK(handle != TP_NO_HANDLE);
  CHECK_EQ(figures(&heap_reloc).live_bytes, 24 + 24 + 8);
  CHECK_EQ(tp_reloc_alloc(&heap_reloc, HEAP_BYTES - 7), TP_NO_HANDLE);
  CHECK_EQ(tp_reloc_alloc(&heap_reloc, (size_t)-1), TP_NO_HANDLE);
}

// What [word] of heap's state is flipped to, more than the [most] that it may
// be, is noticed by the next request.
static void flip(uint16_t *word, uint16_t bit, uint32_t most)
{
  *word ^= bit;
  CHECK_FAULTS(TP_FAULT_INVARIANT, heap_alloc(8));
  CHECK_RECORD(heap_reloc.name, word, *word, most);
}

static void whichever_call_a_word_leads_out_of_the_arena_in_faults(void)
{
  uint16_t *top = &heap_reloc.state->top;
  start();
  *top ^= 0x4000;
  uint32_t most = heap_reloc.state->touched - 1u;
  CHECK_FAULTS(TP_FAULT_INVARIANT, heap_free(mid));
  CHECK_RECORD(heap_reloc.name, top, *top, most);
  CHECK_FAULTS(TP_FAULT_INVARIANT, (void)heap_lock(mid));
  CHECK_RECORD(heap_reloc.name, top, *top, most);
  CHECK_FAULTS(TP_FAULT_INVARIANT, heap_unlock(mid));
  CHECK_RECORD(heap_reloc.name, top, *top, most);
}

static void a_word_that_leads_out_of_the_arena_faults(void)
{
  struct tp_reloc_state *state = heap_reloc.state;
  start();
  flip(&state->touched, 0x4000, heap_reloc.units + 1u);
  start();
  flip(&state->top, 0x4000, state->touched - 1u);
  start();
  flip(&state->cursor, 0x4000, state->top);
  start();
  flip(&state->fresh, 0x4000, HEAP_HANDLES);
  start();
  flip(&state->free_index, 0x4000, state->fresh);
  forget(&heap_reloc);
  flip(&state->top, 1, 0);
}

static void a_top_that_is_none_faults(void)
{
  struct tp_reloc_state *state = heap_reloc.state;
  start();
  state->top = 0;
  state->cursor = 0;
  CHECK_FAULTS(TP_FAULT_RED_ZONE, heap_alloc(8));
  start();
  state->top--;
  CHECK_FAULTS(TP_FAULT_RED_ZONE, heap_alloc(8));
}

static void a_live_index_that_would_be_issued_again_faults(void)
{
  for (uint16_t index = 1; index <= 3; index++) {
    start();
    flip(&heap_reloc.state->free_index, index, 0);
  }
}

static void a_place_that_is_not_the_block_s_faults(void)
{
  start();
  heap_reloc.entry[2].at = heap_reloc.entry[3].at;
  CHECK_FAULTS(TP_FAULT_INVARIANT, heap_lock(mid));
  const uint16_t *at = &heap_reloc.entry[2].at;
  CHECK_RECORD(heap_reloc.name, at, *at, 2);
  heap_reloc.entry[2].at = UINT16_MAX;
  CHECK_FAULTS(TP_FAULT_INVARIANT, heap_free(mid));
  CHECK_RECORD(heap_reloc.name, at, UINT16_MAX, heap_reloc.state->top);
}

static void at_full_any_call_finds_a_place_that_is_not_the_block_s(void)
{
  for (uint32_t index = 1; index <= 3; index++) {
    start();
    uint16_t *at = &heap_reloc.entry[index].at;
    *at = heap_reloc.entry[index % 3 + 1].at;
    CHECK_FAULTS(TP_FAULT_INVARIANT, heap_alloc(8));
    CHECK_RECORD(heap_reloc.name, at, *at, index);
  }
}

static void nor_does_it_miss_that_of_an_index_used_again(void)
{
  start();
  heap_free(mid);
  mid = make(24);
  uint16_t *at = &heap_reloc.entry[2].at;
  CHECK_EQ(heap_reloc.entry[2].generation, 3);
  *at = heap_reloc.entry[3].at;
  CHECK_FAULTS(TP_FAULT_INVARIANT, heap_alloc(8));
  CHECK_RECORD(heap_reloc.name, at, *at, 2);
}

static void what_is_out_of_range_does_not_verify_and_no_report_hangs(void)
{
  struct tp_stats stats;
  struct tp_reloc_state *state = heap_reloc.state;
  start();
  state->fresh = UINT16_MAX;
  tp_reloc_stats(&heap_reloc, &stats);
  CHECK(!tp_reloc_verify(&heap_reloc));
  start();
  state->touched = UINT16_MAX;
  CHECK(!tp_reloc_verify(&heap_reloc));
  state->touched = (uint16_t)(heap_reloc.units + 2);
  CHECK(!tp_reloc_verify(&heap_reloc));
  start();
  heap_free(low);
  state->free_index = UINT16_MAX;
  CHECK(!tp_reloc_verify(&heap_reloc));
  start();
  state->top = UINT16_MAX;
  figures(&heap_reloc);
  start();
  tp_head_at(&heap_reloc, 0)->owner = UINT16_MAX;
  figures(&heap_reloc);
}

static void no_hole_is_read_from_an_arena_that_was_never_used(void)
{
  forget(&heap_reloc);
  *tp_head_at(&heap_reloc, 0) = (struct tp_head){.units = UINT16_MAX};
  struct tp_reloc_figures layout = figures(&heap_reloc);
  CHECK_EQ(layout.largest, layout.top_bytes);
}

static void at_full_any_call_finds_a_generation_that_was_written_over(void)
{
  uint32_t index = tp_entry_index(&heap_reloc, mid);
  for (uint32_t bit = 0; bit < 32; bit++) {
    start();
    heap_reloc.entry[index].generation ^= 1u << bit;
    CHECK(!tp_reloc_verify(&heap_reloc));
    CHECK_FAULTS(TP_FAULT_INVARIANT, heap_lock(low));
    CHECK_RECORD(heap_reloc.name, heap_reloc.state, TP_BROKEN_OTHER, TP_SOUND);
  }
}

void suite_misuse(void)
{
  RUN(counts_that_disagree_are_found);
  RUN(a_header_of_another_s_does_not_verify);
  if (TP_CHECKS < TP_CHECKS_FAST)
    RUN(off_serves_a_request_for_no_bytes_and_refuses_too_many);
  if (TP_CHECKS < TP_CHECKS_FAST) return;
  RUN(a_request_for_no_bytes_faults);
  RUN(a_request_larger_than_the_arena_faults);
  RUN(a_stale_handle_frees_and_unlocks_nothing_and_says_so);
  RUN(of_an_index_used_thrice_each_handle_but_the_last_is_stale);
  RUN(a_handle_from_before_its_generation_wrapped_is_stale);
  RUN(of_an_index_never_taken_none_was_given_though_one_wrapped);
  RUN(no_block_is_counted_twice_where_its_generation_wraps);
  RUN(a_handle_that_was_never_given_faults);
  RUN(freeing_a_locked_block_faults);
  RUN(unlocking_without_a_lock_faults);
  RUN(one_lock_too_many_faults);
  RUN(an_overwritten_header_does_not_verify);
  RUN(an_overrun_is_found_at_the_unlock);
  RUN(an_overrun_into_the_guard_is_found);
  RUN(an_overrun_is_found_by_freeing_either_neighbour);
  RUN(a_flipped_bit_of_the_header_of_a_hole_stops_a_step);
  RUN(an_overrun_of_the_highest_block_is_found);
  RUN(damage_of_the_only_header_of_an_emptied_arena_is_found);
  RUN(an_underrun_is_found);
  RUN(an_overrun_is_found_by_a_step_before_anything_moves);
  RUN(an_overrun_is_found_by_a_search_for_a_hole);
  RUN(damage_behind_a_hole_is_found_by_who_fills_it);
  RUN(an_underrun_of_the_block_below_is_found_by_a_free);
  RUN(a_free_next_to_damage_does_not_hide_it);
  RUN(a_header_of_no_units_is_damage_whatever_its_guard);
  RUN(a_fault_names_the_call_that_made_it);
  RUN(a_word_that_leads_out_of_the_arena_faults);
  RUN(whichever_call_a_word_leads_out_of_the_arena_in_faults);
  RUN(a_top_that_is_none_faults);
  RUN(a_live_index_that_would_be_issued_again_faults);
  RUN(a_place_that_is_not_the_block_s_faults);
  RUN(what_is_out_of_range_does_not_verify_and_no_report_hangs);
  RUN(no_hole_is_read_from_an_arena_that_was_never_used);
  if (!AUDITED) return;
  RUN(at_full_any_call_finds_a_generation_that_was_written_over);
  RUN(at_full_any_call_finds_a_place_that_is_not_the_block_s);
  RUN(nor_does_it_miss_that_of_an_index_used_again);
}
