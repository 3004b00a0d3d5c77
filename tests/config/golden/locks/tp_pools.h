// Generated from pools.toml by tidepool.py. Edit pools.toml, not this file.
// clang-format off

#ifndef TP_POOLS_H
#define TP_POOLS_H

#include "tidepool.h"
#include "tidepool_version.h"

#ifdef __cplusplus
extern "C" {
#endif

// Of the values alone: comments and layout do not change it.
#define TP_CONFIG_HASH 0x5d448b12u

TP_STATIC_ASSERT(TIDEPOOL_VERSION == 100,
                 "tidepool.py of version 0.1.0 generated this, but the library is of version "
                 TIDEPOOL_VERSION_TEXT);

//  name    C type  size  count  when full
#define TP_POOLS(X) \
  X(events, void,     16,     8, DROP) \
  X(frames, void,     16,     8, DROP)

enum tp_pool_id {
  TP_ID_EVENTS,
  TP_ID_FRAMES,
  TP_POOL_N,
};

extern const struct tp_pool *const tp_pool_table[TP_POOL_N];

// Used by interrupts of priority 4 and below, of 16.
// RAM: 128 bytes of slots, 36 of tags (8 at off), and its state.
enum {
  EVENTS_COUNT = 8,
  EVENTS_SIZE = 16,
};
extern const struct tp_pool events_pool;

// A slot, not initialised. When all 8 are live: NULL.
void *events_alloc(void);

// Takes back what events_alloc() returned.
void events_free(void *object);

// Used by all.
// RAM: 128 bytes of slots, 36 of tags (8 at off), and its state.
enum {
  FRAMES_COUNT = 8,
  FRAMES_SIZE = 16,
};
extern const struct tp_pool frames_pool;

// A slot, not initialised. When all 8 are live: NULL.
void *frames_alloc(void);

// Takes back what frames_alloc() returned.
void frames_free(void *object);

#ifdef __cplusplus
}
#endif

#endif
