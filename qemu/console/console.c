// SPDX-License-Identifier: MIT
// console.c - a game console in demo mode: emitters, voices and enemies at 60
// frames a second, for as long as it is told.
#include "audit.h"
#include "board.h"
#include "damage.h"
#include "enemies.h"
#include "particles.h"
#include "random.h"
#include "run.h"
#include "semihost.h"
#include "sounds.h"
#include "telemetry.h"
#include "tp_pools.h"
#include "tp_port.h"

enum { STEPS = 4, TIMER_RANGE = 30000 };

static volatile uint32_t interrupts;
static struct hash hash;
static struct random schedule;

void board_handler(void)
{
  board_timer_stop();
  interrupts++;
  sounds_interrupt();
}

// A fault ends the run, told to the host.
void tp_fault(const struct tp_fault_record *record)
{
  telemetry_fault(record);
  semihost_exit(1);
}

static void step(uint32_t which, uint32_t frame)
{
  if (which == 0) particles_emit(frame);
  if (which == 1) particles_update(&hash);
  if (which == 2) enemies_update(frame, &hash);
  if (which == 3) sounds_mix(&hash);
}

// One frame's work, with one interrupt in its middle: pended between two steps
// drawn from the seed, or fired by a timer wherever it lands.
static void play_frame(const struct run *run, uint32_t frame)
{
  uint32_t when = random_next(&schedule);
  uint32_t chosen = when % STEPS;
  if (run->timer) board_timer_after(when % TIMER_RANGE);
  for (uint32_t which = 0; which < STEPS; which++) {
    if (!run->timer && which == chosen) board_pend();
    step(which, frame);
  }
  damage_frame();
  audit_scrub();
}

// A frame ends when its interrupt has come: a timer may still owe it. A second
// is 60 frames, whatever the board's clock. Looks and falls asleep with
// interrupts masked, or one could come in between and never wake it; masked
// ones end the sleep too.
static void await_interrupt(uint32_t frame)
{
  bool owed = true;
  while (owed) {
    uint32_t key = tp_port_lock();
    owed = interrupts < frame + 1;
    if (owed) board_sleep();
    tp_port_unlock(key);
  }
}

static void report_second(uint32_t frame)
{
  struct pool_sample samples[TP_POOL_N];
  audit_second(samples);
  telemetry_sample(frame, hash_value(&hash), interrupts, samples);
}

static void start(const struct run *run)
{
  schedule = random_stream(run->seed, 0);
  particles_start(run->seed);
  sounds_start(run->seed);
  enemies_start(run->seed);
  damage_start(run->seed);
  plant_start(run->plant, run->plant_frame);
  telemetry_hello(run);
}

int main(void)
{
  static char arguments[160];
  struct run run;
  if (!semihost_arguments(arguments, sizeof arguments) ||
      !run_parse(&run, arguments)) {
    semihost_print("console: cannot read the arguments\n");
    return 2;
  }
  start(&run);
  for (uint32_t frame = 0; frame < run.frames; frame++) {
    tp_clock_now = frame;
    play_frame(&run, frame);
    await_interrupt(frame);
    audit_frame();
    if ((frame + 1) % FRAMES_PER_SECOND == 0) report_second(frame + 1);
  }
  if (run.frames % FRAMES_PER_SECOND) report_second(run.frames);
  telemetry_done(run.frames, hash_value(&hash), interrupts);
  return 0;
}
