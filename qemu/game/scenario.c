// SPDX-License-Identifier: MIT
#include "scenario.h"

#include <stdbool.h>

#include "game.h"
#include "tidepool.h"

struct scenario scenario = {
    .weather_frames = 240,
    .calm_percent = 33,
    .sparks_low = 1,
    .sparks_high = 7,
    .spark_frames_low = 20,
    .spark_frames_high = 147,
    .voice_percent = 24,
    .volley_interrupts = 96,
    .voice_frames_low = 2,
    .voice_frames_high = 120,
    .wave_frames = 120,
    .wave_percent = 100,
    .enemy_frames_low = 30,
    .enemy_frames_high = 400,
    .storm_every = 90,
    .storm_seconds = 5,
    .storm_times = 4,
    .scene_seconds = 30,
    .lull_every = 60,
    .lull_seconds = 10,
};

static uint32_t load = 1;

// Whether the last [seconds] of every [every] seconds are under way.
static bool is_time(uint32_t every, uint32_t seconds)
{
  if (every == 0) return false;
  return tp_clock_now / FRAMES_PER_SECOND % every + seconds >= every;
}

void scenario_update(void)
{
  load = 1;
  if (is_time(scenario.storm_every, scenario.storm_seconds)) {
    load = scenario.storm_times;
  }
  if (is_time(scenario.lull_every, scenario.lull_seconds)) load = 0;
}

uint32_t scenario_load(void)
{
  return load;
}
