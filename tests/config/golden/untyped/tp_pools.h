// Generated from pools.toml by tidepool.py. Edit pools.toml, not this file.
// clang-format off

#ifndef TP_POOLS_H
#define TP_POOLS_H

#include "tidepool.h"
#include "config/tp_declare.h"
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// Of the values alone: comments and layout do not change it.
#define TP_CONFIG_HASH 0x0f60f8c3u

//  name      C type     size  count  when full
#define TP_POOLS(X) \
  X(packets,  void,        64,     8, DROP) \
  X(words,    void,         4,   100, DROP) \
  X(pointers, uint8_t *,    8,     5, DROP)

enum tp_pool_id {
  TP_ID_PACKETS,
  TP_ID_WORDS,
  TP_ID_POINTERS,
  TP_POOL_N,
};

extern const struct tp_pool *const tp_pool_table[TP_POOL_N];

// RAM: 512 bytes of slots, 36 of tags (8 at off), and its state.
TP_POOL_DECLARE(packets, void);

// RAM: 400 bytes of slots, 404 of tags (8 at off), and its state.
TP_POOL_DECLARE(words, void);

// RAM: 40 bytes of slots, 24 of tags (8 at off), and its state.
TP_STATIC_ASSERT(sizeof(uint8_t *) <= 8,
                 "pools.toml:9: pointers: size = 8 is less than sizeof(uint8_t *)");
TP_STATIC_ASSERT(TP_ALIGNOF(uint8_t *) <= 8,
                 "pools.toml:9: pointers: align = 8 is less than uint8_t * needs");
TP_POOL_DECLARE(pointers, uint8_t *);

#ifdef __cplusplus
}
#endif

#endif
