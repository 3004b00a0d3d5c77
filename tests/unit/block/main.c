// SPDX-License-Identifier: MIT
#include "config/tp_define.h"
#include "unit.h"

void *evicted;

static void told(void *victim)
{
  evicted = victim;
}

TP_BLOCK_CLASS(rising_16, 16, 2, .policy = &tp_drop, .refuses = 1);
TP_BLOCK_CLASS(rising_48, 48, 3, .policy = &tp_drop, .refuses = 1);
TP_BLOCKS_DEFINE(rising, 1, TP_BLOCK_ROW(rising_16), TP_BLOCK_ROW(rising_48));

TP_BLOCK_CLASS(strict_8, 8, 1, .policy = &tp_drop, .refuses = 1);
TP_BLOCK_CLASS(strict_32, 32, 1, .policy = &tp_assert);
TP_BLOCKS_DEFINE(strict, 1, TP_BLOCK_ROW(strict_8), TP_BLOCK_ROW(strict_32));

static struct tp_age_link thief_16_age[2 + 1];
TP_BLOCK_CLASS(thief_16, 16, 2, .policy = &tp_steal_oldest, .age = thief_16_age,
               .evict = told);
TP_BLOCKS_DEFINE(thief, 0, TP_BLOCK_ROW(thief_16));

_Static_assert(_Alignof(uint64_t) <= TP_BLOCK_ALIGN, "blocks hold any type");

void forget(const struct tp_blocks *blocks)
{
  for (uint32_t i = 0; i < blocks->count; i++) {
    const struct tp_blocks_class *of = &blocks->classes[i];
    bool counts = TP_CHECKS >= TP_CHECKS_FAST;
    uint32_t slots = counts ? of->pool->capacity : 0;
    tp_test_forget(of->pool);
    for (uint32_t slot = 0; slot <= slots; slot++) of->asked[slot] = 0;
    *of->waste = (struct tp_blocks_waste){0, 0};
  }
  *blocks->waste = (struct tp_blocks_waste){0, 0};
}

struct tp_stats figures(const struct tp_blocks *blocks, uint32_t index)
{
  struct tp_stats stats;
  tp_blocks_stats(blocks, index, &stats);
  return stats;
}

uint32_t class_at(const struct tp_blocks *blocks, const void *block)
{
  uint32_t index = 0;
  for (; index < blocks->count; index++) {
    const struct tp_pool *pool = blocks->classes[index].pool;
    uintptr_t offset = (uintptr_t)block - (uintptr_t)pool->storage;
    if (offset < (uintptr_t)pool->capacity * pool->stride) break;
  }
  return index;
}

int main(void)
{
  suite_classes();
  suite_waste();
  suite_misuse();
  suite_history();
  return tp_test_end();
}
