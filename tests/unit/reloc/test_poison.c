// SPDX-License-Identifier: MIT
// What is in bytes that belong to nobody.
#include "unit.h"

static tp_handle_t low, mid, high;

static void start(void)
{
  forget(&heap_reloc);
  low = make(24);
  mid = make(24);
  high = make(24);
}

static bool holds(uintptr_t place, uint32_t words, uint32_t pattern)
{
  const tp_word_t *word = (const tp_word_t *)place;
  for (uint32_t i = 0; i < words; i++) {
    if (word[i] != pattern) return false;
  }
  return true;
}

static void freed_bytes_become_poison(void)
{
  start();
  uintptr_t place = place_of(mid);
  heap_free(mid);
  CHECK(holds(place, 6, TP_POISON));
}

static void bytes_that_a_block_moved_away_from_become_poison(void)
{
  start();
  uintptr_t place = place_of(high);
  heap_free(low);
  heap_step();
  CHECK(holds(place, 6, TP_POISON));
  CHECK(tp_reloc_verify(&heap_reloc));
}

static void issued_bytes_are_new(void)
{
  start();
  CHECK(holds(place_of(heap_alloc(40)), 10, TP_POISON_NEW));
  heap_free(mid);
  make(figures(&heap_reloc).top_bytes);
  CHECK(holds(place_of(heap_alloc(24)), 6, TP_POISON_NEW));
}

static tp_word_t *stale_word(tp_handle_t handle, uint32_t i)
{
  tp_word_t *word = (tp_word_t *)place_of(handle) + i;
  heap_free(handle);
  return word;
}

static void a_write_to_a_freed_block_is_found_when_its_hole_is_issued(void)
{
  for (uint32_t i = 0; i < 6; i++) {
    start();
    make(figures(&heap_reloc).top_bytes);
    tp_word_t *word = stale_word(mid, i);
    *word = 7;
    CHECK_FAULTS(TP_FAULT_POISON, heap_alloc(24));
    CHECK_RECORD(heap_reloc.name, word, 7, TP_POISON);
    CHECK(!tp_reloc_verify(&heap_reloc));
  }
}

static void a_write_where_the_rest_of_a_hole_begins_is_found(void)
{
  start();
  make(figures(&heap_reloc).top_bytes);
  tp_word_t *word = stale_word(mid, 2);
  *word = 7;
  CHECK_FAULTS(TP_FAULT_POISON, heap_alloc(8));
  CHECK(tp_fault_record.address == word);
}

static void a_write_where_the_new_top_will_be_is_found(void)
{
  start();
  heap_free(high);
  tp_word_t *word = stale_word(mid, 2);
  *word = 7;
  CHECK_FAULTS(TP_FAULT_POISON, heap_alloc(8));
  CHECK_RECORD(heap_reloc.name, word, 7, TP_POISON);
}

static void a_write_to_a_freed_block_is_found_when_the_top_is_issued(void)
{
  for (uint32_t i = 0; i < 6; i++) {
    start();
    tp_word_t *word = stale_word(high, i);
    *word = 7;
    CHECK_FAULTS(TP_FAULT_POISON, heap_alloc(24));
    CHECK(tp_fault_record.address == word);
  }
}

static void a_write_to_a_freed_block_is_found_before_another_moves_over_it(void)
{
  for (uint32_t i = 0; i < 6; i++) {
    start();
    tp_word_t *word = stale_word(low, i);
    *word = 7;
    CHECK_FAULTS(TP_FAULT_POISON, heap_step());
    CHECK(tp_fault_record.address == word);
    CHECK_EQ(moved.count, 0);
  }
}

// The hole does not lie lowest.
static void so_is_one_to_a_block_above_another(void)
{
  for (uint32_t i = 0; i < 6; i++) {
    start();
    tp_word_t *word = stale_word(mid, i);
    *word = 7;
    CHECK_FAULTS(TP_FAULT_POISON, heap_step());
    CHECK(tp_fault_record.address == word);
    CHECK_EQ(moved.count, 0);
  }
}

// The block is smaller than the hole, of which the rest then begins there.
static void so_is_one_where_the_rest_of_the_hole_will_begin(void)
{
  start();
  heap_free(mid);
  heap_free(high);
  uintptr_t small = place_of(make(8));
  tp_word_t *word = stale_word(low, 2);
  CHECK(small > (uintptr_t)word);
  *word = 7;
  CHECK_FAULTS(TP_FAULT_POISON, heap_step());
  CHECK(tp_fault_record.address == word);
}

void suite_poison(void)
{
  if (TP_CHECKS < TP_CHECKS_POISON) return;
  RUN(freed_bytes_become_poison);
  RUN(bytes_that_a_block_moved_away_from_become_poison);
  RUN(issued_bytes_are_new);
  RUN(a_write_to_a_freed_block_is_found_when_its_hole_is_issued);
  RUN(a_write_where_the_rest_of_a_hole_begins_is_found);
  RUN(a_write_where_the_new_top_will_be_is_found);
  RUN(a_write_to_a_freed_block_is_found_when_the_top_is_issued);
  RUN(a_write_to_a_freed_block_is_found_before_another_moves_over_it);
  RUN(so_is_one_to_a_block_above_another);
  RUN(so_is_one_where_the_rest_of_the_hole_will_begin);
}
