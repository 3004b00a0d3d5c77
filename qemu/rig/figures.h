// SPDX-License-Identifier: MIT
// figures.h - what is watched beside the pools: bytes, holes, waste, cost.
#ifndef FIGURES_H
#define FIGURES_H

#include <stdint.h>

// X(id, name, unit, flat): sent with every sample. The host's verdict is that
// none of the flat ones drifts over a run.
#define FIGURES(X)                                            \
  X(DRAW_PEAK, "draw: most in a frame", "bytes", 0)           \
  X(SCRIPTS_LIVE, "scripts: live", "blocks", 1)               \
  X(SCRIPTS_WASTE, "scripts: waste", "bytes", 1)              \
  X(BULLETS, "bullets: live", "objects", 1)                   \
  X(MESHES_FREE, "meshes: free", "bytes", 1)                  \
  X(MESHES_LARGEST, "meshes: largest hole", "bytes", 1)       \
  X(MESHES_HOLES, "meshes: holes", "holes", 1)                \
  X(MESHES_HOLE_BYTES, "meshes: fragmentation", "bytes", 1)   \
  X(SPILLED, "debris: spilled", "objects", 1)                 \
  X(CLOCKED, "one frame's requests: mean", "instructions", 1) \
  X(SCORE, "score", "points", 0)

#define FIGURE_ID(id, name, unit, flat) FIGURE_##id,
enum figure { FIGURES(FIGURE_ID) FIGURE_N };

struct figure_words {
  const char *name, *unit;
  uint32_t flat;
};

extern const struct figure_words figure_words[FIGURE_N];

void figures_read(uint32_t values[FIGURE_N]);

#endif
