// SPDX-License-Identifier: MIT
#include "allocator/tp_frame.h"

#include "allocator/tp_bump.h"

// The buffer that allocations come from now.
TP_INLINE struct tp_side current_of(const struct tp_frame *frame)
{
  uint32_t current = frame->state->current;
  size_t words = frame->region.bytes / 4;
  return (struct tp_side){
      .region = &frame->region,
      .storage = frame->region.storage + words * current,
      .bump = &frame->bump[current],
      .other = NULL,
      .marks = NULL,
      .end = TP_LOW,
  };
}

TP_NOINLINE void *tp_frame_alloc(const struct tp_frame *frame, size_t size,
                                 size_t align)
{
  struct tp_side side = current_of(frame);
  return tp_bump_alloc(&side, size, align, tp_site(NULL));
}

TP_NOINLINE void tp_frame_end(const struct tp_frame *frame)
{
  struct tp_frame_state *state = frame->state;
  uint32_t next = state->current + 1;
  tp_region_check(&frame->region, tp_site(NULL));
  state->ended++;
  state->current = next < frame->buffers ? next : 0;
  struct tp_side side = current_of(frame);
  tp_bump_shrink(&side, 0);
}

void tp_frame_stats(const struct tp_frame *frame, struct tp_stats *stats)
{
  uint32_t peak = 0;
  uint32_t refused = 0;
  for (uint32_t i = 0; i < frame->buffers; i++) {
    const struct tp_bump *bump = &frame->bump[i];
    if (peak < bump->peak) peak = bump->peak;
    refused += bump->refused;
  }
  tp_clear_words(stats, sizeof *stats);
  stats->live = frame->bump[frame->state->current].used;
  stats->peak = peak;
  stats->refused = refused;
}
