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
#define TP_CONFIG_HASH 0xd9cc1ec7u

//  name    C type           size  count  when full
#define TP_POOLS(X) \
  X(sounds, struct voice,       8,    16, STEAL_OLDEST) \
  X(sparks, struct particle,   24,   512, DROP) \
  X(lamps,  struct voice,       8,     1, DROP)

enum tp_pool_id {
  TP_ID_SOUNDS,
  TP_ID_SPARKS,
  TP_ID_LAMPS,
  TP_POOL_N,
};

extern const struct tp_pool *const tp_pool_table[TP_POOL_N];

// RAM: 128 bytes of slots, 68 of ages, 68 of tags, and its state.
// Handles: 27 bits of generation wrap after 25.9 days of 60 reuses a second.
TP_STATIC_ASSERT(sizeof(struct voice) <= 8,
                 "pools.toml:7: sounds: size = 8 is less than sizeof(struct voice)");
TP_STATIC_ASSERT(TP_ALIGNOF(struct voice) <= 8,
                 "pools.toml:7: sounds: align = 8 is less than struct voice needs");
void voice_stopped(struct voice *victim);
TP_POOL_DECLARE(sounds, struct voice);
TP_POOL_DECLARE_HANDLES(sounds, struct voice, 32);

// RAM: 12288 bytes of slots, 2052 of tags, and its state.
// Handles: 22 bits of generation wrap after 19.4 hours of 60 reuses a second.
TP_STATIC_ASSERT(sizeof(struct particle) <= 24,
                 "pools.toml:8: sparks: size = 24 is less than sizeof(struct particle)");
TP_STATIC_ASSERT(TP_ALIGNOF(struct particle) <= 8,
                 "pools.toml:8: sparks: align = 8 is less than struct particle needs");
TP_POOL_DECLARE(sparks, struct particle);
TP_POOL_DECLARE_HANDLES(sparks, struct particle, 32);

// RAM: 8 bytes of slots, 8 of tags, and its state.
// Handles: 31 bits of generation wrap after 414.3 days of 60 reuses a second.
TP_STATIC_ASSERT(sizeof(struct voice) <= 8,
                 "pools.toml:9: lamps: size = 8 is less than sizeof(struct voice)");
TP_STATIC_ASSERT(TP_ALIGNOF(struct voice) <= 8,
                 "pools.toml:9: lamps: align = 8 is less than struct voice needs");
TP_POOL_DECLARE(lamps, struct voice);
TP_POOL_DECLARE_HANDLES(lamps, struct voice, 32);

#ifdef __cplusplus
}
#endif

#endif
