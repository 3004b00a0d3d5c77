// Generated from pools.toml by tidepool.py. Edit pools.toml, not this file.
// clang-format off

#ifndef TP_POOLS_H
#define TP_POOLS_H

#include "tidepool.h"
#include "config/tp_declare.h"
#include "policy/tp_spill.h"
#include "game/types.h"

#ifdef __cplusplus
extern "C" {
#endif

// Of the values alone: comments and layout do not change it.
#define TP_CONFIG_HASH 0x33f62208u

//  name    C type           size  count  when full
#define TP_POOLS(X) \
  X(sparks, struct particle,   24,    64, SPILL) \
  X(embers, struct particle,   24,    16, SPILL) \
  X(rubble, struct particle,   24,    16, SPILL) \
  X(depot,  void,              32,     8, DROP)

enum tp_pool_id {
  TP_ID_SPARKS,
  TP_ID_EMBERS,
  TP_ID_RUBBLE,
  TP_ID_DEPOT,
  TP_POOL_N,
};

extern const struct tp_pool *const tp_pool_table[TP_POOL_N];

// Borrow when it is crowded, come home when it is quiet.
// RAM: 1536 bytes of slots, 260 of tags (8 at off), 16 of other metadata, and its state.
TP_STATIC_ASSERT(sizeof(struct particle) <= 24,
                 "pools.toml:11: sparks: size = 24 is less than sizeof(struct particle)");
TP_STATIC_ASSERT(TP_ALIGNOF(struct particle) <= 8,
                 "pools.toml:11: sparks: align = 8 is less than struct particle needs");
TP_POOL_DECLARE(sparks, struct particle);
TP_SPILL_DECLARE(sparks);

// RAM: 384 bytes of slots in ram, 68 of tags (8 at off), 16 of other metadata, and its state.
TP_STATIC_ASSERT(sizeof(struct particle) <= 24,
                 "pools.toml:12: embers: size = 24 is less than sizeof(struct particle)");
TP_STATIC_ASSERT(TP_ALIGNOF(struct particle) <= 8,
                 "pools.toml:12: embers: align = 8 is less than struct particle needs");
TP_POOL_DECLARE(embers, struct particle);
TP_SPILL_DECLARE(embers);

// RAM: 384 bytes of slots, 68 of tags (8 at off), 108 of other metadata, and its state.
TP_STATIC_ASSERT(sizeof(struct particle) <= 24,
                 "pools.toml:13: rubble: size = 24 is less than sizeof(struct particle)");
TP_STATIC_ASSERT(TP_ALIGNOF(struct particle) <= 8,
                 "pools.toml:13: rubble: align = 8 is less than struct particle needs");
TP_POOL_DECLARE(rubble, struct particle);
TP_SPILL_DECLARE(rubble);
TP_CHUNK_DECLARE(rubble);

// RAM: 256 bytes of slots in ram, 36 of tags (8 at off), 24 of other metadata, and its state.
TP_POOL_DECLARE(depot, void);
TP_CHUNK_DECLARE(depot);

#ifdef __cplusplus
}
#endif

#endif
