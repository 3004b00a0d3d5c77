// SPDX-License-Identifier: MIT
#include "run.h"

#include "tp_soak.h"

static bool is_told(const char *key, const char *word)
{
  const char *value = tp_soak_argument(key);
  return value && tp_soak_is_word(value, word);
}

struct run run_read(void)
{
  struct run run = {.interrupts = INTERRUPTS_SCHEDULED};
  if (is_told("interrupts", "timer")) run.interrupts = INTERRUPTS_BY_TIMER;
  if (is_told("interrupts", "first")) run.interrupts = INTERRUPTS_FIRST;
  run.clock =
      run.interrupts != INTERRUPTS_BY_TIMER && !is_told("clock", "none");
  return run;
}
