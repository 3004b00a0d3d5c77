// SPDX-License-Identifier: MIT
// wait.c - a pool that the thread waits for: whatever an interrupt frees while
// it stands in the list it is handed, wherever the interrupt comes.
#include "model.h"

#include "core/tp_slot.h"
#include "policy/tp_wait.h"

enum { TICKS = 2 };

void (*sweep_meanwhile)(void);
static struct {
  uint32_t now, ticks;
  bool freed_for_it;   // An interrupt freed while it stood in the list,
  bool freed_in_time;  // or before it slept.
} wait;

uint32_t sweep_clock(void)
{
  void (*then)(void) = sweep_meanwhile;
  uint32_t now = wait.now++;
  sweep_meanwhile = NULL;
  if (then) then();
  return now;
}

static void free_and_note(struct item *item)
{
  wait.freed_for_it |= waited_wait.state->first.waiter != NULL;
  wait.freed_in_time |= wait.now == 0;
  waited_free(item);
}

static struct item *alloc_wait(void)
{
  return waited_alloc_wait(wait.ticks);
}

static void open_wait(void)
{
  *waited_wait.state = (struct tp_wait_state){0};
  wait.now = 0;
  wait.ticks = TICKS;
  wait.freed_for_it = wait.freed_in_time = false;
  sweep_meanwhile = NULL;
}

static void close_wait(void)
{
  if (waited_wait.state->first.waiter) complain("somebody was left waiting");
}

static const struct subject waited = {
    .name = "waited",
    .pool = &waited_pool,
    .open = open_wait,
    .close = close_wait,
    .alloc = waited_alloc,
    .free = free_and_note,
};

static void aim_wait(struct armed_call *call)
{
  call->function = (void *)alloc_wait;
}

// A slot that is free when it returns was freed when it slept, and its time had
// passed.
static void settle_wait(const struct armed_call *call)
{
  struct item *item = (struct item *)call->results[0];
  bool is_free = model_live() < waited_pool.capacity;
  sweep_meanwhile = NULL;
  if (!item && wait.freed_for_it) complain("a wake-up was lost");
  if (!item && wait.freed_in_time && is_free) complain("a slot was not seen");
  model_allow_refusals();
  model_issue(TAKEN, item);
}

static void free_mine(void)
{
  waited_free(holdings[MINE].item);
}

static void aim_hand_over(struct armed_call *call)
{
  aim_wait(call);
  sweep_meanwhile = free_mine;
}

static void settle_hand_over(const struct armed_call *call)
{
  if (!sweep_meanwhile) model_return(MINE);
  model_allow_passing();
  settle_wait(call);
}

// The time may be over when the slot is handed over, and its sleep not yet.
static void aim_hand_over_in_time(struct armed_call *call)
{
  aim_hand_over(call);
  wait.ticks = 1;
}

static void cancel(void)
{
  (void)waited_cancel_wait();
}

static void aim_cancel(struct armed_call *call)
{
  aim_wait(call);
  sweep_meanwhile = cancel;
}

static const struct operation operations[] = {
    {"wait_for_the_last_slot", LAST, aim_wait, settle_wait},
    {"wait_in_vain", FULL, aim_wait, settle_wait},
    {"wait_for_what_another_thread_frees", FULL, aim_hand_over,
     settle_hand_over},
    {"wait_a_tick_for_what_another_thread_frees", FULL, aim_hand_over_in_time,
     settle_hand_over},
    {"wait_that_another_thread_cancels", FULL, aim_cancel, settle_wait},
};

void suite_wait(void)
{
  sweep_common(&waited);
  for (uint32_t i = 0; i < LENGTH(operations); i++) {
    sweep_unmasked(&waited, &operations[i]);
  }
}

// By what may not free: that would wake somebody.
void suite_wait_allocs(void)
{
  for (uint32_t i = 0; i < LENGTH(operations); i++) {
    sweep_row(&waited, &operations[i], &alloc_move, SWEPT);
  }
}
