// SPDX-License-Identifier: MIT
// console.c - a game console in demo mode: emitters, voices and enemies at 60
// frames a second, for as long as it is told.
#include "audit.h"
#include "bullets.h"
#include "damage.h"
#include "debris.h"
#include "draw.h"
#include "enemies.h"
#include "figures.h"
#include "interrupts.h"
#include "meshes.h"
#include "music.h"
#include "particles.h"
#include "run.h"
#include "scenario.h"
#include "scenery.h"
#include "scripts.h"
#include "semihost.h"
#include "site.h"
#include "sounds.h"
#include "telemetry.h"
#include "tp_pools.h"

// About once a second, and not always at the same moment of it.
enum { TIMED_EVERY = 61, COSTS_EVERY = 60 * FRAMES_PER_SECOND };

static struct hash hash;

// A fault ends the run, told to the host.
void tp_fault(const struct tp_fault_record *record)
{
  telemetry_fault(record);
  semihost_exit(1);
}

static void update_the_rest(void)
{
  debris_update(&hash);
  scripts_update(&hash);
  meshes_update(&hash);
  music_update(&hash);
  draw_show(&hash);
}

static void step(uint32_t which, uint32_t frame)
{
  if (which == 0) particles_emit(frame);
  if (which == 1) particles_update(&hash);
  if (which == 2) enemies_update(frame, &hash);
  if (which == 3) sounds_mix(&hash);
  if (which == 4) scenery_update(frame, &hash);
  if (which == 5) bullets_update(&hash);
  if (which == 6) update_the_rest();
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

static struct tp_record_moment moment_at(uint32_t frame)
{
  return (struct tp_record_moment){.frame = frame,
                                   .hash = hash_value(&hash),
                                   .interrupts = interrupts_count()};
}

static void report_figures(uint32_t frame)
{
  uint32_t values[FIGURE_N];
  figures_read(values);
  telemetry_figures(frame, values);
  if (frame % COSTS_EVERY == 0) telemetry_costs();
}

static void report(uint32_t frame)
{
  struct tp_record_usage usages[TP_POOL_N];
  struct tp_record_moment moment = moment_at(frame);
  audit_pools(usages);
  tp_record_sample(&moment, usages, TP_POOL_N);
  report_figures(frame);
}

static void start(const struct run *run)
{
  telemetry_hello(run);
  telemetry_figure_names();
  interrupts_start(run->seed, run->timer);
  particles_start(run->seed);
  sounds_start(run->seed);
  enemies_start(run->seed);
  bullets_start(run->seed);
  scripts_start(run->seed);
  meshes_start(run->seed);
  music_start(run->seed);
  debris_start(run->seed);
  scenery_start(run->seed);
  damage_start(run->seed);
  site_start(run->seed, &run->refusals, run->clock);
  plant_start(run->plant, run->plant_frame);
}

int main(void)
{
  static char arguments[640];
  struct run run;
  if (!semihost_arguments(arguments, sizeof arguments) ||
      !run_parse(&run, arguments)) {
    semihost_print("console: cannot read the arguments\n");
    return 2;
  }
  start(&run);
  for (uint32_t frame = 0; frame < run.frames; frame++) {
    tp_clock_now = frame;
    site_frame(frame % TIMED_EVERY == 0);
    play_frame(frame);
    if ((frame + 1) % run.report_every == 0) report(frame + 1);
  }
  if (run.frames % run.report_every) report(run.frames);
  telemetry_costs();
  if (run.refusals.nth || run.refusals.per_million) telemetry_refusals();
  struct tp_record_moment last = moment_at(run.frames);
  tp_record_done(&last);
  return 0;
}
