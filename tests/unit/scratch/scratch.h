// SPDX-License-Identifier: MIT
// scratch.h - the suites of this image, and the allocators they share.
#ifndef SCRATCH_H
#define SCRATCH_H

#include "tp_declare.h"
#include "tp_test.h"
#include "allocator/tp_dstack.h"
#include "allocator/tp_frame.h"
#include "allocator/tp_stack.h"

void suite_stack(void);
void suite_stack_misuse(void);
void suite_stack_history(void);
void suite_free(void);
void suite_dstack(void);
void suite_dstack_scripts(void);
void suite_frame(void);
void suite_again(void);
void suite_verify(void);

TP_STACK_DECLARE(level);    // 256 bytes, refuses.
TP_STACK_DECLARE(other);    // The same.
TP_STACK_DECLARE(strict);   // 64 bytes, must never be full.
TP_DSTACK_DECLARE(both);    // 64 bytes, refuses.
TP_DSTACK_DECLARE(narrow);  // 40 bytes, refuses.
TP_FRAME_DECLARE(single);   // 1 buffer of 64 bytes, refuses.
TP_FRAME_DECLARE(twin);     // 2 of 64 bytes, refuses.
TP_FRAME_DECLARE(triple);   // 3 of 64 bytes, refuses.
TP_FRAME_DECLARE(solemn);   // 2 of 16 bytes, must never be full.

// Puts one back to its state at boot, as a start-up code that zeroes would.
void forget_stack(const struct tp_stack *stack);
struct tp_stats stack_stats(const struct tp_stack *stack);
struct tp_stats dstack_stats(const struct tp_dstack *dstack, enum tp_end end);
struct tp_stats frame_stats(const struct tp_frame *frame);
void forget_dstack(const struct tp_dstack *dstack);
void forget_frame(const struct tp_frame *frame);

// The word at [memory], whoever it belongs to now.
static inline uint32_t word_at(const void *memory)
{
  return *(const volatile tp_word_t *)memory;
}

// Is every one of the [bytes] at [memory] part of [pattern]?
bool all_are(const void *memory, uint32_t bytes, uint32_t pattern);

#endif
