// SPDX-License-Identifier: MIT
// blocks.c - a class of blocks: a pool, and the waste that is counted beside
// it, which no interruption may make drift.
#include "allocator/tp_blocks.h"

#include "model.h"
#include "core/tp_slot.h"
#include "config/tp_define.h"
#include "tp_declare.h"

enum { ASKED = sizeof(struct item) - 3, WASTED = 3 };

TP_BLOCKS_DECLARE(sized);
TP_BLOCK_CLASS(sized_8, 8, 1, .policy = &tp_drop, .refuses = 1);
TP_BLOCK_CLASS(sized_16, 16, 4, .policy = &tp_drop, .refuses = 1);
TP_BLOCK_CLASS(sized_32, 32, 1, .policy = &tp_drop, .refuses = 1);
TP_BLOCKS_DEFINE(sized, 0, TP_BLOCK_ROW(sized_8), TP_BLOCK_ROW(sized_16),
                 TP_BLOCK_ROW(sized_32));

// The same as the generator makes them: quick calls see the class, and tables
// find it.
TP_POOL_BY_HAND(quick_16, 16, 4, TP_BLOCK_ALIGN, TP_TAGS(4), 4,
                .policy = &tp_drop, .refuses = 1);
static const struct tp_blocks_class quick_classes[] = {
    TP_BLOCK_ROW(sized_8),
    {&quick_16_pool, sized_16_asked, &sized_16_waste},
    TP_BLOCK_ROW(sized_32)};
static const uint8_t quick_by_size[] = {0, 1, 2, 2}, quick_by_page[] = {1};
static const struct tp_blocks quick_blocks = {.classes = quick_classes,
                                              .waste = &sized_waste,
                                              .name = "quick",
                                              .count = 3,
                                              .sizes = sizeof quick_by_size,
                                              .shift = 8,
                                              .by_size = quick_by_size,
                                              .by_page = quick_by_page,
                                              .begin = quick_16_storage,
                                              .pages = 1};

static const struct tp_blocks *swept(void)
{
  bool quick = subject->pool == &quick_16_pool;
  return quick ? &quick_blocks : &sized_blocks;
}

static struct item *alloc_sized(void)
{
  return (struct item *)tp_blocks_alloc(swept(), ASKED);
}

static void free_sized(struct item *item)
{
  tp_blocks_free(swept(), item);
}

static void open_blocks(void)
{
  const struct tp_blocks_class *of = &swept()->classes[1];
  for (uint32_t slot = 1; tp_tag_kept(of->pool) && slot <= 4; slot++) {
    of->asked[slot] = 0;
  }
  *of->waste = *swept()->waste = (struct tp_blocks_waste){0, 0};
}

static void close_blocks(void)
{
  uint32_t wasted = WASTED * model_live();
  if (!tp_tag_kept(subject->pool)) return;
  if (!tp_blocks_verify(swept())) complain("verify: blocks");
  if (swept()->waste->now != wasted) complain("the waste drifts");
  if (swept()->waste->peak < wasted) complain("its peak is miscounted");
}

static const struct subject sized = {
    .name = "sized",
    .pool = &sized_16_pool,
    .open = open_blocks,
    .close = close_blocks,
    .alloc = alloc_sized,
    .free = free_sized,
};

static const struct subject quick = {
    .name = "quick",
    .pool = &quick_16_pool,
    .open = open_blocks,
    .close = close_blocks,
    .alloc = alloc_sized,
    .free = free_sized,
};

void suite_blocks(void)
{
  sweep_common(&sized);
  sweep_common(&quick);
}
