// SPDX-License-Identifier: MIT
// tp_table.h - pools from a list that is written by hand: without pools.toml,
// without its generator, without Python.
//
// tp_pools.h is then yours. After including this header and those of the types
// it says (each line of the macro but the last ends in a backslash):
//
//   //        name       C type           size  count  when full
//   #define TP_POOLS(X)
//     X(particles, struct particle,   24,   256, DROP)
//     X(enemies,   struct enemy,      96,    48, ASSERT)
//     X(sounds,    struct voice,      64,    16, STEAL_OLDEST)
//
//   TP_TABLE_DECLARE(TP_POOLS)
//
// and one C file, after including it and config/tp_define.h:
//
//   TP_TABLE_DEFINE(TP_POOLS)
//
// That makes TP_ID_particles and TP_POOL_N, tp_pool_table[], and for each row
// NAME_alloc() and NAME_free(). Slots are aligned to 8. A pool that steals
// hands out handles of 32 bits, for nobody is told of the theft. Whatever else
// a pool can be is written with TP_POOL_DEFINE(), beside the list.
#ifndef TP_TABLE_H
#define TP_TABLE_H

#include "config/tp_declare.h"
#include "tidepool.h"

// Slots of the list begin at multiples of it.
#define TP_TABLE_ALIGN 8

#define TP_TABLE_DECLARE(list)                                 \
  enum tp_pool_id { list(TP_TABLE_ID) TP_POOL_N };             \
  TP_TABLE_EXTERN const struct tp_pool *const tp_pool_table[]; \
  list(TP_TABLE_DECLARE_ROW)

#ifdef __cplusplus
#define TP_TABLE_EXTERN extern "C"
#else
#define TP_TABLE_EXTERN extern
#endif

#define TP_TABLE_ID(name, type, size, count, full) TP_ID_##name,

#define TP_TABLE_DECLARE_ROW(name, type, size, count, full)           \
  TP_STATIC_ASSERT(sizeof(type) <= (size),                            \
                   #name ": " #size " bytes are less than its type"); \
  TP_STATIC_ASSERT(TP_ALIGNOF(type) <= TP_TABLE_ALIGN,                \
                   #name ": its type needs more alignment");          \
  TP_TABLE_EXTERN const struct tp_pool name##_pool;                   \
  TP_POOL_DECLARE_CALLS(name, type);                                  \
  TP_TABLE_HANDLES_##full(name, type);

#define TP_TABLE_HANDLES_DROP(name, type)   TP_STATIC_ASSERT(1, "")
#define TP_TABLE_HANDLES_ASSERT(name, type) TP_STATIC_ASSERT(1, "")
#define TP_TABLE_HANDLES_STEAL_OLDEST(name, type) \
  TP_POOL_DECLARE_HANDLES(name, type, 32)

// C only, as tp_define.h.
#define TP_TABLE_DEFINE(list)                                  \
  list(TP_TABLE_DEFINE_ROW)                                    \
      const struct tp_pool *const tp_pool_table[TP_POOL_N] = { \
          list(TP_TABLE_ENTRY)};

#define TP_TABLE_ENTRY(name, type, size, count, full) &name##_pool,

#define TP_TABLE_DEFINE_ROW(name, type, size, count, full) \
  TP_TABLE_DEFINE_##full(name, size, count)

#define TP_TABLE_DEFINE_DROP(name, size, count)                 \
  TP_POOL_DEFINE(name, size, count, TP_TABLE_ALIGN, TP_NO_BANK, \
                 TP_TAGS_IF_CHECKED, .policy = &tp_drop, .refuses = 1);

#define TP_TABLE_DEFINE_ASSERT(name, size, count)               \
  TP_POOL_DEFINE(name, size, count, TP_TABLE_ALIGN, TP_NO_BANK, \
                 TP_TAGS_IF_CHECKED, .policy = &tp_assert);

#define TP_TABLE_DEFINE_STEAL_OLDEST(name, size, count)         \
  TP_POOL_AGE(name, count);                                     \
  TP_POOL_DEFINE(name, size, count, TP_TABLE_ALIGN, TP_NO_BANK, \
                 TP_TAGS_ALWAYS, .policy = &tp_steal_oldest,    \
                 .age = name##_age);

#endif
