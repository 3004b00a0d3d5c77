// SPDX-License-Identifier: MIT
// console.c - a game console in demo mode: emitters, voices and enemies at 60
// frames a second, for as long as it is told.
#include "audit.h"
#include "damage.h"
#include "enemies.h"
#include "interrupts.h"
#include "particles.h"
#include "run.h"
#include "scenario.h"
#include "semihost.h"
#include "sounds.h"
#include "telemetry.h"
#include "tp_pools.h"

static struct hash hash;

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

// One frame's work. A second is 60 frames, whatever the board's clock.
static void play_frame(uint32_t frame)
{
  scenario_frame(frame);
  interrupts_frame();
  for (uint32_t which = 0; which < STEPS; which++) {
    interrupts_step(which);
    step(which, frame);
  }
  damage_frame();
  audit_scrub();
  audit_lock();
  interrupts_await();
  audit_frame();
}

static void report(uint32_t frame)
{
  struct pool_sample samples[TP_POOL_N];
  audit_pools(samples);
  telemetry_sample(frame, hash_value(&hash), interrupts_count(), samples);
}

static void start(const struct run *run)
{
  interrupts_start(run->seed, run->timer);
  particles_start(run->seed);
  sounds_start(run->seed);
  enemies_start(run->seed);
  damage_start(run->seed);
  plant_start(run->plant, run->plant_frame);
  telemetry_hello(run);
}

int main(void)
{
  static char arguments[768];
  struct run run;
  if (!semihost_arguments(arguments, sizeof arguments) ||
      !run_parse(&run, arguments)) {
    semihost_print("console: cannot read the arguments\n");
    return 2;
  }
  start(&run);
  for (uint32_t frame = 0; frame < run.frames; frame++) {
    tp_clock_now = frame;
    play_frame(frame);
    if ((frame + 1) % run.report_every == 0) report(frame + 1);
  }
  if (run.frames % run.report_every) report(run.frames);
  telemetry_done(run.frames, hash_value(&hash), interrupts_count());
  return 0;
}
