// Generated from pools.toml by tidepool.py. Edit pools.toml, not this file.
// clang-format off

#ifndef TP_POOLS_H
#define TP_POOLS_H

#include "tidepool.h"
#include "config/tp_declare.h"
#include "allocator/tp_dense.h"
#include "game/types.h"

#ifdef __cplusplus
extern "C" {
#endif

// Of the values alone: comments and layout do not change it.
#define TP_CONFIG_HASH 0x733be385u

//  name    C type  size  count  when full
#define TP_POOLS(X) \
  X(sparks, void,     24,    10, DROP)

enum tp_pool_id {
  TP_ID_SPARKS,
  TP_POOL_N,
};

extern const struct tp_pool *const tp_pool_table[TP_POOL_N];

// RAM: 240 bytes of slots, 44 of tags (8 at off), and its state.
TP_POOL_DECLARE(sparks, void);

// Walked over every frame.
// RAM: 3072 bytes in ram, 788 of metadata.
// Handles: 24 bits of generation wrap after 3.2 days of 60 reuses a second.
TP_STATIC_ASSERT(sizeof(struct particle) <= 24,
                 "pools.toml:14: bullets: size = 24 is less than sizeof(struct particle)");
TP_STATIC_ASSERT(TP_ALIGNOF(struct particle) <= 8,
                 "pools.toml:14: bullets: align = 8 is less than struct particle needs");
void bullet_moved(struct particle *to, const struct particle *from, tp_handle_t handle);
TP_DENSE_DECLARE(bullets, struct particle);

// RAM: 320 bytes, 116 of metadata.
// Handles: 27 bits of generation wrap after 25.9 days of 60 reuses a second.
TP_STATIC_ASSERT(sizeof(struct particle) <= 20,
                 "pools.toml:15: shells: size = 20 is less than sizeof(struct particle)");
TP_STATIC_ASSERT(TP_ALIGNOF(struct particle) <= 4,
                 "pools.toml:15: shells: align = 4 is less than struct particle needs");
TP_DENSE_DECLARE(shells, struct particle);

// RAM: 72 bytes, 74 of metadata.
// Handles: 28 bits of generation wrap after 51.8 days of 60 reuses a second.
TP_DENSE_DECLARE(marks, void);

#ifdef __cplusplus
}
#endif

#endif
