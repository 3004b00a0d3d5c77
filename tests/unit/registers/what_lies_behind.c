// SPDX-License-Identifier: MIT
// The linker puts it behind tp_crash, which main.c has: files are in order.
#include "check/tp_crash.h"

uint32_t behind[sizeof(struct tp_crash) / 4]
    __attribute__((section(".noinit.tp_crash")));
