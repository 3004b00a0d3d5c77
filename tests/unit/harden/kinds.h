// SPDX-License-Identifier: MIT
// kinds.h - defines the pools, for the file that includes it: hardened where it
// says TP_HARDENED 1. Where nothing is checked no row can be hardened.
#ifndef KINDS_H
#define KINDS_H

#include "core/tp_claim.h"
#include "core/tp_exclusive.h"
#include "core/tp_harden.h"
#include "harden.h"
#include "tp_by_hand.h"

#if TP_HARDENED
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

#define POOL(title, ...)                                                      \
  enum { title##_stride = TP_STRIDE(BYTES, 4) };                              \
  static uint32_t title##_tag[SLOTS + 1];                                     \
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
      .hardened = TP_HARDENED,                                                \
      .tagged = 1,                                                            \
      TP_OBJECT(BYTES, 0, NULL) __VA_ARGS__}

#define CALLS(title, extend)                                                   \
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

#define DROPS .policy = &tp_drop, .refuses = 1
static struct tp_age_link thief_age[SLOTS + 1];
POOL(dropping, DROPS);
POOL(keyed, DROPS);
POOL(thief, .policy = &OLDEST, .age = thief_age);
POOL(sole, DROPS);

CALLS(dropping, EXTEND)
CALLS(keyed, EXTEND)

TP_NOINLINE static void *keyed_get(tp_handle_t handle)
{
  return tp_claim_object(&keyed_pool, handle);
}

TP_NOINLINE static bool keyed_free_handle(tp_handle_t handle)
{
  const struct tp_pool *pool = &keyed_pool;
  uint32_t bits = pool->handle_bits;
  struct tp_generation claim = tp_claim_parts(bits, handle);
  if (!tp_claim_within(claim.slot, pool->capacity)) return false;
  return tp_claim_free(pool, false, pool->lock, true, bits, claim, NULL);
}

TP_NOINLINE static void *thief_extend(const struct tp_pool *pool, uint32_t *tag,
                                      tp_site_t site)
{
  (void)pool;
  return tp_core_extend(&thief_pool, false, thief_pool.lock, tp_steal_core, tag,
                        site);
}
CALLS(thief, thief_extend)

#if TP_PORT_HAS_EXCLUSIVE
TP_NOINLINE static void *sole_alloc(tp_handle_t *handle)
{
  *handle = TP_NO_HANDLE;
  return tp_exclusive_alloc(&sole_pool);
}

TP_NOINLINE static void sole_free(void *object)
{
  tp_exclusive_free(&sole_pool, object);
}
#else
CALLS(sole, EXTEND)
#endif

#define KINDS_OF(array)                                                       \
  const struct kind array[KINDS] = {                                          \
      {"dropping", &dropping_pool, dropping_alloc, dropping_free, NULL, NULL, \
       false},                                                                \
      {"keyed", &keyed_pool, keyed_alloc, keyed_free, keyed_get,              \
       keyed_free_handle, false},                                             \
      {"thief", &thief_pool, thief_alloc, thief_free, NULL, NULL, true},      \
      {"sole", &sole_pool, sole_alloc, sole_free, NULL, NULL, false}}

#endif
