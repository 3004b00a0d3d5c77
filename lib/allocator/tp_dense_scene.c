// SPDX-License-Identifier: MIT
// Dense pools as what scenes cut: their slots come with a scene and go with it.
#include "allocator/tp_dense64.h"
#include "allocator/tp_dense_state.h"
#include "object/tp_scene.h"

static uint32_t cut_bytes(const void *allocator, uint32_t count)
{
  return count * ((const struct tp_dense *)allocator)->stride;
}

static uint32_t cut_live(const void *allocator)
{
  return ((const struct tp_dense *)allocator)->state->count;
}

static uint32_t cut_peak(const void *allocator)
{
  return ((const struct tp_dense *)allocator)->state->fresh;
}

// Its entries begin anew, their generations do not.
static bool cut_close(void *allocator)
{
  struct tp_dense *dense = (struct tp_dense *)allocator;
  struct tp_dense_state *state = dense->state;
  uint32_t key = tp_port_lock();
  bool empty = state->count == 0;
  if (empty) {
    if (dense->place[0] < state->fresh) dense->place[0] = state->fresh;
    dense->capacity = state->fresh = state->seen = state->old = 0;
  }
  tp_port_unlock(key);
  return empty;
}

static void cut_open(void *allocator, void *memory, uint32_t count)
{
  struct tp_dense *dense = (struct tp_dense *)allocator;
  dense->storage = (tp_word_t *)memory;
  TP_BARRIER();
  dense->capacity = (uint16_t)count;
}

const struct tp_scene_kind tp_scene_dense = {
    .bytes = cut_bytes,
    .live = cut_live,
    .peak = cut_peak,
    .close = cut_close,
    .open = cut_open,
};

void tp_dense_end_scene(const struct tp_scene_part *part, tp_site_t site)
{
  tp_dense_reset_for((const struct tp_dense *)part->allocator, site);
}

void tp_dense64_end_scene(const struct tp_scene_part *part, tp_site_t site)
{
  tp_dense64_reset_for((const struct tp_dense64 *)part->beside, site);
}
