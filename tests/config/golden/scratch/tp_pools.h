// Generated from pools.toml by tidepool.py. Edit pools.toml, not this file.
// clang-format off

#ifndef TP_POOLS_H
#define TP_POOLS_H

#include "tidepool.h"
#include "config/tp_declare.h"
#include "allocator/tp_dstack.h"
#include "allocator/tp_frame.h"
#include "allocator/tp_stack.h"

#ifdef __cplusplus
extern "C" {
#endif

// Of the values alone: comments and layout do not change it.
#define TP_CONFIG_HASH 0xd6b7235au

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

// Lives as long as a level.
// RAM: 8192 bytes in ram, 24 of metadata.
TP_STACK_DECLARE(level);

// RAM: 4096 bytes, 48 of metadata.
TP_DSTACK_DECLARE(sides);

// What this frame draws, and the next one shows.
// RAM: 8192 bytes in ram, 32 of metadata.
TP_FRAME_DECLARE(draw);

// RAM: 512 bytes, 20 of metadata.
TP_FRAME_DECLARE(scratch);

#ifdef __cplusplus
}
#endif

#endif
