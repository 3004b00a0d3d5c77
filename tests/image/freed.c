// SPDX-License-Identifier: MIT
// Frees an object, prints where it lay and waits for somebody to look.
#include "board.h"
#include "semihost.h"
#include "tp_pools.h"

static void print_hex(uintptr_t value)
{
  char text[12] = "0x00000000\n";
  for (uint32_t i = 9; i >= 2; i--, value >>= 4) {
    text[i] = "0123456789abcdef"[value & 15];
  }
  semihost_print(text);
}

int main(void)
{
  struct note *kept = notes_alloc();
  struct note *freed = notes_alloc();
  *freed = (struct note){1, {2, 3, 4}};
  notes_free(freed);
  kept->pitch = 1;
  print_hex((uintptr_t)freed);
  for (;;) board_sleep();
}

void note_evicted(struct note *victim)
{
  (void)victim;
}
