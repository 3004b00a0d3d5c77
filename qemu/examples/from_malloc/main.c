// SPDX-License-Identifier: MIT
// from_malloc - from the C library's heap to a pool: the same 10 000 messages,
// come and gone in the same random order, and what a call costs at most.
#include <stdlib.h>

#include "board.h"
#include "print.h"
#include "tp_pools.h"

enum { AT_A_TIME = 64, STEPS = 10000 };

struct source {
  const char *name;
  struct message *(*alloc)(void);
  void (*free)(struct message *message);
};

// Before.
static struct message *heap_alloc(void)
{
  return malloc(sizeof(struct message));
}

static void heap_free(struct message *message)
{
  free(message);
}

// After: messages_alloc() and messages_free(), of the table.

static struct message *messages[AT_A_TIME];
static uint32_t sum, worst, seed = 1;

static void count(uint32_t ticks)
{
  uint32_t instructions = board_instructions(ticks);
  sum += instructions;
  if (worst < instructions) worst = instructions;
}

// Frees the message of a random place, or puts one there.
static void step(const struct source *from)
{
  seed = seed * 1664525 + 1013904223;
  struct message **place = &messages[(seed >> 16) % AT_A_TIME];
  uint32_t start = board_clock();
  if (*place)
    from->free(*place), *place = NULL;
  else
    *place = from->alloc();
  count(board_clock() - start);
}

static void measure(const struct source *from)
{
  sum = worst = 0;
  for (int i = 0; i < STEPS; i++) step(from);
  for (int i = 0; i < AT_A_TIME; i++) {
    if (messages[i]) from->free(messages[i]);
    messages[i] = NULL;
  }
  print_number(from->name, sum / STEPS, " instructions a call, ");
  print_number("at most ", worst, "\n");
}

int main(void)
{
  board_clock_start();
  measure(&(struct source){"heap: ", heap_alloc, heap_free});
  measure(&(struct source){"pool: ", messages_alloc, messages_free});
  return 0;
}
