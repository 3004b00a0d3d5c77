// SPDX-License-Identifier: MIT
// main.c - so many random STEPS of each core of an SSE-200, with interrupts,
// on pools of both. QEMU's mps2-an521 runs them at once, or, with -icount, in
// turns, the same each time: the next one's begins where a timer ends, whatever
// is executed there, and at YIELD.
#include "nvic.h"
#include "second.h"
#include "semihost.h"
#include "steps.h"
#include "tp_cores_port.h"
#include "tp_pools.h"

enum { SHORTEST = 400, SPREAD = 4000 };

static struct player players[CORES], handlers[CORES];
static volatile uint32_t ended[CORES];

static void arm(void)
{
  struct player *me = &handlers[core_number()];
  me->seed = me->seed * 1664525u + 1013904223u;
  systick_start(SHORTEST + (me->seed >> 8) % SPREAD);
}

void board_handler(void)
{
  arm();
  steps_interrupt(&handlers[core_number()]);
  core_yield();
}

static void play(void)
{
  uint32_t core = core_number();
  steps_start(&players[core], core);
  steps_start(&handlers[core], core);
  handlers[core].serial = 1u << 30;
  arm();
  steps_run(&players[core], STEPS);
  systick_stop();
  steps_end(&players[core]);
  ended[core] = 1;
}

static void second(void)
{
  play();
  for (;;) core_yield();
}

void steps_fail(const char *what)
{
  semihost_print(what);
  semihost_print("\n");
  semihost_exit(1);
}

static void tell(const char *what, uint32_t count)
{
  char digits[12];
  char *at = digits + sizeof digits - 1;
  *at = 0;
  do *--at = (char)('0' + count % 10);
  while ((count /= 10) != 0);
  semihost_print(what);
  semihost_print(" ");
  semihost_print(at);
  semihost_print("\n");
}

void tp_fault(const struct tp_fault_record *record)
{
  semihost_print(tp_fault_name(record->kind));
  semihost_print(" of ");
  semihost_print(record->name);
  tell(", found", record->found);
  steps_fail("a fault");
}

int main(void)
{
  tp_cores_port_give();  // A reset of the cores alone may leave it taken.
  core_start(second);
  play();
  while (!ended[1]) core_yield();
  steps_judge();
  tell("waits of core 0", core_waits[0]);
  tell("waits of core 1", core_waits[1]);
  tell("passed", steps_passed);
  tell("raced", steps_raced);
  tell("stolen", steps_stolen);
  tell("low", steps_low);
  return 0;
}
