// SPDX-License-Identifier: MIT
// A tp_fault() that returns, as it must not: what follows is a trap, which the
// host's signals show.
#include <signal.h>
#include <stdlib.h>

#include "check/tp_check.h"
#include "tp_test.h"

static sigjmp_buf trapped;

static void note_trap(int number)
{
  (void)number;
  siglongjmp(trapped, 1);
}

// Whether [call] ended in a trap.
static bool traps(void (*call)(void))
{
  bool did = false;
  signal(SIGILL, note_trap);
  signal(SIGTRAP, note_trap);
  tp_test_fault_returns = true;
  if (sigsetjmp(trapped, 1) == 0) {
    call();
  } else {
    did = true;
  }
  tp_test_fault_returns = false;
  return did;
}

static void raise_misuse(void)
{
  tp_raise_misuse(TP_FAULT_SIZE, "none", NULL, 1, 2, NULL);
}

static void do_nothing(void)
{
}

static void after_a_fault_that_returned_the_port_traps(void)
{
  CHECK(!traps(do_nothing));
  CHECK(traps(raise_misuse));
  CHECK_EQ(tp_fault_record.magic, TP_FAULT_MAGIC);
  CHECK_EQ(tp_fault_record.kind, TP_FAULT_SIZE);
  CHECK_EQ(tp_fault_record.found, 1);
  CHECK_EQ(tp_fault_record.expected, 2);
}

static void the_trap_of_the_port_is_one(void)
{
  CHECK(traps(tp_port_trap));
}

int main(void)
{
  RUN(after_a_fault_that_returned_the_port_traps);
  RUN(the_trap_of_the_port_is_one);
  return tp_test_end();
}
