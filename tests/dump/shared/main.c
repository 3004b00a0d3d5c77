// SPDX-License-Identifier: MIT
// main.c - of eight slots five live; core 0 keeps two, core 1 one. Of four
// trays two live.
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
  void *tray[4];
  for (int i = 0; i < 4; i++) tray[i] = trays_alloc();
  trays_free(tray[1]);
  trays_free(tray[3]);
  shared_core = 1;
  crates_free(crate[5]);
  all_is_kept();
  return 0;
}
