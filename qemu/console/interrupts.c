// SPDX-License-Identifier: MIT
#include "interrupts.h"

#include "board.h"
#include "random.h"
#include "scenario.h"
#include "sounds.h"
#include "tp_port.h"

enum { TIMER_RANGE = 30000 };  // Instructions.

static struct random schedule;
static bool by_timer;
static uint32_t due[STEPS];  // How many come before each step.
static uint32_t owed;        // How many will have come after this frame.
static volatile uint32_t came;

void interrupts_start(uint64_t seed, bool timer)
{
  schedule = random_stream(seed, 0);
  by_timer = timer;
}

static void start_timer(void)
{
  board_timer_after(random_next(&schedule) % TIMER_RANGE);
}

void board_handler(void)
{
  if (by_timer) board_timer_stop();
  came++;
  sounds_interrupt();
  if (by_timer && came != owed) start_timer();
}

void interrupts_frame(void)
{
  owed += scenario.interrupts_per_frame;
  if (came == owed) return;
  if (by_timer) {
    start_timer();
    return;
  }
  for (uint32_t i = 0; i < scenario.interrupts_per_frame; i++) {
    due[random_next(&schedule) % STEPS]++;
  }
}

void interrupts_step(uint32_t which)
{
  for (; due[which] > 0; due[which]--) board_pend();
}

// Looks and falls asleep with interrupts masked, or one could come in between
// and never wake it; masked ones end the sleep too.
void interrupts_await(void)
{
  bool waiting = true;
  while (waiting) {
    uint32_t key = tp_port_lock();
    waiting = came != owed;
    if (waiting) board_sleep();
    tp_port_unlock(key);
  }
}

uint32_t interrupts_count(void)
{
  return came;
}
