// Generated from pools.toml by tidepool.py. Edit pools.toml, not this file.
// clang-format off

#ifndef TP_POOLS_H
#define TP_POOLS_H

#include "tidepool.h"
#include "config/tp_declare.h"
#include "policy/tp_steal_least.h"
#include "game/types.h"

#ifdef __cplusplus
extern "C" {
#endif

// Of the values alone: comments and layout do not change it.
#define TP_CONFIG_HASH 0x6bb016c3u

//  name    C type        size  count  when full
#define TP_POOLS(X) \
  X(voices, struct voice,    8,    16, STEAL_LEAST) \
  X(tracks, void,           16,     4, STEAL_LEAST) \
  X(logs,   void,           64,     9, STEAL_OLDEST)

enum tp_pool_id {
  TP_ID_VOICES,
  TP_ID_TRACKS,
  TP_ID_LOGS,
  TP_POOL_N,
};

extern const struct tp_pool *const tp_pool_table[TP_POOL_N];

// The quietest goes, unless the newcomer is quieter.
// RAM: 128 bytes of slots, 136 of ages, 68 of tags, and its state.
TP_STATIC_ASSERT(sizeof(struct voice) <= 8,
                 "pools.toml:8: voices: size = 8 is less than sizeof(struct voice)");
TP_STATIC_ASSERT(TP_ALIGNOF(struct voice) <= 8,
                 "pools.toml:8: voices: align = 8 is less than struct voice needs");
void voice_stopped(struct voice *victim);
uint32_t voice_loudness(const struct voice *object);
TP_POOL_DECLARE(voices, struct voice);
TP_POOL_DECLARE_SCORED(voices, struct voice);
TP_POOL_DECLARE_PINS(voices, struct voice);

// RAM: 64 bytes of slots, 20 of ages, 20 of tags, and its state.
// Handles: 29 bits of generation wrap after 103.6 days of 60 reuses a second.
uint32_t track_weight(const void *object);
TP_POOL_DECLARE(tracks, void);
TP_POOL_DECLARE_HANDLES(tracks, void, 32);
TP_POOL_DECLARE_SCORED(tracks, void);

// RAM: 576 bytes of slots, 80 of ages, 40 of tags, and its state.
// Handles: 28 bits of generation wrap after 51.8 days of 60 reuses a second.
TP_POOL_DECLARE_OWN(logs, void);
TP_POOL_DECLARE_HANDLES(logs, void, 32);

#ifdef __cplusplus
}
#endif

#endif
