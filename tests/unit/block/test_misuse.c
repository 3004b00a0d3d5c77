// SPDX-License-Identifier: MIT
// Each case breaks one sentence of a contract and must meet its fault. At off
// nothing is promised.
#include "core/tp_shape.h"
#include "tp_port.h"
#include "unit.h"

static char *text_of(const void *block, int32_t bytes)
{
  return (char *)(uintptr_t)((uintptr_t)block + (uintptr_t)bytes);
}

static void a_request_for_no_bytes_faults(void)
{
  forget(&small_blocks);

  CHECK_FAULTS(TP_FAULT_SIZE, small_alloc(0));

  CHECK_RECORD(small_blocks.name, NULL, 0, 1);
  CHECK(tp_fault_record.pool == NULL);
}

static void a_request_above_the_largest_class_faults(void)
{
  forget(&small_blocks);

  CHECK_FAULTS(TP_FAULT_LARGE, small_alloc(5000));

  CHECK_RECORD(small_blocks.name, NULL, 5000, SMALL_LARGEST);
}

static const size_t huge[] = {0x7fffffffu, 0x80000000u, 0x80000001u,
                              SIZE_MAX - 7, SIZE_MAX};
enum { HUGES = sizeof huge / sizeof *huge };

static void no_size_is_so_large_that_it_looks_small(void)
{
  forget(&small_blocks);
  for (uint32_t i = 0; i < HUGES; i++) {
    CHECK_FAULTS(TP_FAULT_LARGE, small_alloc(huge[i]));
    CHECK_RECORD(small_blocks.name, NULL, (uint32_t)huge[i], SMALL_LARGEST);
    CHECK_FAULTS(TP_FAULT_LARGE, tp_blocks_alloc(&small_blocks, huge[i]));
  }
}

static void freeing_a_block_of_no_class_faults(void)
{
  uint64_t own = 0;
  forget(&small_blocks);

  CHECK_FAULTS(TP_FAULT_FOREIGN, small_free(&own));

  CHECK_RECORD(small_blocks.name, &own, 0, 0);
  CHECK_FAULTS(TP_FAULT_FOREIGN, small_free(NULL));
}

static void freeing_a_block_of_other_blocks_faults(void)
{
  forget(&small_blocks);
  forget(&rising_blocks);

  CHECK_FAULTS(TP_FAULT_FOREIGN, small_free(rising_alloc(16)));
}

// The class follows from the address, so a block cannot come to another's
// list; what can is a pointer that slipped into the class's neighbour.
static void freeing_a_block_to_another_class_is_detected(void)
{
  forget(&small_blocks);
  for (uint32_t i = 0; i < SMALL_CLASSES; i++) {
    const struct tp_pool *pool = small_blocks.classes[i].pool;
    void *block = small_alloc(pool->size);
    for (uint32_t j = 0; j < SMALL_CLASSES; j++) {
      const struct tp_pool *other = small_blocks.classes[j].pool;
      if (i != j) CHECK_FAULTS(TP_FAULT_FOREIGN, tp_pool_free(other, block));
    }
    small_free(block);
    CHECK_EQ(figures(&small_blocks, i).live, 0);
    CHECK(tp_blocks_verify(&small_blocks));
  }
}

static void freeing_into_the_middle_of_a_block_faults(void)
{
  forget(&small_blocks);
  small_alloc(64);
  char *block = small_alloc(64);

  CHECK_FAULTS(TP_FAULT_INTERIOR, small_free(text_of(block, 8)));

  CHECK(tp_fault_record.pool == small_blocks.classes[3].pool);
  CHECK_EQ(tp_fault_record.slot, 2);
  CHECK_EQ(tp_fault_record.offset, 8);
  CHECK_FAULTS(TP_FAULT_INTERIOR, small_free(text_of(block, -1)));
}

static void freeing_a_block_twice_faults_and_is_counted_once(void)
{
  forget(&small_blocks);
  void *block = small_alloc(10);
  void *other = small_alloc(9);
  small_free(block);

  CHECK_FAULTS(TP_FAULT_DOUBLE_FREE, small_free(block));

  CHECK_EQ(tp_fault_record.slot, 1);
  CHECK_EQ(small_blocks.waste->now, 7);
  CHECK(tp_blocks_verify(&small_blocks));
  small_free(other);
}

