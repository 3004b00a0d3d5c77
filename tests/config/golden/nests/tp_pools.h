// Generated from pools.toml by tidepool.py. Edit pools.toml, not this file.
// clang-format off

#ifndef TP_POOLS_H
#define TP_POOLS_H

#include "tidepool.h"
#include "config/tp_declare.h"
#include "allocator/tp_dstack.h"
#include "allocator/tp_frame.h"
#include "allocator/tp_nest.h"
#include "allocator/tp_stack.h"
#include "game/types.h"

#ifdef __cplusplus
extern "C" {
#endif

// Of the values alone: comments and layout do not change it.
#define TP_CONFIG_HASH 0xf2cf3fabu

//  name     C type        size  count  when full
#define TP_POOLS(X) \
  X(enemies, struct enemy,   80,    48, ASSERT) \
  X(sparks,  void,           12,     3, DROP) \
  X(embers,  void,           12,     1, DROP)

enum tp_pool_id {
  TP_ID_ENEMIES,
  TP_ID_SPARKS,
  TP_ID_EMBERS,
  TP_POOL_N,
};

extern const struct tp_pool *const tp_pool_table[TP_POOL_N];

// RAM: 3840 bytes of slots in ram, 196 of tags (8 at off), and its state.
TP_STATIC_ASSERT(sizeof(struct enemy) <= 80,
                 "pools.toml:16: enemies: size = 80 is less than sizeof(struct enemy)");
TP_STATIC_ASSERT(TP_ALIGNOF(struct enemy) <= 8,
                 "pools.toml:16: enemies: align = 8 is less than struct enemy needs");
TP_POOL_DECLARE(enemies, struct enemy);

// RAM: 36 bytes of slots in ram, 16 of tags (8 at off), and its state.
TP_POOL_DECLARE(sparks, void);

// RAM: 12 bytes of slots, 8 of tags (8 at off), and its state.
TP_POOL_DECLARE(embers, void);

// RAM: 2048 bytes in ram, 24 of metadata.
TP_STACK_DECLARE(level);

// RAM: 1024 bytes in ram, 48 of metadata.
TP_DSTACK_DECLARE(sides);

// RAM: 2048 bytes in ram, 32 of metadata.
TP_FRAME_DECLARE(draw);

// RAM: 7384 bytes in ram, 56 of metadata.
TP_NEST_DECLARE(root);

// RAM: 1008 bytes, 56 of metadata.
TP_NEST_DECLARE(side);

// RAM: 2048 bytes in ram, 56 of metadata.
TP_NEST_DECLARE(spare);

#ifdef __cplusplus
}
#endif

#endif
