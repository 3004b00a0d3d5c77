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
#define TP_CONFIG_HASH 0x661b5fb2u

//  name    C type        size  count  when full
#define TP_POOLS(X) \
  X(sounds, struct voice,    8,    16, STEAL_OLDEST) \
  X(music,  struct voice,    8,     4, STEAL_OLDEST) \
  X(logs,   void,          128,    10, STEAL_OLDEST)

enum tp_pool_id {
  TP_ID_SOUNDS,
  TP_ID_MUSIC,
  TP_ID_LOGS,
  TP_POOL_N,
};

extern const struct tp_pool *const tp_pool_table[TP_POOL_N];

// RAM: 128 bytes of slots, 68 of ages, 68 of tags (8 at off), and its state.
TP_STATIC_ASSERT(sizeof(struct voice) <= 8,
                 "pools.toml:7: sounds: size = 8 is less than sizeof(struct voice)");
TP_STATIC_ASSERT(TP_ALIGNOF(struct voice) <= 8,
                 "pools.toml:7: sounds: align = 8 is less than struct voice needs");
void voice_stopped(struct voice *victim);
TP_POOL_DECLARE(sounds, struct voice);

// RAM: 32 bytes of slots, 20 of ages, 20 of tags (8 at off), and its state.
TP_STATIC_ASSERT(sizeof(struct voice) <= 8,
                 "pools.toml:8: music: size = 8 is less than sizeof(struct voice)");
TP_STATIC_ASSERT(TP_ALIGNOF(struct voice) <= 8,
                 "pools.toml:8: music: align = 8 is less than struct voice needs");
TP_POOL_DECLARE(music, struct voice);

// RAM: 1280 bytes of slots, 44 of ages, 44 of tags (8 at off), and its state.
void log_lost(void *victim);
TP_POOL_DECLARE(logs, void);

#ifdef __cplusplus
}
#endif

#endif
