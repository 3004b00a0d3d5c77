// SPDX-License-Identifier: MIT
// tp_soak_semihost.c - QEMU's arguments and its end, by semihosting.
#include "tp_soak.h"

enum { GET_CMDLINE = 0x15, EXIT_EXTENDED = 0x20, APPLICATION_EXIT = 0x20026 };

static uint32_t call(uint32_t operation, const void *argument)
{
  register uint32_t r0 __asm("r0") = operation;
  register const void *r1 __asm("r1") = argument;
  __asm volatile("bkpt 0xab" : "+r"(r0) : "r"(r1) : "memory");
  return r0;
}

void tp_soak_exit(int code)
{
  const uint32_t block[2] = {APPLICATION_EXIT, (uint32_t)code};
  call(EXIT_EXTENDED, block);
  for (;;) {
  }
}

// The number behind "[key]=" in [text]; [otherwise] iff that is not there.
static uint64_t number(const char *text, const char *key, uint64_t otherwise)
{
  for (; *text; text++) {
    uint32_t i = 0;
    while (key[i] && text[i] == key[i]) i++;
    if (key[i] || text[i] != '=') continue;
    uint64_t value = 0;
    for (text += i + 1; *text >= '0' && *text <= '9'; text++) {
      value = value * 10 + (uint64_t)(*text - '0');
    }
    return value;
  }
  return otherwise;
}

void tp_soak_arguments(struct tp_soak *soak)
{
  static char text[256];
  const uint32_t block[2] = {(uint32_t)(uintptr_t)text, sizeof text};
  if (call(GET_CMDLINE, block) != 0) text[0] = 0;
  soak->seed = number(text, "seed", 1);
  soak->frames = (uint32_t)number(text, "frames", 3600);
}
