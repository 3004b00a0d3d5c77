// SPDX-License-Identifier: MIT
// Ends a program that goes on for ever, by the steps that it made: STEPS says
// how many it may. Without it, it prints how many it made.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { TOO_MANY = 99 };

void __sanitizer_cov_trace_pc(void);

static uint64_t made, most = UINT64_MAX;

void __sanitizer_cov_trace_pc(void)
{
  if (++made >= most) _exit(TOO_MANY);
}

static void print_made(void)
{
  printf("steps %llu\n", (unsigned long long)made);
}

__attribute__((constructor)) static void begin(void)
{
  const char *wanted = getenv("STEPS");
  if (wanted) most = strtoull(wanted, NULL, 10);
  if (!wanted) atexit(print_made);
}
