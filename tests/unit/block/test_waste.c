// SPDX-License-Identifier: MIT
#include "unit.h"

static void waste_is_what_a_block_has_and_nobody_asked_for(void)
{
  forget(&small_blocks);
  void *block = small_alloc(100);
  small_alloc(1);
  CHECK_EQ(small_blocks.waste->now, 28 + 7);
  CHECK_EQ(small_blocks.classes[4].waste->now, 28);
  CHECK_EQ(small_blocks.classes[0].waste->now, 7);

  small_free(block);

  CHECK_EQ(small_blocks.waste->now, 7);
  CHECK_EQ(small_blocks.classes[4].waste->now, 0);
}

static void a_block_that_fits_exactly_wastes_nothing(void)
{
  forget(&small_blocks);
  small_free(small_alloc(64));
  small_alloc(8);
  CHECK_EQ(small_blocks.waste->now, 0);
  CHECK_EQ(small_blocks.waste->peak, 0);
}

static void the_peak_of_the_waste_outlives_the_blocks(void)
{
  forget(&small_blocks);
  void *first = small_alloc(33);
  void *second = small_alloc(17);
  small_free(first);
  small_free(second);
  small_alloc(31);
  CHECK_EQ(small_blocks.waste->now, 1);
  CHECK_EQ(small_blocks.waste->peak, 31 + 15);
  CHECK_EQ(small_blocks.classes[2].waste->peak, 15);
}

static void a_request_served_by_a_bigger_class_wastes_more(void)
{
  forget(&rising_blocks);
  for (uint32_t i = 0; i < 3; i++) rising_alloc(16);
  CHECK_EQ(rising_blocks.waste->now, 32);
}

static void a_refused_request_wastes_nothing(void)
{
  forget(&rising_blocks);
  for (uint32_t i = 0; i < 3; i++) rising_alloc(48);
  CHECK(rising_alloc(17) == NULL);
  CHECK_EQ(rising_blocks.waste->now, 0);
}

static void a_stolen_block_wastes_what_the_thief_does_not_use(void)
{
  forget(&thief_blocks);
  thief_alloc(1);
  thief_alloc(2);
  thief_alloc(10);
  CHECK_EQ(thief_blocks.waste->now, 14 + 6);
  CHECK_EQ(thief_blocks.waste->peak, 15 + 14);
  CHECK(tp_blocks_verify(&thief_blocks));
}

static void off_counts_no_waste(void)
{
  forget(&small_blocks);
  small_alloc(1);
  CHECK_EQ(small_blocks.waste->now, 0);
}

void suite_waste(void)
{
  if (TP_CHECKS < TP_CHECKS_FAST) {
    RUN(off_counts_no_waste);
    return;
  }
  RUN(waste_is_what_a_block_has_and_nobody_asked_for);
  RUN(a_block_that_fits_exactly_wastes_nothing);
  RUN(the_peak_of_the_waste_outlives_the_blocks);
  RUN(a_request_served_by_a_bigger_class_wastes_more);
  RUN(a_refused_request_wastes_nothing);
  RUN(a_stolen_block_wastes_what_the_thief_does_not_use);
}
