// SPDX-License-Identifier: MIT
// tp_soak_stack.c - how deep each stack was: what it never reached is as it was
// painted.
#include "tp_soak.h"

#include "tp_soak_size.h"

enum { STACK = 18, STACK_BYTES = 12, STACKS = TP_SOAK_SMALL ? 2 : 8 };
enum {
  PAINT = 0x5ac0ffee,
  // Words of the main stack that are painted where nobody says how large it is.
  SUPPOSED = 8192,
  MARGIN = 32,         // Words below the caller that are in use.
  NEAR = 16,           // Words below the mark that are looked at each time.
  WHOLE_EVERY = 3600,  // Frames between two looks at all.
};

static struct stack {
  const char *name;
  uint32_t *low, *mark, *high;  // All from the mark on was used.
  uint32_t *told;               // The mark that the host knows of.
} stacks[STACKS];
static uint32_t stack_count;

// Up to [end], or all of it.
static void paint(const struct stack *stack, const uint32_t *end)
{
  for (volatile uint32_t *word = stack->low; word < end; word++) *word = PAINT;
}

void tp_soak_stack(const char *name, void *low, void *high)
{
  uint32_t *now = (uint32_t *)__builtin_frame_address(0) - MARGIN;
  if (stack_count == STACKS) {
    tp_record_audit(tp_clock_now, TP_RECORD_NO_POOL, 0,
                    "the firmware has too many stacks");
    return;
  }
  struct stack *stack = &stacks[stack_count++];
  bool inside = now > (uint32_t *)low && now < (uint32_t *)high;
  stack->name = name;
  stack->low = low;
  stack->high = high;
  stack->mark = inside ? now : stack->high;
  paint(stack, stack->mark);
}

#ifdef __arm__

// Where the room for the stack begins, by whatever name the linker script has.
extern uint32_t stack_low[] __attribute__((weak));
extern uint32_t stack_limit[] __asm("__StackLimit") __attribute__((weak));
extern uint32_t end[] __attribute__((weak));

static uint32_t *limit(void)
{
  if (stack_low) return stack_low;
  return stack_limit ? stack_limit : end;
}

// What the stack pointer was at reset: the first word of the vectors.
static uint32_t *top(void)
{
  uintptr_t vectors = *(volatile uint32_t *)0xe000ed08u;
  return (uint32_t *)(uintptr_t)*(volatile uint32_t *)vectors;
}

void tp_soak_stack_begin(void)
{
  uint32_t *low = limit(), *high = top(),
           *now = (uint32_t *)__builtin_frame_address(0);
  if (!low || now < low || now > high) return;  // A task's, or unknown.
  if (high - low > SUPPOSED) low = high - SUPPOSED;
  if (now > low + MARGIN) tp_soak_stack("main", low, high);
}

#else

void tp_soak_stack_begin(void)
{
}

#endif

// The lowest word from [from] on that is not as it was painted.
static uint32_t *lowest_used(const struct stack *stack, uint32_t *from)
{
  while (from < stack->mark && *(volatile uint32_t *)from == PAINT) from++;
  return from;
}

static void look(struct stack *stack)
{
  bool whole = (tp_clock_now - tp_soak_start()) % WHOLE_EVERY == 0;
  uint32_t *near = stack->mark - NEAR;
  if (whole || near < stack->low) near = stack->low;
  uint32_t *found = lowest_used(stack, near);
  // Deeper than what was looked at: to the end of it.
  while (found == near && near > stack->low) {
    near = near - stack->low > NEAR ? near - NEAR : stack->low;
    found = lowest_used(stack, near);
  }
  stack->mark = found;
}

static void put(struct stack *stack)
{
  if (stack->told == stack->mark) return;
  stack->told = stack->mark;
  tp_record_begin(STACK, STACK_BYTES + tp_record_length(stack->name));
  tp_record_put32(tp_clock_now);
  tp_record_put32((uint32_t)(stack->high - stack->low) * 4);
  tp_record_put32((uint32_t)(stack->high - stack->mark) * 4);
  tp_record_put_text(stack->name);
  tp_record_end();
}

void tp_soak_stack_report(void)
{
  for (uint32_t i = 0; i < stack_count; i++) {
    look(&stacks[i]);
    put(&stacks[i]);
  }
}
