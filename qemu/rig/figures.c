// SPDX-License-Identifier: MIT
#include "figures.h"

#include "game.h"
#include "scripts.h"
#include "site.h"
#include "tp_pools.h"

#define FIGURE_WORDS(id, name, unit, flat) {name, unit, flat},
const struct figure_words figure_words[FIGURE_N] = {FIGURES(FIGURE_WORDS)};

static void read_meshes(uint32_t values[FIGURE_N])
{
  struct tp_reloc_figures layout;
  tp_reloc_layout(&meshes_reloc, &layout);
  values[FIGURE_MESHES_FREE] =
      meshes_reloc.units * (uint32_t)TP_RELOC_UNIT - layout.live_bytes;
  values[FIGURE_MESHES_LARGEST] = layout.largest;
  values[FIGURE_MESHES_HOLES] = layout.holes;
  values[FIGURE_MESHES_HOLE_BYTES] = layout.hole_bytes;
}

void figures_read(uint32_t values[FIGURE_N])
{
  struct tp_stats draw;
  tp_frame_stats(&draw_frame, &draw);
  values[FIGURE_DRAW_PEAK] = draw.peak;
  values[FIGURE_SCRIPTS_LIVE] = scripts_running();
  values[FIGURE_SCRIPTS_WASTE] = scripts_blocks.waste->now;
  values[FIGURE_BULLETS] = bullets_count();
  values[FIGURE_SPILLED] = debris_spill.state->live;
  values[FIGURE_CLOCKED] = site_mean();
  values[FIGURE_SCORE] = game_score();
  read_meshes(values);
}
