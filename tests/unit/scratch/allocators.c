// SPDX-License-Identifier: MIT
#include "scratch.h"

#include "config/tp_define.h"

TP_STACK_DEFINE(level, 256, .full = TP_FULL_DROP);
TP_STACK_DEFINE(other, 256, .full = TP_FULL_DROP);
TP_STACK_DEFINE(strict, 64, .full = TP_FULL_ASSERT);
TP_DSTACK_DEFINE(both, 64, .full = TP_FULL_DROP);
TP_DSTACK_DEFINE(narrow, 40, .full = TP_FULL_DROP);
TP_FRAME_DEFINE(single, 64, 1, .full = TP_FULL_DROP);
TP_FRAME_DEFINE(twin, 64, 2, .full = TP_FULL_DROP);
TP_FRAME_DEFINE(triple, 64, 3, .full = TP_FULL_DROP);
TP_FRAME_DEFINE(solemn, 16, 2, .full = TP_FULL_ASSERT);

static void zero(const struct tp_region *region, uint32_t buffers)
{
  for (uint32_t i = 0; i < region->bytes / 4 * buffers; i++) {
    region->storage[i] = 0;
  }
}

void forget_stack(const struct tp_stack *stack)
{
  zero(&stack->region, 1);
  *stack->state = (struct tp_stack_state){0};
}

struct tp_stats stack_stats(const struct tp_stack *stack)
{
  struct tp_stats stats;
  tp_stack_stats(stack, &stats);
  return stats;
}

struct tp_stats dstack_stats(const struct tp_dstack *dstack, enum tp_end end)
{
  struct tp_stats stats;
  tp_dstack_stats(dstack, end, &stats);
  return stats;
}

struct tp_stats frame_stats(const struct tp_frame *frame)
{
  struct tp_stats stats;
  tp_frame_stats(frame, &stats);
  return stats;
}

void forget_dstack(const struct tp_dstack *dstack)
{
  zero(&dstack->region, 1);
  *dstack->state = (struct tp_dstack_state){0};
}

void forget_frame(const struct tp_frame *frame)
{
  zero(&frame->region, frame->buffers);
  *frame->state = (struct tp_frame_state){0};
  for (uint32_t i = 0; i < frame->buffers; i++) {
    frame->bump[i] = (struct tp_bump){0};
  }
}

bool all_are(const void *memory, uint32_t bytes, uint32_t pattern)
{
  const tp_word_t *words = memory;
  for (uint32_t i = 0; i < bytes / 4; i++) {
    if (words[i] != pattern) return false;
  }
  return true;
}
