// SPDX-License-Identifier: MIT
// scenario.h - how much happens in a run. qemu/soak reads qemu/scenarios/*.toml
// and passes what they say as arguments: "wave_frames=120".
#ifndef SCENARIO_H
#define SCENARIO_H

#include <stdbool.h>
#include <stdint.h>

// X(name, default). Percentages of a pool are of its capacity; ranges include
// both ends; 0 seconds between two of something: never.
#define SCENARIO(X)                                                     \
  X(weather_frames, 240)  /* The emitters change that often, */         \
  X(calm_percent, 33)     /* often enough to nothing at all, */         \
  X(sparks_low, 1)        /* or to at most so many sparks a frame, */   \
  X(sparks_high, 7)       /* in percent of the pool. */                 \
  X(spark_frames_low, 20) /* How long they glow. */                     \
  X(spark_frames_high, 147)                                             \
  X(voice_percent, 24)     /* Of the interrupts start a voice; */       \
  X(volley_interrupts, 96) /* one in so many starts up to a poolful. */ \
  X(voice_frames_low, 2)   /* How long they play. */                    \
  X(voice_frames_high, 120)                                             \
  X(wave_frames, 120)     /* Enemies come that often, */                \
  X(wave_percent, 100)    /* at most so much of the pool at once, */    \
  X(enemy_frames_low, 30) /* and live that long. */                     \
  X(enemy_frames_high, 400)                                             \
  X(interrupts_per_frame, 1) /* Each looks after all voices. */         \
  X(storm_every, 90)         /* Seconds from storm to storm, */         \
  X(storm_seconds, 5)        /* which last so long: */                  \
  X(storm_times, 4)          /* so many times the sparks and voices. */ \
  X(scene_seconds, 30)       /* From one scene to the next. */          \
  X(lull_every, 60)          /* Seconds from lull to lull, */           \
  X(lull_seconds, 10)        /* in which nothing begins: pools run empty. */

#define SCENARIO_FIELD(name, value) uint32_t name;
struct scenario {
  SCENARIO(SCENARIO_FIELD)
};

extern struct scenario scenario;

// Sets what [name], up to its '=', says. Returns where it is kept; NULL iff
// there is no such name.
uint32_t *scenario_entry(const char *name);

// Notes that [frame] begins.
void scenario_frame(uint32_t frame);

// How many times the usual should begin in this frame: 0 in a lull.
uint32_t scenario_load(void);

#endif
