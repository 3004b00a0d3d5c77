// SPDX-License-Identifier: MIT
// subject.h - defines a subject of the sweep from the calls of a pool.
#ifndef SUBJECT_H
#define SUBJECT_H

#include "sweep.h"

#define PLAIN(pool_name)             \
  const struct subject pool_name = { \
      .name = #pool_name,            \
      .pool = &pool_name##_pool,     \
      .alloc = pool_name##_alloc,    \
      .free = pool_name##_free,      \
  }

// The calls an application makes, each out of line to be swept whole.
#define KEYED(pool_name, noun)                                 \
  static uint64_t pool_name##_wide(const struct item *item)    \
  {                                                            \
    return noun##_of(&pool_name##_pool, item);                 \
  }                                                            \
  static struct item *pool_name##_alloc_wide(uint64_t *handle) \
  {                                                            \
    noun##_t own;                                              \
    struct item *item = noun##_alloc(&pool_name##_pool, &own); \
    *handle = own;                                             \
    return item;                                               \
  }                                                            \
  static struct item *pool_name##_find(uint64_t handle)        \
  {                                                            \
    return noun##_get(&pool_name##_pool, (noun##_t)handle);    \
  }                                                            \
  static bool pool_name##_end(uint64_t handle)                 \
  {                                                            \
    return noun##_free(&pool_name##_pool, (noun##_t)handle);   \
  }                                                            \
  KEYED_SUBJECT(pool_name)

// Those that tp_pools.c has of a row with code of its own.
#define KEYED_OWN(pool_name, noun)                                            \
  static uint64_t pool_name##_wide(const struct item *item)                   \
  {                                                                           \
    return pool_name##_handle(item).bits;                                     \
  }                                                                           \
  static struct item *pool_name##_alloc_wide(uint64_t *handle)                \
  {                                                                           \
    pool_name##_handle_t own;                                                 \
    struct item *item = pool_name##_alloc_handle(&own);                       \
    *handle = own.bits;                                                       \
    return item;                                                              \
  }                                                                           \
  static struct item *pool_name##_find(uint64_t handle)                       \
  {                                                                           \
    return pool_name##_get((pool_name##_handle_t){(noun##_t)handle});         \
  }                                                                           \
  static bool pool_name##_end(uint64_t handle)                                \
  {                                                                           \
    return pool_name##_free_handle((pool_name##_handle_t){(noun##_t)handle}); \
  }                                                                           \
  KEYED_SUBJECT(pool_name)

#define KEYED_SUBJECT(pool_name)              \
  const struct subject pool_name = {          \
      .name = #pool_name,                     \
      .pool = &pool_name##_pool,              \
      .alloc = pool_name##_alloc,             \
      .free = pool_name##_free,               \
      .alloc_handle = pool_name##_alloc_wide, \
      .handle = pool_name##_wide,             \
      .get = pool_name##_find,                \
      .free_handle = pool_name##_end,         \
  }

#endif
