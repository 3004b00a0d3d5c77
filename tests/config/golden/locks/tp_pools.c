// Generated from pools.toml by tidepool.py. Edit pools.toml, not this file.
// clang-format off

#include "tp_pools.h"
#include "core/tp_shape.h"
#include "core/tp_core.h"
#include "core/tp_exclusive.h"

#if !TP_PORT_HAS_BASEPRI
#error "pools.toml:8: events: this core has no BASEPRI"
#endif
enum {
  events_stride = TP_STRIDE(16, 8),
  events_shift = TP_SHIFT(events_stride),
  events_odd = events_stride >> events_shift,
};
static uint32_t events_tag[TP_TAGS(8) + 1];
static struct tp_pool_state events_state;
_Alignas(8)
static tp_word_t events_storage[(TP_RED_ZONE(8) + 8 * events_stride) / 4];
const struct tp_pool events_pool = {
  .tag = events_tag,
  .state = &events_state,
  .storage = events_storage + TP_RED_ZONE(8) / 4,
  .capacity = 8,
  .policy = &tp_drop,
  .name = "events",
  .size = 16,
  .stride = events_stride,
  .shift = events_shift,
  .inverse = TP_INVERSE(events_odd),
  .zone = TP_RED_ZONE(8),
  .handle_bits = 4,
  .lock = 64,
  .refuses = 1,
};
TP_NOINLINE void *events_alloc(void)
{
  return tp_core_alloc(&events_pool, events_pool.lock, tp_pool_extend, NULL, NULL);
}
TP_NOINLINE void events_free(void *object)
{
  tp_core_free(&events_pool, events_pool.lock, object, NULL);
}

#if !TP_PORT_HAS_EXCLUSIVE
#error "pools.toml:10: frames: this core has no LDREX and STREX"
#endif
enum {
  frames_stride = TP_STRIDE(16, 8),
  frames_shift = TP_SHIFT(frames_stride),
  frames_odd = frames_stride >> frames_shift,
};
static uint32_t frames_tag[TP_TAGS(8) + 1];
static struct tp_pool_state frames_state;
_Alignas(8)
static tp_word_t frames_storage[(TP_RED_ZONE(8) + 8 * frames_stride) / 4];
const struct tp_pool frames_pool = {
  .tag = frames_tag,
  .state = &frames_state,
  .storage = frames_storage + TP_RED_ZONE(8) / 4,
  .capacity = 8,
  .policy = &tp_drop,
  .name = "frames",
  .size = 16,
  .stride = frames_stride,
  .shift = frames_shift,
  .inverse = TP_INVERSE(frames_odd),
  .zone = TP_RED_ZONE(8),
  .handle_bits = 4,
  .lock = TP_LOCK_PRIMASK,
  .refuses = 1,
};
TP_NOINLINE void *frames_alloc(void)
{
  return tp_exclusive_alloc(&frames_pool);
}
TP_NOINLINE void frames_free(void *object)
{
  tp_exclusive_free(&frames_pool, object);
}

const struct tp_pool *const tp_pool_table[TP_POOL_N] = {
  &events_pool,
  &frames_pool,
};
