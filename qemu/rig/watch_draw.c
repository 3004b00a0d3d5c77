// SPDX-License-Identifier: MIT
// watch_draw.c - draw lists: what a frame used, and that it lasts for two.
#include "plant.h"
#include "watch.h"

enum { WORDS = 4 };

// The last order of a frame, as it was when that ended.
struct sample {
  const uint32_t *order;
  uint32_t words[WORDS];
};

static struct sample now;
static uint32_t used;     // By the orders of this frame, in bytes.
static uint32_t drifted;  // Frames that used more than was drawn.
static uint32_t spoilt;   // Orders that changed before they were shown.
static uint32_t padding;  // Bytes that a planted bug adds to each frame.

void watch_drawn(const void *order, uint32_t bytes)
{
  used += bytes;
  now.order = order;
}

// A scratch buffer that somebody lets grow by a byte every frame.
static void drift(void)
{
  if (!plant_strikes(PLANT_FRAME_DRIFT, 0, 0)) return;
  (void)draw_alloc(++padding, 1);
}

static bool is_spoilt(const struct sample *sample)
{
  bool same = true;
  for (uint32_t i = 0; sample->order && i < WORDS; i++) {
    same = same && sample->order[i] == sample->words[i];
  }
  return !same;
}

void watch_draw_end(void)
{
  static struct sample before;
  struct tp_stats stats;
  spoilt += is_spoilt(&before);
  before = now;
  for (uint32_t i = 0; before.order && i < WORDS; i++) {
    before.words[i] = before.order[i];
  }
  drift();
  tp_frame_stats(&draw_frame, &stats);
  drifted += stats.live != used;
  now.order = 0;
  used = 0;
}

const char *watch_draw_audit(void)
{
  if (spoilt) return "draw: a list changed before it was shown";
  return drifted ? "draw: a frame used more than was drawn" : 0;
}
