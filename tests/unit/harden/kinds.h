// SPDX-License-Identifier: MIT
// kinds.h - defines the pools, for the file that includes it, once or more:
// hardened by HARDENS, of TP_CODED and TP_OUTSIDE, and named after PREFIX.
#include "core/tp_claim.h"
#include "core/tp_exclusive.h"
#include "core/tp_harden.h"
#include "harden.h"
#include "tp_by_hand.h"

#define JOINED(prefix, name) prefix##_##name
#define NAMED(prefix, name)  JOINED(prefix, name)
#define OF(name)             NAMED(PREFIX, name)

#if HARDENS
#define GENERAL tp_hardened_general
#define OLDEST  tp_hardened_oldest
#define EXTEND  tp_hardened_extend
#define FOREIGN tp_hardened_foreign
#else
#define GENERAL tp_general
#define OLDEST  tp_steal_oldest
#define EXTEND  tp_pool_extend
#define FOREIGN tp_pool_foreign
#endif

#define POOL(title, ...) POOL_OF(title, __VA_ARGS__)
#define POOL_OF(title, ...)                                                   \
  enum { title##_stride = TP_STRIDE(BYTES, 4) };                              \
  static uint32_t title##_tag[SLOTS + 1 + SLOTS];                             \
  static struct tp_pool_state title##_state;                                  \
  static tp_word_t                                                            \
      title##_storage[(TP_RED_ZONE(4) + SLOTS * title##_stride) / 4];         \
  static const struct tp_pool title##_pool = {                                \
      .tag = title##_tag,                                                     \
      .origin = (uintptr_t)title##_storage + TP_RED_ZONE(4) - title##_stride, \
      .inverse = TP_INVERSE(title##_stride >> TP_SHIFT(title##_stride)),      \
      .gate = TP_GATE(title##_stride, 0),                                     \
      .state = &title##_state,                                                \
      .storage = title##_storage + TP_RED_ZONE(4) / 4,                        \
      .general = &GENERAL,                                                    \
      .name = #title,                                                         \
      .link_check = TP_ALIKE,                                                 \
      .stride = title##_stride,                                               \
      .size = title##_stride - TP_RED_ZONE(4),                                \
      .zone = TP_RED_ZONE(4),                                                 \
      .capacity = SLOTS,                                                      \
      .handle_bits = TP_HANDLE_BITS(SLOTS),                                   \
      .hardened = HARDENS,                                                    \
      TP_OBJECT(BYTES, 0, NULL) __VA_ARGS__}

#define CALLS(title, extend) CALLS_OF(title, extend)
#define CALLS_OF(title, extend)                                                \
  TP_NOINLINE static void *title##_alloc(tp_handle_t *handle)                  \
  {                                                                            \
    uint32_t tag = 0;                                                          \
    void *object = tp_core_alloc(&title##_pool, false, title##_pool.lock,      \
                                 extend, &tag, NULL, NULL);                    \
    *handle = object ? tp_claim_handle(&title##_pool,                          \
                                       tp_slot_of(&title##_pool, object), tag) \
                     : TP_NO_HANDLE;                                           \
    return object;                                                             \
  }                                                                            \
  TP_NOINLINE static void title##_free(void *object)                           \
  {                                                                            \
    tp_core_free(&title##_pool, false, title##_pool.lock, FOREIGN, object,     \
                 NULL);                                                        \
  }

// Tags that nobody reads are none of a plain row.
#define DROPS .policy = &tp_drop, .refuses = 1
static struct tp_age_link OF(thief_age)[SLOTS + 1];
POOL(OF(dropping), DROPS, .tagged = HARDENS & TP_CODED);
POOL(OF(keyed), DROPS, .tagged = 1);
POOL(OF(thief), .policy = &OLDEST, .age = OF(thief_age), .tagged = 1);
POOL(OF(sole), DROPS, .tagged = HARDENS & TP_CODED);

CALLS(OF(dropping), EXTEND)
CALLS(OF(keyed), EXTEND)

TP_NOINLINE static void *OF(keyed_get)(tp_handle_t handle)
{
  return tp_claim_object(&OF(keyed_pool), handle);
}

TP_NOINLINE static bool OF(keyed_free_handle)(tp_handle_t handle)
{
  const struct tp_pool *pool = &OF(keyed_pool);
  uint32_t bits = pool->handle_bits;
  struct tp_generation claim = tp_claim_parts(bits, handle);
  if (!tp_claim_within(claim.slot, pool->capacity)) return false;
  return tp_claim_free(pool, false, pool->lock, true, bits, claim, NULL);
}

TP_NOINLINE static void *OF(thief_extend)(const struct tp_pool *pool,
                                          uint32_t *tag, tp_site_t site)
{
  (void)pool;
  return tp_core_extend(&OF(thief_pool), false, OF(thief_pool).lock,
                        tp_steal_own, tag, site);
}
CALLS(OF(thief), OF(thief_extend))

#if TP_PORT_HAS_EXCLUSIVE
TP_NOINLINE static void *OF(sole_alloc)(tp_handle_t *handle)
{
  *handle = TP_NO_HANDLE;
  return tp_exclusive_alloc(&OF(sole_pool));
}

TP_NOINLINE static void OF(sole_free)(void *object)
{
  tp_exclusive_free(&OF(sole_pool), object);
}
#else
CALLS(OF(sole), EXTEND)
#endif

#undef GENERAL
#undef OLDEST
#undef EXTEND
#undef FOREIGN

#define KINDS_OF(array)                                                       \
  const struct kind array[KINDS] = {                                          \
      {"dropping", &OF(dropping_pool), OF(dropping_alloc), OF(dropping_free), \
       NULL, NULL, false},                                                    \
      {"keyed", &OF(keyed_pool), OF(keyed_alloc), OF(keyed_free),             \
       OF(keyed_get), OF(keyed_free_handle), false},                          \
      {"thief", &OF(thief_pool), OF(thief_alloc), OF(thief_free), NULL, NULL, \
       true},                                                                 \
      {"sole", &OF(sole_pool), OF(sole_alloc), OF(sole_free), NULL, NULL,     \
       false}}
