// SPDX-License-Identifier: MIT
#include "interrupts.h"

#include <stdbool.h>

#include "board.h"
#include "game.h"
#include "random.h"
#include "tp_port.h"

enum { TIMER_RANGE = 30000, STREAM = 40 };  // Instructions; of chance.

uint32_t interrupts_per_frame = 1;
volatile uint32_t interrupts_running;

static struct random schedule;
static enum interrupts mode;
static uint32_t due[GAME_STEPS];  // How many come before each step.
static uint32_t owed;             // How many will have come after this frame.
static volatile uint32_t came;

void interrupts_start(uint64_t seed, enum interrupts when)
{
  schedule = random_stream(seed, STREAM);
  mode = when;
}

static void start_timer(void)
{
  board_timer_after(random_next(&schedule) % TIMER_RANGE);
}

void board_handler(void)
{
  interrupts_running = 1;
  if (mode == INTERRUPTS_BY_TIMER) board_timer_stop();
  came++;
  game_interrupt();
  if (mode == INTERRUPTS_BY_TIMER && came != owed) start_timer();
  interrupts_running = 0;
}

static uint32_t any_step(void)
{
  uint32_t step = random_next(&schedule) % GAME_STEPS;
  return mode == INTERRUPTS_FIRST ? 0 : step;
}

void interrupts_frame(void)
{
  owed += interrupts_per_frame;
  if (came == owed) return;
  if (mode == INTERRUPTS_BY_TIMER) {
    start_timer();
    return;
  }
  for (uint32_t i = 0; i < interrupts_per_frame; i++) due[any_step()]++;
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
