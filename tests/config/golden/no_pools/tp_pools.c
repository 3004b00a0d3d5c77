// Generated from pools.toml by tidepool.py. Edit pools.toml, not this file.
// clang-format off

#include "tp_pools.h"
#include "core/tp_shape.h"

_Alignas(8)
static tp_word_t draw_storage[1 * 1024 / 4];
static struct tp_frame_state draw_state;
static struct tp_bump draw_bump[1];
const struct tp_frame draw_frame = {
  .state = &draw_state,
  .bump = draw_bump,
  .buffers = 1,
  .region.storage = draw_storage,
  .region.name = "draw",
  .region.bytes = 1024,
  .region.full = TP_FULL_DROP,
};
