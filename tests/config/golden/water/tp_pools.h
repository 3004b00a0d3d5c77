// Generated from pools.toml by tidepool.py. Edit pools.toml, not this file.
// clang-format off

#ifndef TP_POOLS_H
#define TP_POOLS_H

#include "tidepool.h"
#include "config/tp_declare.h"
#include "policy/tp_watermark.h"
#include "game/types.h"

#ifdef __cplusplus
extern "C" {
#endif

// Of the values alone: comments and layout do not change it.
#define TP_CONFIG_HASH 0x668e6177u

//  name     C type        size  count  when full
#define TP_POOLS(X) \
  X(packets, struct enemy,   80,    32, DROP) \
  X(frames,  void,           64,     8, ASSERT)

enum tp_pool_id {
  TP_ID_PACKETS,
  TP_ID_FRAMES,
  TP_POOL_N,
};

extern const struct tp_pool *const tp_pool_table[TP_POOL_N];

// RAM: 2560 bytes of slots, 132 of tags (8 at off), 4 of other metadata, and its state.
TP_STATIC_ASSERT(sizeof(struct enemy) <= 80,
                 "pools.toml:7: packets: size = 80 is less than sizeof(struct enemy)");
TP_STATIC_ASSERT(TP_ALIGNOF(struct enemy) <= 8,
                 "pools.toml:7: packets: align = 8 is less than struct enemy needs");
void close_window(const struct tp_pool *pool, uint32_t free);
void open_window(const struct tp_pool *pool, uint32_t free);
TP_WATERMARK_DECLARE(packets, struct enemy);

// RAM: 512 bytes of slots, 36 of tags (8 at off), 4 of other metadata, and its state.
TP_WATERMARK_DECLARE(frames, void);

#ifdef __cplusplus
}
#endif

#endif
