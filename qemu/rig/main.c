// SPDX-License-Identifier: MIT
// main.c - the game on the rig: a firmware for the soak like any other, watched
// and audited from outside.
#include "audit.h"
#include "board.h"
#include "figures.h"
#include "game.h"
#include "interrupts.h"
#include "plant.h"
#include "run.h"
#include "screen.h"
#include "settings.h"
#include "site.h"
#include "state.h"
#include "tp_soak.h"
#include "watch.h"

// About once a second, and not always at the same moment of it.
enum { TIMED_EVERY = 61 };

static struct tp_soak soak = TP_SOAK;

void tp_soak_put(uint8_t byte)
{
  board_put(byte);
}

void tp_fault(const struct tp_fault_record *record)
{
  tp_soak_fault(record);
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
  tp_soak_check_lock();
  interrupts_await();
  state_frame();
  soak.hash = state_hash();
  soak.interrupts = interrupts_count();
}

// Whether the soak reports at the end of this frame.
static bool is_told(uint32_t frame)
{
  return (frame + 1) % soak.report_every == 0 || frame + 1 == soak.frames;
}

static void start(void)
{
  struct run run = run_read();
  soak.by_timer = run.interrupts == INTERRUPTS_BY_TIMER;
  soak.sites = sites;
  soak.site_count = SITE_REQUEST_N;
  soak.account = TP_CHECKS < TP_CHECKS_FAST ? audit_account : NULL;
  tp_soak_begin(&soak);
  tp_soak_picture(SCREEN_COLUMNS, SCREEN_ROWS, screen.cells[0]);
  settings_read();
  interrupts_start(soak.seed, run.interrupts);
  game_start(soak.seed);
  site_start(run.clock);
  plant_start();
}

int main(void)
{
  start();
  for (uint32_t frame = 0; frame < soak.frames; frame++) {
    site_frame(frame % TIMED_EVERY == 0);
    play_frame();
    tp_soak_clock_stop();
    watch_the_frame();
    if (is_told(frame)) {
      audit_pools();
      figures_tell();
    }
    tp_soak_frame(&soak);
  }
  tp_soak_end(&soak);
}
