// SPDX-License-Identifier: MIT
// semihost.h - the four things a firmware asks of the emulator.
#ifndef SEMIHOST_H
#define SEMIHOST_H

#include <stdint.h>

// Exit codes of our images beyond 0 and 1.
#define SEMIHOST_CPU_FAULT 3

// Ends QEMU with exit status [code]. Does not return.
__attribute__((noreturn)) void semihost_exit(int code);

// Writes the zero-terminated [text] to QEMU's standard error.
void semihost_print(const char *text);

// Copies the arguments given on QEMU's command line, joined by blanks, to
// [text] of [size] bytes. Returns false, and an empty text, iff they are too
// long.
int semihost_arguments(char *text, uint32_t size);

#endif
