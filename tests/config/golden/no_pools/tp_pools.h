// Generated from pools.toml by tidepool.py. Edit pools.toml, not this file.
// clang-format off

#ifndef TP_POOLS_H
#define TP_POOLS_H

#include "tidepool.h"
#include "config/tp_declare.h"
#include "allocator/tp_frame.h"

#ifdef __cplusplus
extern "C" {
#endif

// Of the values alone: comments and layout do not change it.
#define TP_CONFIG_HASH 0xe4d41cd2u

#define TP_POOLS(X)

enum tp_pool_id {
  TP_POOL_N,
};

// RAM: 1024 bytes, 20 of metadata.
TP_FRAME_DECLARE(draw);

#ifdef __cplusplus
}
#endif

#endif
