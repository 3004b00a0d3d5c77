// SPDX-License-Identifier: MIT
// main.c - of eight slots five live; core 0 keeps two, core 1 one.
#include "tp_pools.h"

uint32_t shared_core;
void all_is_kept(void);

TP_NOINLINE void all_is_kept(void)
{
  __asm volatile("");
}

int main(void)
{
  void *crate[8];
  for (int i = 0; i < 8; i++) crate[i] = crates_alloc();
  crates_free(crate[1]);
  crates_free(crate[2]);
  shared_core = 1;
  crates_free(crate[5]);
  all_is_kept();
  return 0;
}
