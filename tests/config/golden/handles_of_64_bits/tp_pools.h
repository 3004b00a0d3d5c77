// Generated from pools.toml by tidepool.py. Edit pools.toml, not this file.
// clang-format off

#ifndef TP_POOLS_H
#define TP_POOLS_H

#include "tidepool.h"
#include "config/tp_declare.h"
#include "game/types.h"

#ifdef __cplusplus
extern "C" {
#endif

// Of the values alone: comments and layout do not change it.
#define TP_CONFIG_HASH 0x0509ffe7u

//  name    C type           size  count  when full
#define TP_POOLS(X) \
  X(sparks, struct particle,   24,  4000, DROP)

enum tp_pool_id {
  TP_ID_SPARKS,
  TP_POOL_N,
};

extern const struct tp_pool *const tp_pool_table[TP_POOL_N];

// RAM: 96000 bytes of slots, 16004 of tags, and its state.
// Handles: 31 bits of generation wrap after 414.3 days of 60 reuses a second.
TP_STATIC_ASSERT(sizeof(struct particle) <= 24,
                 "pools.toml:7: sparks: size = 24 is less than sizeof(struct particle)");
TP_STATIC_ASSERT(TP_ALIGNOF(struct particle) <= 8,
                 "pools.toml:7: sparks: align = 8 is less than struct particle needs");
TP_POOL_DECLARE(sparks, struct particle);
TP_POOL_DECLARE_HANDLES(sparks, struct particle, 64);

#ifdef __cplusplus
}
#endif

#endif
