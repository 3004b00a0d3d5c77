// SPDX-License-Identifier: MIT
#include "figures.h"

#include "game.h"
#include "scripts.h"
#include "site.h"
#include "tp_pools.h"
#include "tp_soak.h"

static void flat(const char *name, const char *unit, uint32_t value)
{
  tp_soak_figure(name, unit, value, true);
}

static void tell_meshes(void)
{
  struct tp_reloc_figures layout;
  tp_reloc_layout(&meshes_reloc, &layout);
  flat("meshes: free", "bytes",
       meshes_reloc.units * (uint32_t)TP_RELOC_UNIT - layout.live_bytes);
  flat("meshes: largest hole", "bytes", layout.largest);
  flat("meshes: holes", "holes", layout.holes);
  flat("meshes: fragmentation", "bytes", layout.hole_bytes);
}

void figures_tell(void)
{
  struct tp_stats draw;
  tp_frame_stats(&draw_frame, &draw);
  tp_soak_figure("draw: most in a frame", "bytes", draw.peak, false);
  flat("scripts: live", "blocks", scripts_running());
  flat("scripts: waste", "bytes", scripts_blocks.waste->now);
  flat("bullets: live", "objects", bullets_count());
  tell_meshes();
  flat("debris: spilled", "objects", debris_spill.state->live);
  flat("one frame's requests: mean", "instructions", site_mean());
  tp_soak_figure("score", "points", game_score(), false);
}
