// SPDX-License-Identifier: MIT
// both_wait.c - the urgent task waits for the pool as well, wherever in the
// thread's call it came to.
#include "FreeRTOS.h"
#include "task.h"

#include "model.h"
#include "preempt.h"
#include "tp_test.h"

enum { TICKS = 3 };

// The list of who waits, and a control: the same of a pool that locks nothing.
static struct tp_wait_state bare_state;
static const struct tp_wait bare_wait = {&bare_drop_pool, &bare_state};
static const struct tp_wait *wait;
static struct item *got;
static bool asks, asked_first;

// It has all the ticks it asked for to be woken in, and no more.
static void let_it_end(void)
{
  for (uint32_t i = 0; i <= TICKS && !preempt_is_done(); i++) vTaskDelay(1);
  if (!preempt_is_done()) complain("who waits is never woken");
}

static void wait_too(void)
{
  asks = true;
  got = tp_wait_alloc(wait, TICKS);
  asks = false;
  model_allow_refusals();
  model_issue(GIVEN, got);
}

static void open_both(void)
{
  *wait->state = (struct tp_wait_state){0};
  got = NULL;
  asks = asked_first = false;
}

static void close_both(void)
{
  if (wait->state->first.waiter) complain("somebody was left waiting");
}

static const struct subject both = {
    .name = "both",
    .pool = &waited_pool,
    .open = open_both,
    .close = close_both,
    .alloc = waited_alloc,
    .free = waited_free,
};
static const struct subject bare_both = {
    .name = "bare_both",
    .pool = &bare_drop_pool,
    .open = open_both,
    .close = close_both,
    .alloc = bare_drop_alloc,
    .free = bare_drop_free,
};

static void free_mine(void)
{
  tp_wait_free(wait, holdings[MINE].item);
}

static void aim_free(struct armed_call *call)
{
  call->function = (void *)free_mine;
}

// The slot is free, handed over or on its way when the urgent one asks: it is
// served before the thread goes on.
static void settle_free(const struct armed_call *call)
{
  (void)call;
  model_return(MINE);
  model_allow_passing();
  if (!preempt_was_done()) complain("who waits was not woken by the free");
  let_it_end();
  if (!got) complain("a slot was free, and who waited got none");
}

static void aim_cancel(struct armed_call *call)
{
  call->function = (void *)tp_wait_cancel;
  call->arguments[0] = (uintptr_t)wait;
}

// Sent away at once, if it waited by then, else when its time is over.
static void settle_cancel(const struct armed_call *call)
{
  if (call->results[0] && !preempt_was_done())
    complain("sent away, but asleep");
  if (call->results[0] > 1) complain("more were sent away than waited");
  let_it_end();
  if (got) complain("an object of a full pool");
}

static struct item *wait_as_thread(void)
{
  return tp_wait_alloc(wait, TICKS);
}

static void aim_wait(struct armed_call *call)
{
  call->function = (void *)wait_as_thread;
}

static void settle_wait(const struct armed_call *call)
{
  model_allow_refusals();
  model_issue(TAKEN, (struct item *)call->results[0]);
  let_it_end();
}

static void free_and_note(void)
{
  asked_first = asks;
  free_mine();
}

static void aim_hand_over(struct armed_call *call)
{
  aim_wait(call);
  sweep_meanwhile = free_and_note;
}

// The thread may have come first: the urgent task is served first all the same.
static void settle_hand_over(const struct armed_call *call)
{
  if (!sweep_meanwhile) model_return(MINE);
  sweep_meanwhile = NULL;
  model_allow_passing();
  settle_wait(call);
  if (asked_first && !got) complain("the more urgent one was not served");
}

// One slot, and both want it: one of them gets it.
static void settle_last(const struct armed_call *call)
{
  settle_wait(call);
  if (!got == !call->results[0]) complain("one slot was got by both or none");
}

static const struct operation beside = {"wait_beside_another", FULL, aim_wait,
                                        settle_wait};
static const struct operation operations[] = {
    {"free_for_who_waits", FULL, aim_free, settle_free},
    {"cancel_of_who_waits", FULL, aim_cancel, settle_cancel},
    {"wait_for_the_last_slot", LAST, aim_wait, settle_last},
    {"wait_for_what_another_thread_frees", FULL, aim_hand_over,
     settle_hand_over},
};
static const struct move move = {"a_wait", wait_too};

void suite_both_wait(void)
{
  wait = &waited_wait;
  sweep_row(&both, &beside, &move, SWEPT);
  for (uint32_t i = 0; i < LENGTH(operations); i++) {
    sweep_row(&both, &operations[i], &move, SWEPT);
  }
}

// The list may lose who waits then: no row comes after this one.
static void a_list_of_who_waits_without_a_lock_breaks(void)
{
  wait = &bare_wait;
  CHECK(sweep_row(&bare_both, &beside, &move, CONTROL) > 0 || sweep_traces);
}

void suite_wait_control(void)
{
  RUN(a_list_of_who_waits_without_a_lock_breaks);
}
