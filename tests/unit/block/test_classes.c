// SPDX-License-Identifier: MIT
#include "unit.h"

// What the six classes are said to do: the definition, read aloud.
static uint32_t expected_class(size_t size)
{
  return size <= 8     ? 0
         : size <= 16  ? 1
         : size <= 32  ? 2
         : size <= 64  ? 3
         : size <= 128 ? 4
                       : 5;
}

static void every_size_from_0_to_257_goes_to_the_expected_class(void)
{
  forget(&small_blocks);
  for (size_t size = 1; size <= SMALL_LARGEST; size++) {
    void *block = small_alloc(size);
    CHECK(block != NULL);
    CHECK_EQ(class_at(&small_blocks, block), expected_class(size));
    small_free(block);
  }
  if (TP_CHECKS < TP_CHECKS_FAST) {
    CHECK(small_alloc(257) == NULL);
    return;
  }
  CHECK_FAULTS(TP_FAULT_SIZE, small_alloc(0));
  CHECK_FAULTS(TP_FAULT_LARGE, small_alloc(257));
}

static void fill(unsigned char *block, uint32_t size, uint32_t value)
{
  for (uint32_t i = 0; i < size; i++) block[i] = (unsigned char)value;
}

static bool is_filled(const unsigned char *block, uint32_t size, uint32_t value)
{
  for (uint32_t i = 0; i < size; i++) {
    if (block[i] != (unsigned char)value) return false;
  }
  return true;
}

static void blocks_of_different_classes_never_overlap(void)
{
  unsigned char *blocks[SMALL_BLOCKS];
  uint32_t sizes[SMALL_BLOCKS];
  uint32_t count = 0;
  forget(&small_blocks);
  for (uint32_t i = 0; i < SMALL_CLASSES; i++) {
    uint32_t size = small_blocks.classes[i].pool->size;
    unsigned char *block;
    while ((block = small_alloc(size)) != NULL) {
      CHECK(count < SMALL_BLOCKS);
      sizes[count] = size;
      fill(block, size, count);
      blocks[count++] = block;
    }
  }
  CHECK_EQ(count, SMALL_BLOCKS);
  for (uint32_t i = 0; i < count; i++) CHECK(is_filled(blocks[i], sizes[i], i));
}

static void every_block_is_aligned_to_8(void)
{
  forget(&small_blocks);
  for (uint32_t i = 0; i < SMALL_CLASSES; i++) {
    void *block;
    while ((block = small_alloc(small_blocks.classes[i].pool->size)) != NULL) {
      CHECK_EQ((uintptr_t)block % TP_BLOCK_ALIGN, 0);
    }
  }
}

static void a_full_class_refuses_though_bigger_ones_have_room(void)
{
  forget(&small_blocks);
  CHECK(small_alloc(129) != NULL);
  CHECK(small_alloc(129) != NULL);
  for (uint32_t i = 0; i < 3; i++) CHECK(small_alloc(128) != NULL);

  CHECK(small_alloc(100) == NULL);
  CHECK(small_alloc(200) == NULL);

  CHECK(small_alloc(64) != NULL);
}

static void a_full_class_passes_requests_on_if_its_row_says_bigger(void)
{
  forget(&rising_blocks);
  for (uint32_t i = 0; i < 5; i++) {
    CHECK_EQ(class_at(&rising_blocks, rising_alloc(10)), i < 2 ? 0 : 1);
  }

  CHECK(rising_alloc(10) == NULL);

  if (TP_CHECKS < TP_CHECKS_FAST) return;
  CHECK_EQ(figures(&rising_blocks, 0).refused, 4);
  CHECK_EQ(figures(&rising_blocks, 1).refused, 1);
}

static void the_last_class_answers_what_no_class_can_serve(void)
{
  forget(&strict_blocks);
  CHECK(strict_alloc(8) != NULL);
  CHECK_EQ(class_at(&strict_blocks, strict_alloc(8)), 1);

  CHECK_FAULTS(TP_FAULT_FULL, strict_alloc(8));

  CHECK(tp_fault_record.pool == strict_blocks.classes[1].pool);
}

static void a_class_that_steals_gives_the_oldest_block_and_tells(void)
{
  forget(&thief_blocks);
  void *oldest = thief_alloc(1);
  thief_alloc(2);

  CHECK(thief_alloc(3) == oldest);

  CHECK(evicted == oldest);
}

