// SPDX-License-Identifier: MIT
#include "scenario.h"

#include <stdbool.h>

#include "game.h"
#include "tidepool.h"

#ifndef GAME_LOAD_PERCENT
#define GAME_LOAD_PERCENT 100
#endif

struct scenario scenario = {
    .load_percent = GAME_LOAD_PERCENT,
    .weather_frames = 240,
    .calm_percent = 33,
    .sparks_low = 10,
    .sparks_high = 70,
    .spark_frames_low = 20,
    .spark_frames_high = 147,
    .voice_percent = 24,
    .volley_interrupts = 96,
    .volley_voices = 32,
    .voice_frames_low = 2,
    .voice_frames_high = 120,
    .note_percent = 6,
    .wave_frames = 120,
    .wave_low = 4,
    .wave_high = 12,
    .enemy_frames_low = 30,
    .enemy_frames_high = 400,
    .explosion_sparks = 12,
    .explosion_pieces = 13,
    .shot_frames = 12,
    .crowd_percent = 24,
    .credits_percent = 50,
    .prop_frames_low = 30,
    .prop_frames_high = 400,
    .script_percent = 80,
    .mesh_percent = 15,
    .mesh_words_low = 2,
    .mesh_words_high = 256,
    .storm_every = 90,
    .storm_seconds = 5,
    .storm_times = 4,
    .scene_seconds = 30,
    .lull_every = 60,
    .lull_seconds = 10,
};

static uint32_t load = 1;

// Some is never none.
static void scale(uint32_t *number)
{
  uint32_t scaled = *number * scenario.load_percent / 100;
  if (*number > 0) *number = scaled > 0 ? scaled : 1;
}

void scenario_start(void)
{
  uint32_t *const numbers[] = {
      &scenario.sparks_low,       &scenario.sparks_high,
      &scenario.voice_percent,    &scenario.volley_voices,
      &scenario.note_percent,     &scenario.wave_low,
      &scenario.wave_high,        &scenario.explosion_sparks,
      &scenario.explosion_pieces, &scenario.crowd_percent,
      &scenario.credits_percent,  &scenario.script_percent,
      &scenario.mesh_percent,     &scenario.mesh_words_high,
  };
  for (uint32_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
    scale(numbers[i]);
  }
  // A mesh is no smaller on a smaller machine than somebody says.
  if (scenario.mesh_words_high < scenario.mesh_words_low) {
    scenario.mesh_words_high = scenario.mesh_words_low;
  }
}

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
