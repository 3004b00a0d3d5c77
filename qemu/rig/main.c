// SPDX-License-Identifier: MIT
// main.c - the game on the rig: for as many frames as it is told, watched,
// audited and, if asked for, refused memory and damaged.
#include "audit.h"
#include "damage.h"
#include "figures.h"
#include "game.h"
#include "interrupts.h"
#include "run.h"
#include "semihost.h"
#include "site.h"
#include "state.h"
#include "screen.h"
#include "telemetry.h"
#include "tp_picture.h"
#include "watch.h"

// About once a second, and not always at the same moment of it.
enum { TIMED_EVERY = 61, COSTS_EVERY = 60 * FRAMES_PER_SECOND };

// A fault ends the run, told to the host.
void tp_fault(const struct tp_fault_record *record)
{
  telemetry_fault(record);
  semihost_exit(1);
}

static void play_frame(void)
{
  interrupts_frame();
  for (uint32_t step = 0; step < GAME_STEPS; step++) {
    interrupts_step(step);
    game_step(step);
  }
}

static void watch_the_frame(void)
{
  watch_sparks_frame();
  watch_voices_frame();
  watch_scripts_frame();
  watch_bullets_frame();
  damage_frame();
  audit_scrub();
  audit_lock();
  interrupts_await();
  state_frame();
  audit_frame();
}

static struct tp_record_moment moment_at(uint32_t frame)
{
  return (struct tp_record_moment){
      .frame = frame,
      .hash = state_hash(),
      .interrupts = interrupts_count(),
  };
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
  struct tp_record_moment moment = moment_at(frame);
  audit_pools();
  tp_record_sample(&moment, TP_ALLOCATOR_N);
  audit_report();
  tp_record_end();
  report_figures(frame);
}

static void start(const struct run *run)
{
  telemetry_hello(run);
  telemetry_figure_names();
  tp_soak_picture(SCREEN_COLUMNS, SCREEN_ROWS, screen.cells[0]);
  interrupts_start(run->seed, run->interrupts);
  game_start(run->seed);
  damage_start(run->seed);
  site_start(run->seed, &run->refusals, run->clock);
  plant_start(run->plant, run->plant_frame);
}

// On the stack, which is deeper than that later.
static __attribute__((noinline)) bool read_run(struct run *run)
{
  char arguments[640];
  return semihost_arguments(arguments, sizeof arguments) &&
         run_parse(run, arguments);
}

int main(void)
{
  struct run run;
  if (!read_run(&run)) {
    semihost_print("console: cannot read the arguments\n");
    return 2;
  }
  start(&run);
  for (uint32_t frame = 0; frame < run.frames; frame++) {
    tp_clock_now = frame;
    site_frame(frame % TIMED_EVERY == 0);
    play_frame();
    watch_the_frame();
    if (run.picture_every && frame % run.picture_every == 0) tp_picture_send();
    if ((frame + 1) % run.report_every == 0) report(frame + 1);
  }
  if (run.frames % run.report_every) report(run.frames);
  telemetry_costs();
  if (run.refusals.nth || run.refusals.per_million) telemetry_refusals();
  struct tp_record_moment last = moment_at(run.frames);
  tp_record_done(&last);
  return 0;
}
