// SPDX-License-Identifier: MIT
// retained - a journal in RAM that outlives resets. After each, one call says
// whether what stands there can be relied on.
#include "print.h"
#include "tp_pools.h"

enum { BOOTS = 4 };

// Of this firmware, not of the pool: start-up code clears it not either.
__attribute__((section(".noinit"))) static struct {
  uint32_t boots;
  journal_handle_t first;
} kept;

static journal_handle_t note(uint32_t what)
{
  journal_handle_t handle;
  struct event *event = journal_alloc_handle(&handle);
  if (event) *event = (struct event){kept.boots, what};
  return handle;
}

static void show(void)
{
  struct tp_stats stats;
  tp_pool_stats(&journal_pool, &stats);
  print_number("  events: ", stats.live, "\n");
  const struct event *first = journal_get(kept.first);
  if (!first)
    print("  the first was forgotten\n");
  else
    print_number("  the first is of boot ", first->boot, "\n");
}

__attribute__((noreturn)) static void reset_the_system(void)
{
  *(volatile uint32_t *)0xe000ed0c = 0x05fa0004;  // AIRCR: SYSRESETREQ
  for (;;) __asm__ volatile("dsb");
}

int main(void)
{
  bool warm = journal_validate();
  if (!warm) kept.boots = 0;
  print_number("boot ", ++kept.boots, warm ? ", after a reset\n" : ", cold\n");
  if (warm) show();
  journal_handle_t first = note(1);
  if (!warm) kept.first = first;
  for (uint32_t what = 2; what <= 3; what++) note(what);
  if (kept.boots < BOOTS) reset_the_system();
  return 0;
}
