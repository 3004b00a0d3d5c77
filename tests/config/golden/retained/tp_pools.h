// Generated from pools.toml by tidepool.py. Edit pools.toml, not this file.
// clang-format off

#ifndef TP_POOLS_H
#define TP_POOLS_H

#include "tidepool.h"
#include "config/tp_declare.h"
#include "object/tp_noinit.h"

#ifdef __cplusplus
extern "C" {
#endif

// Of the values alone: comments and layout do not change it.
#define TP_CONFIG_HASH 0xd0b34d63u

//  name   C type  size  count  when full
#define TP_POOLS(X) \
  X(notes, void,     24,    16, DROP) \
  X(logs,  void,     24,    16, STEAL_OLDEST) \
  X(plain, void,     24,    16, DROP)

enum tp_pool_id {
  TP_ID_NOTES,
  TP_ID_LOGS,
  TP_ID_PLAIN,
  TP_POOL_N,
};

extern const struct tp_pool *const tp_pool_table[TP_POOL_N];

// What led to the reset.
// RAM: 384 bytes of slots in keep, 68 of tags, 4 of other metadata, and its state.
// Handles: 27 bits of generation wrap after 25.9 days of 60 reuses a second.
TP_POOL_DECLARE(notes, void);
TP_POOL_DECLARE_HANDLES(notes, void, 32);
TP_NOINIT_DECLARE(notes);

// RAM: 384 bytes of slots in keep, 136 of ages, 68 of tags, 4 of other metadata, and its state.
// Handles: 27 bits of generation wrap after 25.9 days of 60 reuses a second.
TP_POOL_DECLARE(logs, void);
TP_POOL_DECLARE_HANDLES(logs, void, 32);
TP_NOINIT_DECLARE(logs);

// RAM: 384 bytes of slots in keep, 68 of tags (8 at off), 4 of other metadata, and its state.
TP_POOL_DECLARE(plain, void);
TP_NOINIT_DECLARE(plain);

#ifdef __cplusplus
}
#endif

#endif
