// Generated from pools.toml by tidepool.py. Edit pools.toml, not this file.
// clang-format off

#ifndef TP_POOLS_H
#define TP_POOLS_H

#include "tidepool.h"
#include "tidepool_version.h"

#ifdef __cplusplus
extern "C" {
#endif

// Of the values alone: comments and layout do not change it.
#define TP_CONFIG_HASH 0x76e16cc5u

TP_STATIC_ASSERT(TIDEPOOL_VERSION == 100,
                 "tidepool.py of version 0.1.0 generated this, but the library is of version "
                 TIDEPOOL_VERSION_TEXT);

//  name  C type  size  count  when full
#define TP_POOLS(X) \
  X(near, void,     64,     8, POLICY) \
  X(far,  void,     64,     8, POLICY)

enum tp_pool_id {
  TP_ID_NEAR,
  TP_ID_FAR,
  TP_POOL_N,
};

extern const struct tp_pool *const tp_pool_table[TP_POOL_N];

// RAM: 512 bytes of slots, 36 of tags (8 at off), and its state.
enum {
  NEAR_COUNT = 8,
  NEAR_SIZE = 64,
};
extern const struct tp_policy app_drop_farthest;
extern const struct tp_pool near_pool;

// A slot, not initialised. When all 8 are live: what app_drop_farthest answers.
static inline TP_CALL void *near_alloc(void)
{
  return tp_pool_alloc(&near_pool);
}

// Takes back what near_alloc() returned.
static inline TP_CALL void near_free(void *object)
{
  tp_pool_free(&near_pool, object);
}

// RAM: 512 bytes of slots, 36 of tags (8 at off), and its state.
enum {
  FAR_COUNT = 8,
  FAR_SIZE = 64,
};
extern const struct tp_pool far_pool;

// A slot, not initialised. When all 8 are live: what app_drop_farthest answers.
static inline TP_CALL void *far_alloc(void)
{
  return tp_pool_alloc(&far_pool);
}

// Takes back what far_alloc() returned.
static inline TP_CALL void far_free(void *object)
{
  tp_pool_free(&far_pool, object);
}

#ifdef __cplusplus
}
#endif

#endif
