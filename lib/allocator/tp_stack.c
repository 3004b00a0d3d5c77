// SPDX-License-Identifier: MIT
#include "allocator/tp_stack.h"

#include "allocator/tp_bump.h"

void *tp_stack_alloc(const struct tp_stack *stack, size_t size, size_t align)
{
  struct tp_side side = tp_side_of_stack(stack);
  return tp_bump_alloc(&side, size, align, TP_CALLER);
}

struct tp_mark tp_stack_mark(const struct tp_stack *stack)
{
  struct tp_side side = tp_side_of_stack(stack);
  if (tp_region_closed(side.region, TP_CALLER)) return (struct tp_mark){0};
  return tp_bump_mark(&side, side.bump->used);
}

void tp_stack_release(const struct tp_stack *stack, struct tp_mark mark)
{
  struct tp_side side = tp_side_of_stack(stack);
  tp_bump_release(&side, &mark, TP_CALLER);
}

void tp_stack_reset(const struct tp_stack *stack)
{
  struct tp_side side = tp_side_of_stack(stack);
  tp_bump_reset(&side, TP_CALLER);
}

void tp_stack_stats(const struct tp_stack *stack, struct tp_stats *stats)
{
  tp_bump_stats(&stack->state->bump, stats);
}
