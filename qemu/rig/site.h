// SPDX-License-Identifier: MIT
// site.h - the calls of the game, by the places they come from: the names that
// --fail-site knows them by, and what one costs.
#ifndef SITE_H
#define SITE_H

#include <stdbool.h>
#include <stdint.h>

#include "tp_soak.h"

// X(id, name, step): a request, which may be refused. Costs, with some 60
// instructions of the soak's own, are counted in buckets of [step].
#define SITE_REQUESTS(X)                     \
  X(SPARK, "spark", 32)                      \
  X(FRAME_VOICE, "frame-voice", 256)         \
  X(INTERRUPT_VOICE, "interrupt-voice", 256) \
  X(ENEMY, "enemy", 32)                      \
  X(DRAW, "draw", 64)                        \
  X(SCRIPT, "script", 64)                    \
  X(MESH, "mesh", 512)                       \
  X(NOTE, "note", 64)                        \
  X(PIECE, "piece", 64)                      \
  X(PROP, "prop", 32)                        \
  X(BULLET, "bullet", 32)

// The same for what is only timed.
#define SITE_OTHERS(X)                  \
  X(SPARK_FREE, "spark-free", 16)       \
  X(VOICE_FREE, "voice-free", 16)       \
  X(SCRIPT_FREE, "script-free", 32)     \
  X(BULLET_REMOVE, "bullet-remove", 16) \
  X(MESH_FREE, "mesh-free", 128)        \
  X(MESH_STEP, "mesh-step", 512)        \
  X(DRAW_END, "draw-end", 128)

#define SITE_ID(id, name, step) SITE_##id,
enum site {
  SITE_REQUESTS(SITE_ID) SITE_OTHERS(SITE_ID) SITE_N,
  SITE_REQUEST_N = SITE_BULLET + 1  // The first that cannot be refused.
};

// Of the requests, for the soak.
extern struct tp_soak_site sites[SITE_REQUEST_N];

extern bool site_timed;  // Are the calls of this frame timed?

// [clock]: there is one to time calls by.
void site_start(bool clock);

// Whether the calls of this frame are timed, if there is a clock.
void site_frame(bool timed);

// What a request of the frame that was timed last cost; 0 iff there was none.
uint32_t site_mean(void);

void site_time(void);
void site_timed_end(enum site site);

// The call at [site] begins and ends.
static inline void site_begin(void)
{
  if (site_timed) site_time();
}

static inline void site_end(enum site site)
{
  if (site_timed) site_timed_end(site);
}

// The same of a request, which may be refused. Returns what site_leave() wants.
static inline struct tp_soak_site *site_enter(enum site site)
{
  struct tp_soak_site *before = tp_soak_enter(&sites[site]);
  site_begin();
  return before;
}

static inline void site_leave(enum site site, struct tp_soak_site *before)
{
  site_end(site);
  tp_soak_leave(before);
}

#endif
