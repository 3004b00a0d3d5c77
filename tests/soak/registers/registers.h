// SPDX-License-Identifier: MIT
// registers.h - what the files of this folder have in common.
#ifndef REGISTERS_H
#define REGISTERS_H

#include <stdbool.h>
#include <stdint.h>

// The last text that was told of, and the first two words of its record.
extern const char *told;
extern uint32_t told_words[2];

extern bool skipped;  // tp_ask_skip() was called.

void test_guard(void);
void test_callers(void);
void test_lock(void);

#endif
