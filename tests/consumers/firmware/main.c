// SPDX-License-Identifier: MIT
// main.c - fills both pools, empties them, and ends with 0 if all was right.
#include "tp_pools.h"

static int count_sparks(void)
{
  int count = 0;
  while (sparks_alloc()) count++;
  return count;
}

static int voices_lie_in_psram(void)
{
  struct voice *voice = voices_alloc();
  if (!voice || (uintptr_t)voice >> 24 != 0x21) return 0;
  voice->note[7] = 440;
  voices_free(voice);
  return 1;
}

int main(void)
{
  if (count_sparks() != sparks_pool.capacity) return 1;
  tp_pool_reset(&sparks_pool);
  if (!sparks_alloc()) return 2;
  return voices_lie_in_psram() ? 0 : 3;
}
