// SPDX-License-Identifier: MIT
#include "figures.h"

#include "debris.h"
#include "scripts.h"
#include "site.h"
#include "tp_pools.h"

#define FIGURE_WORDS(id, name, unit, flat) {name, unit, flat},
const struct figure_words figure_words[FIGURE_N] = {FIGURES(FIGURE_WORDS)};

static void read_meshes(uint32_t values[FIGURE_N])
{
  struct tp_reloc_stats stats;
  tp_reloc_stats(&meshes_reloc, &stats);
  values[FIGURE_MESHES_FREE] =
      meshes_reloc.units * (uint32_t)TP_RELOC_UNIT - stats.live_bytes;
  values[FIGURE_MESHES_LARGEST] = stats.largest;
  values[FIGURE_MESHES_HOLES] = stats.holes;
  values[FIGURE_MESHES_HOLE_BYTES] = stats.hole_bytes;
}

void figures_read(uint32_t values[FIGURE_N])
{
  values[FIGURE_DRAW_PEAK] = tp_frame_peak(&draw_frame);
  values[FIGURE_SCRIPTS_LIVE] = scripts_running();
  values[FIGURE_SCRIPTS_WASTE] = scripts_blocks.waste->now;
  values[FIGURE_BULLETS] = bullets_count();
  values[FIGURE_SPILLED] = debris_spill.state->live;
  values[FIGURE_CLOCKED] = site_mean();
  read_meshes(values);
}
