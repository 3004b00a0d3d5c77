// SPDX-License-Identifier: MIT
// site.h - the calls of the game, by the places they come from: what one costs,
// and refusals on purpose.
#ifndef SITE_H
#define SITE_H

#include <stdbool.h>
#include <stdint.h>

// X(id, name, step): a request, which may be refused. Costs are counted in
// buckets of [step] instructions.
#define SITE_REQUESTS(X)                     \
  X(SPARK, "spark", 16)                      \
  X(FRAME_VOICE, "frame-voice", 256)         \
  X(INTERRUPT_VOICE, "interrupt-voice", 256) \
  X(ENEMY, "enemy", 8)                       \
  X(DRAW, "draw", 16)                        \
  X(SCRIPT, "script", 32)                    \
  X(MESH, "mesh", 512)                       \
  X(NOTE, "note", 64)                        \
  X(PIECE, "piece", 16)                      \
  X(PROP, "prop", 8)                         \
  X(BULLET, "bullet", 16)

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

enum { SITE_BUCKETS = 12 };

// What is refused: at each site every [nth] request (0: none), any with a
// probability of [per_million], and only at one [site] unless that is SITE_N.
struct refusals {
  uint32_t nth, per_million, site;
};

// What a site did. Requests are counted only if some are to be refused, costs
// only in frames that are timed.
struct site_use {
  uint32_t requests, refused;
  uint32_t costs[SITE_BUCKETS];  // The last also counts what cost more.
};

extern const char *const site_names[SITE_N];
extern const uint16_t site_steps[SITE_N];
extern struct site_use site_uses[SITE_N];

extern uint32_t site_watched;  // Is anything refused or timed in this frame?

void site_start(uint64_t seed, const struct refusals *refusals, bool clock);

// Whether the calls of this frame are timed.
void site_frame(bool timed);

// What a request of the frame that was timed last cost; 0 iff there was none.
uint32_t site_mean(void);

bool site_begin_watched(enum site site);
void site_end_watched(enum site site);

// The call at [site] begins. False: behave as if it had been refused.
static inline bool site_begin(enum site site)
{
  return !site_watched || site_begin_watched(site);
}

static inline void site_end(enum site site)
{
  if (site_watched) site_end_watched(site);
}

#endif
