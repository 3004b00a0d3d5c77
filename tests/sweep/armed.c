// SPDX-License-Identifier: MIT
#include "armed.h"

#include <stddef.h>

#include "nvic.h"
#include "tp_test.h"

_Static_assert(offsetof(struct armed_call, primask) == 32,
               "armed_call.S knows the offsets");

enum { SYSTICK = 15, NS_PER_INSTRUCTION = 1024, CALL_OVERHEAD = 2 };
enum { SLIDE = 200 };  // As armed_call.S makes it.

uint32_t known_loop(uint32_t turns);
void slide(void);
void leave_interrupt(void);
void interrupted(const uint32_t *frame, uint32_t count);

uint32_t armed_hits, armed_pc, armed_late;
void (*armed_handler)(void);
void (*armed_other)(void);
static uint32_t first_load;
static uint32_t ticks_late;      // From when it was due to its handler,
static uint32_t ticks_of_entry;  // and if it came at once.

static void stop_clock(void)
{
  systick_stop();
  REGISTER(0xe000ed04) = 1u << 25;  // Not pending either.
}

static uint32_t to_instructions(uint32_t ticks)
{
  uint32_t each = CLOCK_HZ / 1000000u * NS_PER_INSTRUCTION;
  return (ticks * 1000u + each / 2) / each;
}

// What board_handler continues with. [frame] is what the core stacked, [count]
// was SysTick's. Named by assembly only.
__attribute__((used)) void interrupted(const uint32_t *frame, uint32_t count)
{
  uint32_t exception;
  __asm volatile("mrs %0, ipsr" : "=r"(exception));
  if (exception != SYSTICK) {
    armed_other();
    return;
  }
  stop_clock();
  armed_hits++;
  armed_pc = frame[6];
  ticks_late = ARMED_NEVER - count;
  armed_late = to_instructions(ticks_late - ticks_of_entry);
  if (armed_handler) armed_handler();
}

void armed_reset(void)
{
  armed_hits = armed_pc = armed_late = 0;
}

void armed_abandon(void)
{
  stop_clock();
  __asm volatile("msr primask, %0" : : "r"(0) : "memory");
  leave_interrupt();
}

static uint32_t ticks_of(uint32_t instructions)
{
  return instructions * (CLOCK_HZ / 1000000u) * NS_PER_INSTRUCTION / 1000u;
}

uint32_t armed_load(uint32_t boundary)
{
  return first_load + ticks_of(boundary);
}

uint32_t armed_length(const struct armed_call *call)
{
  return to_instructions(call->ticks & ARMED_NEVER) - CALL_OVERHEAD;
}

// The instruction of the slide that an interrupt after [load] finds next.
static uint32_t slid(uint32_t load)
{
  struct armed_call call = {.function = (void *)slide, .load = load};
  armed_reset();
  armed_call(&call);
  return (armed_pc - ((uint32_t)(uintptr_t)slide & ~1u)) / 2;
}

// All loads within an instruction's time hit the same boundary: takes the one
// in the middle, farthest from both neighbours.
void armed_calibrate(void)
{
  uint32_t first = 2, last;
  armed_handler = 0;
  while (slid(first) != 0) first++;
  for (last = first; slid(last + 1) == 0;) last++;
  first_load = (first + last) / 2;
  slid(first_load);
  ticks_of_entry = ticks_late;
}

static void a_loop_of_known_length_is_counted_exactly(void)
{
  for (uint32_t turns = 1; turns < 1000; turns++) {
    struct armed_call call = {
        .function = (void *)known_loop,
        .arguments = {turns},
        .load = ARMED_NEVER,
    };
    armed_call(&call);
    CHECK_EQ(armed_length(&call), 2 + 2 * turns);
  }
}

static void every_boundary_of_a_slide_is_hit_once_and_in_order(void)
{
  for (uint32_t boundary = 0; boundary <= SLIDE; boundary++) {
    CHECK_EQ(slid(armed_load(boundary)), boundary);
    CHECK_EQ(armed_hits, 1);
    CHECK_EQ(armed_late, 0);
  }
}

static void behind_the_last_instruction_lies_a_boundary_too(void)
{
  slid(armed_load(SLIDE + 1));
  CHECK_EQ(armed_pc, armed_return);
}

// Behind the slide are its return, what reads and masks again, 4 instructions.
static void what_is_masked_is_late_by_all_instructions_left(void)
{
  for (uint32_t boundary = 0; boundary <= SLIDE; boundary++) {
    struct armed_call call = {
        .function = (void *)slide, .load = armed_load(boundary), .masked = 1};
    armed_reset();
    armed_call(&call);
    CHECK_EQ(armed_pc, armed_unmasked);
    CHECK_EQ(armed_late, SLIDE - boundary + 5);
  }
}

void suite_armed(void)
{
  RUN(a_loop_of_known_length_is_counted_exactly);
  RUN(every_boundary_of_a_slide_is_hit_once_and_in_order);
  RUN(behind_the_last_instruction_lies_a_boundary_too);
  RUN(what_is_masked_is_late_by_all_instructions_left);
}
