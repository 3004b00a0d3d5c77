// SPDX-License-Identifier: MIT
// nested.c - three levels deep in one pool: the thread steals, its victim's
// eviction is interrupted by a handler that steals, and that one, at each of
// its boundaries, by a more urgent one.
#include "board.h"
#include "model.h"

static struct armed_call *inner;

static void call_inner(void)
{
  armed_call(inner);
}

static void enter_from_an_interrupt(struct armed_call *call)
{
  inner = call;
  armed_other = call_inner;
  during_eviction = board_pend;
  take(OUTER);
}

static void aim_alloc(struct armed_call *call)
{
  call->function = (void *)subject->alloc;
}

static void settle_alloc(const struct armed_call *call)
{
  model_issue(TAKEN, (struct item *)call->results[0]);
}

void suite_nested(void)
{
  static const struct operation theft = {"theft_in_an_interrupt_of_a_theft",
                                         FULL, aim_alloc, settle_alloc};
  sweep_enter = enter_from_an_interrupt;
  sweep_all_moves(&steal_shared, &theft);
  sweep_all_moves(&steal_own, &theft);
  sweep_enter = armed_call;
}
