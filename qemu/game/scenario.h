// SPDX-License-Identifier: MIT
// scenario.h - how much happens. Percentages of a pool are of its capacity;
// ranges include both ends; 0 seconds between two of something: never.
#ifndef SCENARIO_H
#define SCENARIO_H

#include <stdint.h>

struct scenario {
  uint32_t weather_frames;    // The emitters change that often,
  uint32_t calm_percent;      // often enough to nothing at all,
  uint32_t sparks_low;        // or to at most so many sparks a frame,
  uint32_t sparks_high;       // in percent of the pool.
  uint32_t spark_frames_low;  // How long they glow.
  uint32_t spark_frames_high;
  uint32_t voice_percent;      // Of the interrupts start a voice;
  uint32_t volley_interrupts;  // one in so many starts up to a poolful.
  uint32_t voice_frames_low;   // How long they play.
  uint32_t voice_frames_high;
  uint32_t wave_frames;       // Enemies come that often,
  uint32_t wave_percent;      // at most so much of the pool at once,
  uint32_t enemy_frames_low;  // and live that long.
  uint32_t enemy_frames_high;
  uint32_t storm_every;    // Seconds from storm to storm,
  uint32_t storm_seconds;  // which last so long:
  uint32_t storm_times;    // so many times the sparks and voices.
  uint32_t scene_seconds;  // From one scene to the next.
  uint32_t lull_every;     // Seconds from lull to lull,
  uint32_t lull_seconds;   // in which nothing begins: pools run empty.
};

// The demo's, unless somebody writes others into it before the first frame.
extern struct scenario scenario;

// Storm, lull or neither?
void scenario_update(void);

// How many times the usual should begin in this frame: 0 in a lull.
uint32_t scenario_load(void);

#endif
