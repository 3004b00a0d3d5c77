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
#define TP_CONFIG_HASH 0xba6649a1u

//  name       C type           size  count  when full
#define TP_POOLS(X) \
  X(particles, struct particle,   24,   256, DROP) \
  X(enemies,   struct enemy,      80,    48, ASSERT) \
  X(embers,    struct particle,   24,    64, DROP) \
  X(debris,    struct particle,   24,    64, DROP)

enum tp_pool_id {
  TP_ID_PARTICLES,
  TP_ID_ENEMIES,
  TP_ID_EMBERS,
  TP_ID_DEBRIS,
  TP_POOL_N,
};

extern const struct tp_pool *const tp_pool_table[TP_POOL_N];

// RAM: 6144 bytes of slots in dtcm, 1028 of tags (8 at off), and its state.
TP_STATIC_ASSERT(sizeof(struct particle) <= 24,
                 "pools.toml:12: particles: size = 24 is less than sizeof(struct particle)");
TP_STATIC_ASSERT(TP_ALIGNOF(struct particle) <= 8,
                 "pools.toml:12: particles: align = 8 is less than struct particle needs");
TP_POOL_DECLARE(particles, struct particle);

// RAM: 3840 bytes of slots in psram, 196 of tags (8 at off), and its state.
TP_STATIC_ASSERT(sizeof(struct enemy) <= 80,
                 "pools.toml:13: enemies: size = 80 is less than sizeof(struct enemy)");
TP_STATIC_ASSERT(TP_ALIGNOF(struct enemy) <= 8,
                 "pools.toml:13: enemies: align = 8 is less than struct enemy needs");
TP_POOL_DECLARE(enemies, struct enemy);

// RAM: 1536 bytes of slots in dtcm, 260 of tags (8 at off), and its state.
TP_STATIC_ASSERT(sizeof(struct particle) <= 24,
                 "pools.toml:14: embers: size = 24 is less than sizeof(struct particle)");
TP_STATIC_ASSERT(TP_ALIGNOF(struct particle) <= 8,
                 "pools.toml:14: embers: align = 8 is less than struct particle needs");
TP_POOL_DECLARE(embers, struct particle);

// RAM: 1536 bytes of slots, 260 of tags (8 at off), and its state.
TP_STATIC_ASSERT(sizeof(struct particle) <= 24,
                 "pools.toml:15: debris: size = 24 is less than sizeof(struct particle)");
TP_STATIC_ASSERT(TP_ALIGNOF(struct particle) <= 8,
                 "pools.toml:15: debris: align = 8 is less than struct particle needs");
TP_POOL_DECLARE(debris, struct particle);

#ifdef __cplusplus
}
#endif

#endif
