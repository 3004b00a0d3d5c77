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

static struct item *alloc_sized(void)
{
  return (struct item *)sized_alloc(ASKED);
}

static void free_sized(struct item *item)
{
  sized_free(item);
}

static void open_blocks(void)
{
  const struct tp_blocks_class *of = &sized_blocks.classes[1];
  for (uint32_t slot = 1; tp_tag_kept(of->pool) && slot <= 4; slot++) {
    of->asked[slot] = 0;
  }
  *of->waste = *sized_blocks.waste = (struct tp_blocks_waste){0, 0};
}

static void close_blocks(void)
{
  uint32_t wasted = WASTED * model_live();
  if (!tp_tag_kept(subject->pool)) return;
  if (!tp_blocks_verify(&sized_blocks)) complain("verify: blocks");
  if (sized_blocks.waste->now != wasted) complain("the waste drifts");
  if (sized_blocks.waste->peak < wasted) complain("its peak is miscounted");
}

static const struct subject sized = {
    .name = "sized",
    .pool = &sized_16_pool,
    .open = open_blocks,
    .close = close_blocks,
    .alloc = alloc_sized,
    .free = free_sized,
};

void suite_blocks(void)
{
  sweep_common(&sized);
}
