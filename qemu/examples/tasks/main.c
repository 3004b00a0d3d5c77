// SPDX-License-Identifier: MIT
// tasks - no frame loop: one task sends messages, another works on them, and a
// third, less urgent than both, tells the soak of each tick.
#include "board.h"
#include "print.h"
#include "soaked.h"
#include "tasks.h"
#include "tp_pools.h"

static struct queue inbox;
static uint32_t sent, refused, worked, due, answered;

static bool is_due(void)
{
  return tasks_ticks >= due;
}

static bool has_message(void)
{
  return inbox.put != inbox.taken;
}

static bool is_answered(void)
{
  return tasks_ticks >= answered;
}

// At each tick a message, of which some are answered later than others.
static void send(void)
{
  for (due = 1;; due++) {
    tasks_wait(is_due);
    struct message *message = messages_alloc();
    refused += !message;
    if (!message) continue;
    *message = (struct message){.number = due, .ticks = (due / 8 & due) % 4};
    sent += queue_put(&inbox, message);
  }
}

static void work(void)
{
  for (;;) {
    tasks_wait(has_message);
    struct message *message = queue_take(&inbox);
    answered = tasks_ticks + message->ticks;
    tasks_wait(is_answered);
    messages_free(message);
    worked++;
  }
}

// Both others wait here, so nobody is within a call of a pool.
static void tell(void)
{
#if TIDEPOOL_SOAK
  soak.hash = soak.hash * 31 + sent + worked;
  soak.interrupts = tasks_ticks;
  tp_soak_frame(&soak);
  if (soak.frame == soak.frames) tp_soak_end(&soak);
#else
  if (tasks_ticks < 240) return;
  print_number("", sent, " messages sent, ");
  print_number("", worked, " worked on, ");
  print_number("", refused, " refused\n");
  semihost_exit(0);
#endif
}

static void watch(void)
{
  for (uint32_t tick = 1;; tick++) {
    while (tasks_ticks < tick) board_sleep();
    tasks_hold();
    tell();
    tasks_release();
  }
}

int main(void)
{
#if TIDEPOOL_SOAK
  soak.task = tasks_name;
  tp_soak_begin(&soak);
#endif
  tasks_add("sender", send), tasks_add("worker", work);
  tasks_add("watcher", watch), tasks_start(5000);
}
