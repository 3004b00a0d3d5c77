// SPDX-License-Identifier: MIT
// Stacks, double-ended stacks and frames: what fills from an end.
#include "allocator/tp_stack.h"

#include "allocator/tp_bump.h"
#include "allocator/tp_dstack.h"
#include "allocator/tp_frame.h"

TP_NOINLINE void *tp_stack_alloc(const struct tp_stack *stack, size_t size,
                                 size_t align)
{
  struct tp_side side = tp_side_of_stack(stack);
  return tp_bump_alloc(&side, size, align, tp_site(NULL));
}

TP_NOINLINE struct tp_mark tp_stack_mark(const struct tp_stack *stack)
{
  struct tp_side side = tp_side_of_stack(stack);
  tp_region_check(side.region, tp_site(NULL));
  return tp_bump_mark(&side, side.bump->used);
}

TP_NOINLINE void tp_stack_release(const struct tp_stack *stack,
                                  struct tp_mark mark)
{
  struct tp_side side = tp_side_of_stack(stack);
  tp_bump_release(&side, &mark, tp_site(NULL));
}

TP_NOINLINE void tp_stack_reset(const struct tp_stack *stack)
{
  struct tp_side side = tp_side_of_stack(stack);
  tp_bump_reset(&side, tp_site(NULL));
}

TP_NOINLINE void *tp_stack_alloc_block(const struct tp_stack *stack,
                                       size_t size, size_t align)
{
  struct tp_side side = tp_side_of_stack(stack);
  return tp_bump_alloc_block(&side, size, align, tp_site(NULL));
}

TP_NOINLINE void tp_stack_free(const struct tp_stack *stack, void *block)
{
  struct tp_side side = tp_side_of_stack(stack);
  tp_bump_free(&side, block, tp_site(NULL));
}

void tp_stack_stats(const struct tp_stack *stack, struct tp_stats *stats)
{
  tp_bump_stats(&stack->state->bump, stats);
}

static void check_end(const struct tp_dstack *dstack, enum tp_end end,
                      tp_site_t site)
{
  if (!TP_MISUSE((unsigned)end > TP_HIGH)) return;
  tp_raise_misuse(TP_FAULT_SIZE, dstack->region.name, dstack->region.storage,
                  (uint32_t)end, TP_HIGH, site);
}

TP_NOINLINE void *tp_dstack_alloc(const struct tp_dstack *dstack,
                                  enum tp_end end, size_t size, size_t align)
{
  check_end(dstack, end, tp_site(NULL));
  struct tp_side side = tp_side_of_dstack(dstack, end);
  return tp_bump_alloc(&side, size, align, tp_site(NULL));
}

TP_NOINLINE struct tp_mark tp_dstack_mark(const struct tp_dstack *dstack,
                                          enum tp_end end)
{
  check_end(dstack, end, tp_site(NULL));
  struct tp_side side = tp_side_of_dstack(dstack, end);
  tp_region_check(side.region, tp_site(NULL));
  return tp_bump_mark(&side, side.bump->used);
}

TP_NOINLINE void tp_dstack_release(const struct tp_dstack *dstack,
                                   enum tp_end end, struct tp_mark mark)
{
  check_end(dstack, end, tp_site(NULL));
  struct tp_side side = tp_side_of_dstack(dstack, end);
  tp_bump_release(&side, &mark, tp_site(NULL));
}

TP_NOINLINE void tp_dstack_reset(const struct tp_dstack *dstack,
                                 enum tp_end end)
{
  check_end(dstack, end, tp_site(NULL));
  struct tp_side side = tp_side_of_dstack(dstack, end);
  tp_bump_reset(&side, tp_site(NULL));
}

TP_NOINLINE void *tp_dstack_alloc_block(const struct tp_dstack *dstack,
                                        enum tp_end end, size_t size,
                                        size_t align)
{
  check_end(dstack, end, tp_site(NULL));
  struct tp_side side = tp_side_of_dstack(dstack, end);
  return tp_bump_alloc_block(&side, size, align, tp_site(NULL));
}

TP_NOINLINE void tp_dstack_free(const struct tp_dstack *dstack, enum tp_end end,
                                void *block)
{
  check_end(dstack, end, tp_site(NULL));
  struct tp_side side = tp_side_of_dstack(dstack, end);
  tp_bump_free(&side, block, tp_site(NULL));
}

TP_NOINLINE void tp_dstack_stats(const struct tp_dstack *dstack,
                                 enum tp_end end, struct tp_stats *stats)
{
  check_end(dstack, end, tp_site(NULL));
  tp_bump_stats(&dstack->state->bump[end], stats);
}

// The buffer that allocations come from now.
TP_INLINE struct tp_side current_of(const struct tp_frame *frame)
{
  uint32_t current = frame->state->current;
  size_t words = frame->region.bytes / 4;
  return (struct tp_side){
      .region = &frame->region,
      .storage = frame->region.storage + words * current,
      .bump = &frame->bump[current],
      .other = NULL,
      .marks = NULL,
      .end = TP_LOW,
  };
}

TP_NOINLINE void *tp_frame_alloc(const struct tp_frame *frame, size_t size,
                                 size_t align)
{
  struct tp_side side = current_of(frame);
  return tp_bump_alloc(&side, size, align, tp_site(NULL));
}

TP_NOINLINE void tp_frame_end(const struct tp_frame *frame)
{
  struct tp_frame_state *state = frame->state;
  uint32_t next = state->current + 1;
  tp_region_check(&frame->region, tp_site(NULL));
  state->ended++;
  state->current = next < frame->buffers ? next : 0;
  struct tp_side side = current_of(frame);
  tp_bump_shrink(&side, 0);
}

void tp_frame_stats(const struct tp_frame *frame, struct tp_stats *stats)
{
  uint32_t peak = 0;
  uint32_t refused = 0;
  for (uint32_t i = 0; i < frame->buffers; i++) {
    const struct tp_bump *bump = &frame->bump[i];
    if (peak < bump->peak) peak = bump->peak;
    refused += bump->refused;
  }
  tp_clear_words(stats, sizeof *stats);
  stats->live = frame->bump[frame->state->current].used;
  stats->peak = peak;
  stats->refused = refused;
}