static void a_fault_names_the_call_that_made_it(void)
{
  forget(&small_blocks);
  void *block = small_alloc(10);
  small_free(block);

  CHECK_FAULTS(TP_FAULT_DOUBLE_FREE, small_free(block));

  uintptr_t caller = (uintptr_t)tp_fault_record.caller;
  uintptr_t here = (uintptr_t)freeing_a_block_of_no_class_faults;
  CHECK(caller - here + 0x8000 < 0x10000);
}

static void counts_that_disagree_are_found(void)
{
  forget(&small_blocks);
  small_alloc(10);
  CHECK(tp_blocks_verify(&small_blocks));
  small_blocks.waste->now++;
  CHECK(!tp_blocks_verify(&small_blocks));
  small_blocks.waste->now--;
  small_blocks.classes[1].asked[1]--;
  CHECK(!tp_blocks_verify(&small_blocks));
}

static void an_overwritten_link_of_a_free_block_faults_and_names_its_class(void)
{
  forget(&small_blocks);
  uint32_t *block = tp_blocks_alloc(&small_blocks, 60);
  tp_blocks_free(&small_blocks, block);
  *block = 0;

  CHECK_FAULTS(TP_FAULT_LINK, tp_blocks_alloc(&small_blocks, 60));

  CHECK(tp_fault_record.pool == small_blocks.classes[3].pool);
}

static void a_free_list_that_leads_to_a_live_block_faults(void)
{
  forget(&small_blocks);
  tp_blocks_free(&small_blocks, tp_blocks_alloc(&small_blocks, 60));
  small_blocks.classes[3].pool->tag[1] |= TP_LIVE;

  CHECK_FAULTS(TP_FAULT_TAG, tp_blocks_alloc(&small_blocks, 60));

  CHECK(tp_fault_record.pool == small_blocks.classes[3].pool);
}

static void a_block_of_which_no_size_is_noted_is_taken_back(void)
{
  forget(&small_blocks);
  tp_blocks_alloc(&small_blocks, 5);
  void *block = tp_pool_alloc(small_blocks.classes[3].pool);
  small_blocks.classes[3].asked[1] = 0;

  tp_blocks_free(&small_blocks, block);

  CHECK_EQ(small_blocks.waste->now, 3);
  CHECK_EQ(figures(&small_blocks, 3).live, 0);
}

static void a_write_behind_a_block_faults_when_it_is_freed(void)
{
  forget(&small_blocks);
  char *block = tp_blocks_alloc(&small_blocks, 60);
  block[64] ^= 1;

  CHECK_FAULTS(TP_FAULT_RED_ZONE, tp_blocks_free(&small_blocks, block));

  CHECK(tp_fault_record.pool == small_blocks.classes[3].pool);
}

static void a_size_noted_for_what_is_not_live_is_found(void)
{
  forget(&small_blocks);
  void *block = tp_blocks_alloc(&small_blocks, 8);
  CHECK(tp_blocks_verify(&small_blocks));
  small_blocks.classes[0].asked[2] = 8;
  CHECK(!tp_blocks_verify(&small_blocks));
  small_blocks.classes[0].asked[2] = 0;
  small_blocks.classes[0].asked[1] = 0;
  CHECK(!tp_blocks_verify(&small_blocks));
  small_blocks.classes[0].asked[1] = 8;
  tp_blocks_free(&small_blocks, block);
  CHECK(tp_blocks_verify(&small_blocks));
}

static void off_serves_no_bytes_and_refuses_too_many(void)
{
  forget(&small_blocks);
  CHECK_EQ(class_at(&small_blocks, tp_blocks_alloc(&small_blocks, 0)), 0);
  CHECK(tp_blocks_alloc(&small_blocks, SMALL_LARGEST + 1) == NULL);
  for (uint32_t i = 0; i < HUGES; i++) {
    CHECK(tp_blocks_alloc(&small_blocks, huge[i]) == NULL);
  }
}

