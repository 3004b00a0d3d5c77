// SPDX-License-Identifier: MIT
// from_scan - from an array that is searched for a free entry to a pool: what a
// bullet costs while 0, 128 and 255 of them fly.
#include "board.h"
#include "print.h"
#include "tp_pools.h"

enum { SHOTS = 100 };

// Before: the first entry that is not used.
static struct bullet array[BULLETS];

static struct bullet *array_alloc(void)
{
  for (int i = 0; i < BULLETS; i++) {
    if (array[i].used) continue;
    array[i].used = true;
    return &array[i];
  }
  return NULL;
}

static void array_free(struct bullet *bullet)
{
  bullet->used = false;
}

// After: bullets_alloc() and bullets_free(), of the table.

// Instructions of one alloc and one free, the calls through pointers included.
static uint32_t cost(struct bullet *(*alloc)(void),
                     void (*free)(struct bullet *))
{
  uint32_t start = board_clock();
  for (int i = 0; i < SHOTS; i++) free(alloc());
  return board_instructions(board_clock() - start) / SHOTS;
}

static void fill(uint32_t flying)
{
  static uint32_t now;
  for (; now < flying; now++) array_alloc(), bullets_alloc();
}

int main(void)
{
  static const uint32_t flying[] = {0, 128, 255};
  board_clock_start();
  for (int i = 0; i < 3; i++) {
    fill(flying[i]);
    print_number("", flying[i], " fly: ");
    print_number("array ", cost(array_alloc, array_free), ", ");
    print_number("pool ", cost(bullets_alloc, bullets_free), " instructions\n");
  }
  return 0;
}
