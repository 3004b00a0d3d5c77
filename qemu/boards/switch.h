// SPDX-License-Identifier: MIT
// switch.h - from one task's stack to another's, on an ARMv7-M without an FPU.
#ifndef SWITCH_H
#define SWITCH_H

#include <stdint.h>

// Below what the hardware stacks lie r4 to r11 and where an exception returns.
enum { SWITCH_FRAME_WORDS = 8, SWITCH_SAVED_WORDS = 9 };

// The body of a naked handler: saves what the hardware has not, hands the top
// of the task's stack to [choose], and goes on at the top that it returns.
#define SWITCH_BY(choose)         \
  __asm volatile(                 \
      "mrs r0, psp\n\t"           \
      "stmdb r0!, {r4-r11, lr}\n" \
      "\tbl " #choose             \
      "\n\t"                      \
      "ldmia r0!, {r4-r11, lr}\n" \
      "\tmsr psp, r0\n\t"         \
      "bx lr")

// The top of a stack that ends at [end], of a task that has not run yet: it
// begins with [run], its argument in r0, and would return to [end_of_task].
static inline uint32_t *switch_frame(uint32_t *end, uintptr_t run,
                                     uintptr_t argument, uintptr_t end_of_task)
{
  uint32_t *frame = end - SWITCH_FRAME_WORDS;
  frame[0] = (uint32_t)argument;
  frame[5] = (uint32_t)end_of_task;
  frame[6] = (uint32_t)run & ~1u;
  frame[7] = 1u << 24;     // Thumb.
  frame[-1] = 0xfffffffd;  // Back to a task, and to its own stack.
  return frame - SWITCH_SAVED_WORDS;
}

#endif
