// SPDX-License-Identifier: MIT
// tp_by_hand.h - what pools.toml has a key for and config/tp_define.h no macro,
// for tests that want it in places where no row would put it.
#ifndef TP_BY_HAND_H
#define TP_BY_HAND_H

#include "config/tp_define.h"
#include "core/tp_core.h"
#include "core/tp_exclusive.h"
#include "policy/tp_steal.h"

// The core compiled for pool [name] alone; the same with stealing; and without
// masking.
#define TEST_OWN(name, type) TEST_OWN_BY(name, type, tp_pool_extend)

#define TEST_OWN_STEALING(name, type)                                   \
  TP_NOINLINE static void *name##_extend(const struct tp_pool *pool,    \
                                         uint32_t *tag, tp_site_t site) \
  {                                                                     \
    (void)pool;                                                         \
    return tp_core_extend(&name##_pool, false, name##_pool.lock,        \
                          tp_steal_core, tag, site);                    \
  }                                                                     \
  TEST_OWN_BY(name, type, name##_extend)

#define TEST_OWN_EXCLUSIVE(name, type)               \
  TP_NOINLINE type *name##_alloc(void)               \
  {                                                  \
    return (type *)tp_exclusive_alloc(&name##_pool); \
  }                                                  \
  TP_NOINLINE void name##_free(type *object)         \
  {                                                  \
    tp_exclusive_free(&name##_pool, object);         \
  }                                                  \
  _Static_assert(1, "")

#define TEST_OWN_BY(name, type, extend)                                  \
  TP_NOINLINE type *name##_alloc(void)                                   \
  {                                                                      \
    return (type *)tp_core_alloc(&name##_pool, false, name##_pool.lock,  \
                                 extend, NULL, NULL, NULL);              \
  }                                                                      \
  TP_NOINLINE void name##_free(type *object)                             \
  {                                                                      \
    tp_core_free(&name##_pool, false, name##_pool.lock, tp_pool_foreign, \
                 object, NULL);                                          \
  }                                                                      \
  _Static_assert(1, "")

// What others spill into, and what spills.
#define TEST_CHUNK_OWNERS(name, count) \
  static const void *name##_owner[(count) + 1]

#define TEST_CHUNK(name, ...)                      \
  static struct tp_chunk_state name##_chunk_state; \
  const struct tp_chunk name##_chunk = {           \
      .pool = &name##_pool, .state = &name##_chunk_state, __VA_ARGS__}

#define TEST_SPILL(name, chunk, otherwise, ...)    \
  static struct tp_spill_state name##_spill_state; \
  const struct tp_spill name##_spill = {           \
      .policy = {.overflow = tp_spill_overflow,    \
                 .take_back = tp_spill_take_back}, \
      .into = chunk,                               \
      .then = &otherwise,                          \
      .state = &name##_spill_state,                \
      __VA_ARGS__}

#define TEST_SPILLS(name) .policy = &name##_spill.policy, .takes_foreign = 1

// A pool of [count] slots, [reserve] of them kept.
#define TEST_RESERVE(name, bytes, count, reserve, align, otherwise, ...)     \
  TP_POOL_DEFINE(name##_reserve, bytes, reserve, align, .policy = &tp_drop,  \
                 .refuses = 1);                                              \
  TEST_CHUNK(name##_reserve, .patience = 0);                                 \
  TEST_SPILL(name, &name##_reserve_chunk, otherwise);                        \
  static const struct tp_spill name##_calm = {                               \
      .policy = {.overflow = tp_reserve_overflow,                            \
                 .take_back = tp_spill_take_back},                           \
      .into = &name##_reserve_chunk,                                         \
      .then = &otherwise,                                                    \
      .state = &name##_spill_state,                                          \
  };                                                                         \
  TP_POOL_BY_HAND(                                                           \
      name, bytes, (count) - (reserve), align, TP_TAGS((count) - (reserve)), \
      0, .policy = &name##_calm.policy, .takes_foreign = 1, __VA_ARGS__);    \
  const struct tp_pool name##_urgent_pool = {                                \
      TP_POOL_FIELDS(name, bytes, (count) - (reserve), align, 0),            \
      .policy = &name##_spill.policy, .takes_foreign = 1, __VA_ARGS__}

#define TEST_WATERMARK(name, low_free, told_low, refill_free, told_refill) \
  static struct tp_watermark_state name##_watermark_state;                 \
  const struct tp_watermark name##_watermark = {                           \
      .pool = &name##_pool,                                                \
      .state = &name##_watermark_state,                                    \
      .on_low = told_low,                                                  \
      .on_refill = told_refill,                                            \
      .low = (low_free),                                                   \
      .refill = (refill_free),                                             \
  }

// Objects, what they retain, and the evict of those that are stolen.
#define TEST_EVICT(name)                         \
  extern const struct tp_objects name##_objects; \
  static void name##_evict(void *victim)         \
  {                                              \
    tp_object_retire(&name##_objects, victim);   \
  }                                              \
  _Static_assert(1, "")

#define TEST_OBJECTS(name, count, ...)                                 \
  _Static_assert(sizeof name##_tag == 4 * (size_t)((count) + 1),       \
                 #name ": objects need tags at every level");          \
  static struct tp_births name##_births;                               \
  static uint32_t name##_newborn[((count) + 3) / 4];                   \
  const struct tp_objects name##_objects = {.pool = &name##_pool,      \
                                            .slots = (count),          \
                                            .births = &name##_births,  \
                                            .newborn = name##_newborn, \
                                            __VA_ARGS__}

#define TEST_RETAIN(name, count, offset_bytes, size_bytes, ...)                \
  static uint32_t name##_kept[(count) * (size_t)(size_bytes) / 4];             \
  static uint32_t name##_kept_sum[count];                                      \
  static const struct tp_retain name##_retain = {.kept = name##_kept,          \
                                                 .sum = name##_kept_sum,       \
                                                 .save = tp_retain_save,       \
                                                 .restore = tp_retain_restore, \
                                                 .offset = (offset_bytes),     \
                                                 .size = (size_bytes),         \
                                                 __VA_ARGS__}

// A pool that scenes cut, the slots of each in their order.
#define TEST_SCENE_POOL(name, bytes, most, align, by_scene, ...)          \
  enum {                                                                  \
    name##_stride = TP_STRIDE(bytes, align),                              \
    name##_shift = TP_SHIFT(name##_stride),                               \
    name##_odd = name##_stride >> name##_shift                            \
  };                                                                      \
  static uint32_t name##_tag[(most) + 1];                                 \
  static struct tp_pool_state name##_state;                               \
  static const uint32_t name##_amounts[] = {TEST_LIST by_scene};          \
  static uint32_t name##_peaks[sizeof name##_amounts / sizeof(uint32_t)]; \
  struct tp_pool name##_pool = {TP_POOL_FORM(name, bytes, most, align),   \
                                .general = &tp_general, .tagged = 1,      \
                                __VA_ARGS__}
#define TEST_LIST(...) __VA_ARGS__

// [noun] is how its lives end, [beside] what must be known for that.
#define TEST_SCENE_ROW(name, noun, beside, tell)                         \
  {&tp_scene_pool, &name##_pool,          beside, #name, name##_amounts, \
   name##_peaks,   tp_##noun##_end_scene, tell,   NULL}

#define TEST_SCENES(scenes, size_bytes, count, alignment, ...)                 \
  _Alignas(alignment) static tp_word_t scenes##_arena[((size_bytes) + 3) / 4]; \
  static struct tp_scene_state scenes##_scene_state;                           \
  static const struct tp_scene_part scenes##_scene_parts[] = {__VA_ARGS__};    \
  const struct tp_scenes scenes##_scenes = {                                   \
      .parts = scenes##_scene_parts,                                           \
      .arena = scenes##_arena,                                                 \
      .state = &scenes##_scene_state,                                          \
      .name = #scenes,                                                         \
      .bytes = (size_bytes),                                                   \
      .part_count =                                                            \
          sizeof scenes##_scene_parts / sizeof(scenes##_scene_parts[0]),       \
      .scene_count = (count),                                                  \
      .align = (alignment),                                                    \
  }

#endif