static void a_freed_block_is_the_next_of_its_class(void)
{
  forget(&small_blocks);
  void *first = small_alloc(33);
  small_alloc(64);
  small_free(first);
  CHECK(small_alloc(40) == first);
}

static void figures_are_those_of_each_class(void)
{
  struct tp_stats stats;
  forget(&small_blocks);
  small_free(small_alloc(20));
  small_alloc(30);
  CHECK(!tp_blocks_stats(&small_blocks, SMALL_CLASSES, &stats));
  CHECK(tp_blocks_stats(&small_blocks, 2, &stats));
  CHECK_EQ(stats.peak, 1);
  if (TP_CHECKS < TP_CHECKS_FAST) return;
  CHECK_EQ(stats.allocs, 2);
  CHECK_EQ(stats.live, 1);
}

static void there_are_no_figures_of_a_class_that_is_not_there(void)
{
  struct tp_stats stats;
  for (uint32_t i = 0; i < SMALL_CLASSES; i++) {
    CHECK(tp_blocks_stats(&small_blocks, i, &stats));
  }
  CHECK(!tp_blocks_stats(&small_blocks, SMALL_CLASSES, &stats));
  CHECK(!tp_blocks_stats(&small_blocks, UINT32_MAX, &stats));
}

static void blocks_with_a_broken_class_do_not_verify(void)
{
  forget(&small_blocks);
  CHECK(tp_blocks_verify(&small_blocks));
  small_blocks.classes[2].pool->state->fresh = TP_CAPACITY_MAX;
  CHECK(!tp_blocks_verify(&small_blocks));
  forget(&small_blocks);
}

// What it leads to is asked whether it has the block.
static void a_table_of_pages_that_errs_takes_every_block_back_all_the_same(void)
{
  void *blocks[SMALL_CLASSES];
  forget(&small_blocks);
  for (uint32_t i = 0; i < SMALL_CLASSES; i++) {
    blocks[i] = misled_alloc(misled_blocks.classes[i].pool->size - 1);
    CHECK_EQ(class_at(&misled_blocks, blocks[i]), i);
  }
  for (uint32_t i = 0; i < SMALL_CLASSES; i++) misled_free(blocks[i]);
  CHECK(tp_blocks_verify(&misled_blocks));
  if (TP_CHECKS < TP_CHECKS_FAST) return;
  for (uint32_t i = 0; i < SMALL_CLASSES; i++) {
    CHECK_EQ(figures(&misled_blocks, i).live, 0);
    CHECK_EQ(misled_blocks.classes[i].waste->now, 0);
  }
}

static void a_block_that_may_be_stolen_leaves_the_ring_though_a_table_finds_it(
    void)
{
  static const uint8_t first[1];
  struct tp_blocks found = thief_blocks;
  found.by_page = first;
  found.begin = thief_16_pool.storage;
  found.pages = 1;
  found.shift = 6;
  forget(&thief_blocks);
  void *oldest = thief_alloc(1);
  void *other = thief_alloc(2);
  tp_blocks_free(&found, oldest);
  CHECK(tp_blocks_verify(&found));
  CHECK(thief_alloc(3) == oldest);
  CHECK(thief_alloc(4) == other);
}

void suite_classes(void)
{
  RUN(a_block_that_may_be_stolen_leaves_the_ring_though_a_table_finds_it);
  RUN(a_table_of_pages_that_errs_takes_every_block_back_all_the_same);
  RUN(every_size_from_0_to_257_goes_to_the_expected_class);
  RUN(blocks_of_different_classes_never_overlap);
  RUN(every_block_is_aligned_to_8);
  RUN(a_full_class_refuses_though_bigger_ones_have_room);
  RUN(a_full_class_passes_requests_on_if_its_row_says_bigger);
  RUN(the_last_class_answers_what_no_class_can_serve);
  RUN(a_class_that_steals_gives_the_oldest_block_and_tells);
  RUN(a_freed_block_is_the_next_of_its_class);
  RUN(figures_are_those_of_each_class);
  RUN(there_are_no_figures_of_a_class_that_is_not_there);
  RUN(blocks_with_a_broken_class_do_not_verify);
}
