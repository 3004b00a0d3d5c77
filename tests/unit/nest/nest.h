// SPDX-License-Identifier: MIT
// nest.h - the suites of this image, and the trees they share.
#ifndef NEST_H
#define NEST_H

#include "tp_test.h"
#include "tp_pools.h"

void suite_open(void);
void suite_close(void);
void suite_closed(void);
void suite_tree(void);
void suite_report(void);
void suite_written_over(void);

// Puts a nest back to its state at boot, as a start-up code that zeroes would.
void forget_nest(const struct tp_nest *nest);

// A row of [count] objects of 12 bytes that drops.
struct tp_build drop_row(uint16_t count);

// Bytes in use at both ends, or in the stack, that [nest] is.
uint32_t used_of(const struct tp_nest *nest);

#endif
