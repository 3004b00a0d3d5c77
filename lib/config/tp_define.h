// SPDX-License-Identifier: MIT
// tp_define.h - defining a pool, by hand or by what lib/config generates.
//
//   TP_POOL_DEFINE(sparks, sizeof(struct spark), 64, 8, TP_NO_BANK,
//                  TP_TAGS_IF_CHECKED, .policy = &tp_drop);
//
// C only: it designates initialisers. Every number is checked here again.
#ifndef TP_DEFINE_H
#define TP_DEFINE_H

#include "check/tp_level.h"
#include "tidepool.h"
#include "policy/tp_steal.h"
#include "policy/tp_steal_least.h"
#include "core/tp_core.h"
#include "core/tp_exclusive.h"
#include "core/tp_shape.h"

// Where the slots of a pool lie: in a bank that tp_pools.ld places, or with
// everything else that is zero at boot. A bank's section is named .bss.* so
// that a script that forgets it still places it, and never loads it.
#define TP_BANK(bank, pool) \
  __attribute__((section(".bss.tp_arena." bank "." pool)))
#define TP_NO_BANK

// How many tags a pool of [count] slots keeps: with handles at every level,
// else from fast up, and below that one spare.
#define TP_TAGS_ALWAYS(count)     (count), 1
#define TP_TAGS_IF_CHECKED(count) (TP_CHECKS >= TP_CHECKS_FAST ? (count) : 1), 0
#define TP_FIRST_(first, second)  first
#define TP_SECOND_(first, second) second
#define TP_FIRST(pair)            TP_FIRST_(pair)
#define TP_SECOND(pair)           TP_SECOND_(pair)

// The ring of an aged pool. Before its TP_POOL_DEFINE, which names it.
#define TP_POOL_AGE(name, count) \
  static struct tp_age_link name##_age[(count) + 1]

// The births of a timed pool, which is an aged one that has .born, for min_age
// and the age of its oldest object.
#define TP_POOL_BORN(name, count) static uint32_t name##_born[(count) + 1]

// The initialisers of a descriptor that follow from the definition of [pool]. A
// second descriptor of the same slots, under another policy, has them too.
#define TP_POOL_FIELDS(pool)                                                  \
  TP_POOL_FORM(pool), .storage = pool##_storage + pool##_zone / 4,            \
  .capacity = pool##_capacity

#define TP_POOL_FORM(pool)                                                    \
  .tag = pool##_tag, .state = &pool##_state, .name = #pool,                   \
  .inverse = TP_INVERSE(pool##_odd), .stride = pool##_stride,                 \
  .size = pool##_size, .shift = pool##_shift,                                 \
  .zone = pool##_zone, .tagged = pool##_tagged,                               \
  .handle_bits = TP_HANDLE_BITS(pool##_capacity)

// The numbers of pool [pool], its tags and its state: all but slots and
// descriptor.
#define TP_POOL_SHAPE(pool, size_bytes, count, align, tags)                   \
  enum {                                                                      \
    pool##_size = (size_bytes),                                               \
    pool##_capacity = (count),                                                \
    pool##_align = (align),                                                   \
    pool##_stride = TP_STRIDE(size_bytes, align),                             \
    pool##_shift = TP_SHIFT(pool##_stride),                                   \
    pool##_odd = pool##_stride >> pool##_shift,                               \
    pool##_zone = TP_RED_ZONE(align),                                         \
    pool##_tagged = TP_SECOND(tags(count))                                    \
  };                                                                          \
  _Static_assert((count) >= 1 && (count) <= TP_CAPACITY_MAX,                  \
                 #pool ": a pool has 1 to 32767 slots");                      \
  _Static_assert((size_bytes) >= 4, #pool ": a free slot holds its link");    \
  _Static_assert((align) >= 4 && (align) <= 64 && !((align) & ((align)-1)),   \
                 #pool ": alignments are powers of two, 4 to 64");            \
  _Static_assert(pool##_stride <= UINT16_MAX, #pool ": slots are < 64 KiB");  \
  _Static_assert((uintptr_t)pool##_odd * TP_INVERSE(pool##_odd) == 1,         \
                 #pool ": the inverse of the stride");                        \
  static uint32_t pool##_tag[TP_FIRST(tags(count)) + 1];                      \
  static struct tp_pool_state pool##_state

// Defines pool [pool]. The rest are initialisers of struct tp_pool and must
// give .policy: what to do when full is a decision, so it has no default.
#define TP_POOL_DEFINE(pool, size_bytes, count, align, bank, tags, ...)       \
  TP_POOL_SHAPE(pool, size_bytes, count, align, tags);                        \
  _Alignas(align) bank static tp_word_t                                       \
      pool##_storage[(pool##_zone + (count) * (size_t)pool##_stride) / 4];    \
  const struct tp_pool pool##_pool = {TP_POOL_FIELDS(pool), __VA_ARGS__}

// Compiles the core for pool [name] alone: NAME_alloc() and NAME_free().
#define TP_POOL_OWN(name, type) TP_POOL_OWN_BY(name, type, tp_pool_extend)

// The same with the stealing of a pool whose policy is tp_steal_oldest.
#define TP_POOL_OWN_STEALING(name, type)                                     \
  TP_NOINLINE static void *name##_extend(const struct tp_pool *pool,         \
                                         uint32_t *tag, tp_site_t site)      \
  {                                                                          \
    (void)pool;                                                              \
    return tp_core_extend(&name##_pool, name##_pool.lock, tp_steal_core,     \
                          tag, site);                                        \
  }                                                                          \
  TP_POOL_OWN_BY(name, type, name##_extend)

// The same without masking, where the port has the instructions.
#define TP_POOL_OWN_EXCLUSIVE(name, type)                                    \
  TP_NOINLINE type *name##_alloc(void)                                       \
  {                                                                          \
    return (type *)tp_exclusive_alloc(&name##_pool);                         \
  }                                                                          \
  TP_NOINLINE void name##_free(type *object)                                 \
  {                                                                          \
    tp_exclusive_free(&name##_pool, object);                                 \
  }                                                                          \
  _Static_assert(1, "")

#define TP_POOL_OWN_BY(name, type, extend)                                   \
  TP_NOINLINE type *name##_alloc(void)                                       \
  {                                                                          \
    return (type *)tp_core_alloc(&name##_pool, name##_pool.lock, extend,     \
                                 NULL, NULL);                                \
  }                                                                          \
  TP_NOINLINE void name##_free(type *object)                                 \
  {                                                                          \
    tp_core_free(&name##_pool, name##_pool.lock, object, NULL);              \
  }                                                                          \
  _Static_assert(1, "")

#endif
