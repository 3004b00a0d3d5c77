// SPDX-License-Identifier: MIT
// print.h - what the examples print with: text and numbers, to QEMU's console.
#ifndef PRINT_H
#define PRINT_H

#include "semihost.h"

static inline void print(const char *text)
{
  semihost_print(text);
}

// [before], the [number] in decimal, and [after].
static inline void print_number(const char *before, uint32_t number,
                                const char *after)
{
  char digits[11], *first = digits + sizeof digits - 1;
  *first = 0;
  do {
    *--first = (char)('0' + number % 10);
    number /= 10;
  } while (number);
  print(before);
  print(first);
  print(after);
}

#endif
