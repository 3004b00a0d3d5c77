// SPDX-License-Identifier: MIT
#include "semihost.h"

enum { WRITE0 = 0x04, GET_CMDLINE = 0x15, EXIT_EXTENDED = 0x20 };

static uint32_t call(uint32_t operation, const void *argument)
{
  register uint32_t r0 __asm("r0") = operation;
  register const void *r1 __asm("r1") = argument;
  __asm volatile("bkpt 0xab" : "+r"(r0) : "r"(r1) : "memory");
  return r0;
}

void semihost_exit(int code)
{
  const uint32_t block[2] = {0x20026 /* application exit */, (uint32_t)code};
  call(EXIT_EXTENDED, block);
  for (;;) {
  }
}

void semihost_print(const char *text)
{
  call(WRITE0, text);
}

int semihost_arguments(char *text, uint32_t size)
{
  uint32_t block[2] = {(uint32_t)(uintptr_t)text, size};
  text[0] = 0;
  return call(GET_CMDLINE, block) == 0;
}
