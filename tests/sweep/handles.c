// SPDX-License-Identifier: MIT
// handles.c - what only pools with handles allow.
#include "model.h"
#include "tp_test.h"

static void aim_handle(struct armed_call *call)
{
  call->function = (void *)subject->handle;
  call->arguments[0] = (uintptr_t)holdings[MINE].item;
}

static void settle_handle(const struct armed_call *call)
{
  uint64_t handle = (uint64_t)call->results[1] << 32 | call->results[0];
  if (handle == holdings[MINE].handle) return;
  complain("a live object's handle changed");
}

static void aim_at_mine(struct armed_call *call, void *function)
{
  call->function = function;
  call->arguments[0] = (uint32_t)holdings[MINE].handle;
  call->arguments[1] = (uint32_t)(holdings[MINE].handle >> 32);
}

static void aim_get(struct armed_call *call)
{
  aim_at_mine(call, (void *)subject->get);
}

static void settle_get(const struct armed_call *call)
{
  if ((struct item *)call->results[0] == holdings[MINE].item) return;
  complain("a live object's handle does not resolve");
}

static void aim_stale_get(struct armed_call *call)
{
  give_back(MINE);
  aim_at_mine(call, (void *)subject->get);
}

static void aim_stale_free(struct armed_call *call)
{
  give_back(MINE);
  aim_at_mine(call, (void *)subject->free_handle);
}

static void settle_stale(const struct armed_call *call)
{
  if (call->results[0]) complain("a stale handle resolves");
}

static uint64_t named;

static void aim_alloc_handle(struct armed_call *call)
{
  call->function = (void *)subject->alloc_handle;
  call->arguments[0] = (uintptr_t)&named;
}

// The thread trusts its handle: where it resolves, the object is its own.
static void settle_alloc_handle(const struct armed_call *call)
{
  struct item *item = (struct item *)call->results[0];
  if (!item && named) complain("a handle of no object");
  model_issue_named(TAKEN, item, named);
}

static bool freed_by_move;

static void make_free_of_the_same(void)
{
  freed_by_move = subject->free_handle(holdings[MINE].handle);
}

static void aim_free(struct armed_call *call)
{
  aim_at_mine(call, (void *)subject->free_handle);
}

static void settle_free_of_the_same(const struct armed_call *call)
{
  model_return(MINE);
  if (freed_by_move == (bool)call->results[0]) {
    complain("an object was freed by both or by none");
  }
}

static const struct operation free_once = {"free", FULL, aim_free,
                                           settle_free_of_the_same};
static const struct move free_of_the_same = {"a_free_of_the_same",
                                             make_free_of_the_same};

static const struct operation operations[] = {
    {"handle", FULL, aim_handle, settle_handle},
    {"get", FULL, aim_get, settle_get},
    {"get_of_a_stale_handle", FULL, aim_stale_get, settle_stale},
    {"free_of_a_stale_handle", FULL, aim_stale_free, settle_stale},
    {"alloc_handle_of_a_first_slot", HALF, aim_alloc_handle,
     settle_alloc_handle},
    {"alloc_handle_of_the_last_slot", LAST, aim_alloc_handle,
     settle_alloc_handle},
    {"alloc_handle_of_a_worn_slot", WORN, aim_alloc_handle,
     settle_alloc_handle},
    {"alloc_handle_from_a_full_pool", FULL, aim_alloc_handle,
     settle_alloc_handle},
};

// A pool of one: whatever is issued is the next victim.
static const struct operation lone_operations[] = {
    {"alloc_handle_of_the_freed_slot", LAST, aim_alloc_handle,
     settle_alloc_handle},
    {"alloc_handle_of_the_first_slot", EMPTY, aim_alloc_handle,
     settle_alloc_handle},
    {"alloc_handle_from_a_full_pool", DOOMED, aim_alloc_handle,
     settle_alloc_handle},
};

// Not so the handle of an object that was issued before.
static tp_handle_t alloc_then_handle(struct item **item)
{
  *item = lone_alloc();
  return lone_handle(*item).bits;
}

static struct item *taken;

static void aim_alloc_then_handle(struct armed_call *call)
{
  call->function = (void *)alloc_then_handle;
  call->arguments[0] = (uintptr_t)&taken;
}

static void settle_alloc_then_handle(const struct armed_call *call)
{
  model_issue_named(TAKEN, taken, (uint32_t)call->results[0]);
}

static const struct operation late_handle = {"alloc_then_handle", DOOMED,
                                             aim_alloc_then_handle,
                                             settle_alloc_then_handle};

static void a_handle_asked_for_after_the_alloc_may_be_the_thief_s(void)
{
  uint32_t broken = sweep_row(&lone, &late_handle, &alloc_move, CONTROL);
  CHECK(broken > 0 || sweep_traces);
}

void sweep_with_handles(const struct subject *of)
{
  sweep_common(of);
  sweep_handles(of);
}

void sweep_handles(const struct subject *of)
{
  sweep_row(of, &free_once, &free_of_the_same, SWEPT);
  for (uint32_t i = 0; i < LENGTH(operations); i++) {
    sweep_all_moves(of, &operations[i]);
  }
}

void suite_handles(void)
{
  sweep_with_handles(&keyed);
  sweep_with_handles(&tagged);
  sweep_with_handles(&keyed_own);
  for (uint32_t i = 0; i < LENGTH(lone_operations); i++) {
    sweep_all_moves(&lone, &lone_operations[i]);
  }
  RUN(a_handle_asked_for_after_the_alloc_may_be_the_thief_s);
}
