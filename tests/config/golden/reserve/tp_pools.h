// Generated from pools.toml by tidepool.py. Edit pools.toml, not this file.
// clang-format off

#ifndef TP_POOLS_H
#define TP_POOLS_H

#include "tidepool.h"
#include "config/tp_declare.h"
#include "policy/tp_reserve.h"
#include "game/types.h"

#ifdef __cplusplus
extern "C" {
#endif

// Of the values alone: comments and layout do not change it.
#define TP_CONFIG_HASH 0x435f8c94u

//  name    C type        size  count  when full
#define TP_POOLS(X) \
  X(voices, struct voice,    8,    16, DROP) \
  X(jobs,   void,           32,     4, ASSERT)

enum tp_pool_id {
  TP_ID_VOICES,
  TP_ID_JOBS,
  TP_POOL_N,
};

extern const struct tp_pool *const tp_pool_table[TP_POOL_N];

// Two are for the boss.
// RAM: 112 bytes of slots in ram, 60 of tags (8 at off), 16 of other metadata, and its state.
TP_STATIC_ASSERT(sizeof(struct voice) <= 8,
                 "pools.toml:11: voices: size = 8 is less than sizeof(struct voice)");
TP_STATIC_ASSERT(TP_ALIGNOF(struct voice) <= 8,
                 "pools.toml:11: voices: align = 8 is less than struct voice needs");
TP_POOL_DECLARE(voices, struct voice);
TP_RESERVE_DECLARE(voices, struct voice);

// RAM: 96 bytes of slots, 16 of tags (8 at off), 16 of other metadata, and its state.
TP_POOL_DECLARE(jobs, void);
TP_RESERVE_DECLARE(jobs, void);

#ifdef __cplusplus
}
#endif

#endif
