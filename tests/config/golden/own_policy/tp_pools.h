// Generated from pools.toml by tidepool.py. Edit pools.toml, not this file.
// clang-format off

#ifndef TP_POOLS_H
#define TP_POOLS_H

#include "tidepool.h"
#include "config/tp_declare.h"

#ifdef __cplusplus
extern "C" {
#endif

// Of the values alone: comments and layout do not change it.
#define TP_CONFIG_HASH 0x76e16cc5u

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
extern const struct tp_policy app_drop_farthest;
TP_POOL_DECLARE(near, void);

// RAM: 512 bytes of slots, 36 of tags (8 at off), and its state.
TP_POOL_DECLARE(far, void);

#ifdef __cplusplus
}
#endif

#endif
