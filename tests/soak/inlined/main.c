// SPDX-License-Identifier: MIT
// main.c - a firmware all of whose application is inlined into where it starts.
#include "tp_pools.h"

static unsigned state = 1;
static char memory[120];

static unsigned chance(void)
{
  state ^= state << 13;
  state ^= state >> 17;
  return state;
}

static void frame(void)
{
  int bytes = 1 + (int)(chance() % 120u);
  char *got = ask(bytes);
  if (got) got[bytes - 1] = 1;
}

void start(void)
{
  for (;;) frame();
}

__attribute__((noinline)) void seal(const int *what)
{
  __asm volatile("" : : "r"(what));
}

__attribute__((noinline)) char *take(int bytes)
{
  __asm volatile("" : "+r"(bytes));
  return bytes > 0 ? memory : 0;
}

// The Cortex-M0's way to divide: it is never run.
__attribute__((noinline)) unsigned __aeabi_uidivmod(unsigned number,
                                                    unsigned by)
{
  __asm volatile("" : "+r"(number));
  return number - by;
}
