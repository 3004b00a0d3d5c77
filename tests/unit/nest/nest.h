// SPDX-License-Identifier: MIT
// nest.h - the suites of this image, and the trees they share.
#ifndef NEST_H
#define NEST_H

#include "tp_test.h"
#include "allocator/tp_nest.h"
#include "tp_declare.h"

void suite_open(void);
void suite_close(void);
void suite_closed(void);
void suite_tree(void);
void suite_report(void);

// 4096 bytes, refuses, no rows.
TP_NEST_DECLARE(root);
// 256 bytes, must never be full, no rows.
TP_NEST_DECLARE(strict);
// 2048 bytes, with the rows below.
TP_NEST_DECLARE(town);
TP_FRAME_DECLARE(draw);             // 2 of 128 bytes, low.
TP_STACK_DECLARE(level);            // 256 bytes, high.
TP_POOL_DECLARE(guards, uint64_t);  // 5, high.

// Puts a nest back to its state at boot, as a start-up code that zeroes would.
void forget_nest(const struct tp_nest *nest);

// A row of [count] objects of 12 bytes that drops.
struct tp_build drop_row(uint16_t count);

// Bytes in use at both ends, or in the stack, that [nest] is.
uint32_t used_of(const struct tp_nest *nest);

#endif
