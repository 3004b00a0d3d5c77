// SPDX-License-Identifier: MIT
// begun.h - what main.c has of asked.c.
#ifndef BEGUN_H
#define BEGUN_H

#include "tp_soak.h"

// Only that question is put from the next frame on: "right", "wrong",
// "skipped", "half", "fault", "second_fault", "noisy" or "higher".
void ask_only(const char *name);

// Is nothing changed that a question may change?
bool is_left_as_it_was(void);

#endif
