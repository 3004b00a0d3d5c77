// Generated from pools.toml by tidepool.py. Edit pools.toml, not this file.
// clang-format off

#ifndef TP_POOLS_H
#define TP_POOLS_H

#include "tidepool.h"
#include "config/tp_declare.h"
#include "allocator/tp_reloc.h"

#ifdef __cplusplus
extern "C" {
#endif

// Of the values alone: comments and layout do not change it.
#define TP_CONFIG_HASH 0x1898de6eu

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

// Meshes of what is near.
// RAM: 16392 bytes in psram, 544 of metadata.
// Handles: 25 bits of generation wrap after 6.5 days of 60 reuses a second.
void mesh_moved(void *to, const void *from, tp_handle_t handle);
TP_RELOC_DECLARE(meshes);

// RAM: 1032 bytes, 8032 of metadata.
// Handles: 22 bits of generation wrap after 19.4 hours of 60 reuses a second.
TP_RELOC_DECLARE(names);

#ifdef __cplusplus
}
#endif

#endif
