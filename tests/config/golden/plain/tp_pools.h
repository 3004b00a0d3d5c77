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
#define TP_CONFIG_HASH 0xb050f8a4u

//  name       C type           size  count  when full
#define TP_POOLS(X) \
  X(particles, struct particle,   24,   256, DROP) \
  X(enemies,   struct enemy,      80,    48, ASSERT)

enum tp_pool_id {
  TP_ID_PARTICLES,
  TP_ID_ENEMIES,
  TP_POOL_N,
};

extern const struct tp_pool *const tp_pool_table[TP_POOL_N];

// RAM: 6144 bytes of slots, 1028 of tags (8 at off), and its state.
TP_STATIC_ASSERT(sizeof(struct particle) <= 24,
                 "pools.toml:7: particles: size = 24 is less than sizeof(struct particle)");
TP_STATIC_ASSERT(TP_ALIGNOF(struct particle) <= 8,
                 "pools.toml:7: particles: align = 8 is less than struct particle needs");
TP_POOL_DECLARE(particles, struct particle);

// RAM: 3840 bytes of slots, 196 of tags (8 at off), and its state.
TP_STATIC_ASSERT(sizeof(struct enemy) <= 80,
                 "pools.toml:8: enemies: size = 80 is less than sizeof(struct enemy)");
TP_STATIC_ASSERT(TP_ALIGNOF(struct enemy) <= 8,
                 "pools.toml:8: enemies: align = 8 is less than struct enemy needs");
TP_POOL_DECLARE(enemies, struct enemy);

#ifdef __cplusplus
}
#endif

#endif
