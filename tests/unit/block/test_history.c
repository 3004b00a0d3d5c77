// SPDX-License-Identifier: MIT
// Random steps beside a model so plain that it can be read as the definition.
#include "unit.h"

enum { STEPS = 200000, CHECK_EVERY = 1000 };

static struct {
  unsigned char *block;
  uint32_t size;
  unsigned char stamp;
} held[SMALL_BLOCKS];
static uint32_t count;
static uint32_t wasted, wasted_most;

static uint32_t given(uint32_t size)
{
  uint32_t most = 8;
  while (most < size) most *= 2;
  return most;
}

static bool is_whole(uint32_t i)
{
  for (uint32_t at = 0; at < held[i].size; at++) {
    if (held[i].block[at] != held[i].stamp) return false;
  }
  return true;
}

static void take(uint32_t size)
{
  unsigned char *block = small_alloc(size);
  if (!block) return;
  unsigned char stamp = (unsigned char)tp_test_random();
  for (uint32_t at = 0; at < size; at++) block[at] = stamp;
  held[count].block = block;
  held[count].size = size;
  held[count++].stamp = stamp;
  wasted += given(size) - size;
  if (wasted > wasted_most) wasted_most = wasted;
}

static void give_back(uint32_t i)
{
  CHECK(is_whole(i));
  wasted -= given(held[i].size) - held[i].size;
  small_free(held[i].block);
  held[i] = held[--count];
}

static void counts_agree(void)
{
  CHECK(tp_blocks_verify(&small_blocks));
  if (TP_CHECKS < TP_CHECKS_FAST) return;
  CHECK_EQ(small_blocks.waste->now, wasted);
  CHECK_EQ(small_blocks.waste->peak, wasted_most);
}

static void the_waste_counter_equals_a_model_for_200000_random_steps(void)
{
  forget(&small_blocks);
  tp_test_seed(4);
  count = wasted = wasted_most = 0;
  for (uint32_t step = 0; step < STEPS; step++) {
    uint32_t chance = tp_test_random();
    if (count == SMALL_BLOCKS || (count != 0 && chance & 1)) {
      give_back((chance >> 1) % count);
    } else {
      uint32_t most = 8u << (chance >> 1) % SMALL_CLASSES;
      take(1 + (chance >> 8) % most);
    }
    if (step % CHECK_EVERY == 0) counts_agree();
  }
  while (count) give_back(0);
  counts_agree();
  CHECK_EQ(wasted, 0);
}

void suite_history(void)
{
  RUN(the_waste_counter_equals_a_model_for_200000_random_steps);
}
