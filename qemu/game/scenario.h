// SPDX-License-Identifier: MIT
// scenario.h - how much happens: numbers of things that the game wants, however
// much room its pools have. Ranges include both ends; 0 seconds between two of
// something: never.
#ifndef SCENARIO_H
#define SCENARIO_H

#include <stdint.h>

struct scenario {
  uint32_t load_percent;    // Of what is said below, for a smaller machine.
  uint32_t weather_frames;  // The emitters change that often,
  uint32_t calm_percent;    // often enough to nothing at all,
  uint32_t sparks_low;      // or to at most so many sparks a frame.
  uint32_t sparks_high;
  uint32_t spark_frames_low;  // How long they glow.
  uint32_t spark_frames_high;
  uint32_t voice_percent;      // Of the interrupts start a voice;
  uint32_t volley_interrupts;  // one in so many starts up to
  uint32_t volley_voices;      // so many.
  uint32_t voice_frames_low;   // How long they play.
  uint32_t voice_frames_high;
  uint32_t note_percent;  // Of the frames begin a note.
  uint32_t wave_frames;   // Enemies come that often,
  uint32_t wave_low;      // so many at once,
  uint32_t wave_high;
  uint32_t enemy_frames_low;  // and live that long, unless they are hit.
  uint32_t enemy_frames_high;
  uint32_t explosion_sparks;  // What becomes of one.
  uint32_t explosion_pieces;
  uint32_t shot_frames;      // The player shoots that often.
  uint32_t crowd_percent;    // Of the frames somebody joins the crowd,
  uint32_t credits_percent;  // or the credits,
  uint32_t prop_frames_low;  // and stays that long;
  uint32_t prop_frames_high;
  uint32_t script_percent;  // a script begins; above 100: more than one,
  uint32_t mesh_percent;    // a mesh is loaded
  uint32_t mesh_words_low;  // of such a size.
  uint32_t mesh_words_high;
  uint32_t storm_every;    // Seconds from storm to storm,
  uint32_t storm_seconds;  // which last so long:
  uint32_t storm_times;    // so many times the usual, but for enemies.
  uint32_t scene_seconds;  // From one scene to the next.
  uint32_t lull_every;     // Seconds from lull to lull,
  uint32_t lull_seconds;   // in which nothing begins: pools run empty.
};

// The demo's, unless somebody writes others into it before the game starts.
extern struct scenario scenario;

// Makes the numbers those of this machine, by load_percent.
void scenario_start(void);

// Storm, lull or neither?
void scenario_update(void);

// How many times the usual should begin in this frame: 0 in a lull.
uint32_t scenario_load(void);

#endif