static void off_leaves_a_foreign_pointer_alone(void)
{
  uint64_t own = 77;
  forget(&small_blocks);
  tp_blocks_free(&small_blocks, &own);
  tp_blocks_free(&small_blocks, NULL);
  CHECK_EQ(own, 77);
  CHECK(tp_blocks_verify(&small_blocks));
}

static void classes_out_of_order_do_not_verify(void)
{
  struct tp_blocks_class classes[2] = {rising_blocks.classes[0],
                                       rising_blocks.classes[1]};
  struct tp_blocks blocks = rising_blocks;
  blocks.classes = classes;
  forget(&rising_blocks);
  CHECK(tp_blocks_verify(&blocks));
  classes[0] = rising_blocks.classes[1];
  classes[1] = rising_blocks.classes[0];
  CHECK(!tp_blocks_verify(&blocks));
  classes[0] = rising_blocks.classes[0];
  classes[1] = rising_blocks.classes[0];
  CHECK(!tp_blocks_verify(&blocks));
}

static void at_full_any_call_finds_a_size_that_was_written_over(void)
{
  forget(&small_blocks);
  void *block = small_alloc(5);
  uint16_t *asked = &small_blocks.classes[0].asked[1];
  for (uint32_t bit = 0; bit < 16; bit++) {
    *asked ^= (uint16_t)(1u << bit);
    CHECK_FAULTS(TP_FAULT_INVARIANT, small_alloc(5));
    CHECK_RECORD(small_blocks.name, small_blocks.waste, TP_BROKEN_OTHER,
                 TP_SOUND);
    CHECK_FAULTS(TP_FAULT_INVARIANT, small_free(block));
    *asked ^= (uint16_t)(1u << bit);
  }
  small_free(block);
}

#if !defined __arm__ && !defined __riscv
static void ask_in_interrupt(void)
{
  small_alloc(3);
}

// Of what is noted and what is added up none is seen without the other.
static void no_interrupt_finds_what_does_not_add_up(void)
{
  uint32_t edge = 0;
  do {
    forget(&small_blocks);
    small_free(small_alloc(8));
    tp_port_interrupt_after(++edge, ask_in_interrupt);
    small_free(small_alloc(5));
    CHECK(tp_blocks_verify(&small_blocks));
  } while (tp_port_due == 0);
  tp_port_interrupt_after(0, NULL);
  CHECK(edge > (AUDITED ? 20 : 6));
}

static void suite_interrupts(void)
{
  RUN(no_interrupt_finds_what_does_not_add_up);
}
#else
static void suite_interrupts(void)
{
}
#endif

void suite_misuse(void)
{
  RUN(classes_out_of_order_do_not_verify);
  if (TP_CHECKS < TP_CHECKS_FAST) {
    RUN(off_serves_no_bytes_and_refuses_too_many);
    RUN(off_leaves_a_foreign_pointer_alone);
    return;
  }
  RUN(a_request_for_no_bytes_faults);
  RUN(a_request_above_the_largest_class_faults);
  RUN(no_size_is_so_large_that_it_looks_small);
  RUN(freeing_a_block_of_no_class_faults);
  RUN(freeing_a_block_of_other_blocks_faults);
  RUN(freeing_a_block_to_another_class_is_detected);
  RUN(freeing_into_the_middle_of_a_block_faults);
  RUN(freeing_a_block_twice_faults_and_is_counted_once);
  RUN(a_fault_names_the_call_that_made_it);
  RUN(counts_that_disagree_are_found);
  RUN(a_size_noted_for_what_is_not_live_is_found);
  RUN(an_overwritten_link_of_a_free_block_faults_and_names_its_class);
  RUN(a_free_list_that_leads_to_a_live_block_faults);
  RUN(a_block_of_which_no_size_is_noted_is_taken_back);
  suite_interrupts();
  if (TP_CHECKS < TP_CHECKS_FULL) return;
  RUN(a_write_behind_a_block_faults_when_it_is_freed);
  if (!AUDITED) return;
  RUN(at_full_any_call_finds_a_size_that_was_written_over);
}
