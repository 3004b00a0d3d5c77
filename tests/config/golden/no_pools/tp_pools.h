// Generated from pools.toml by tidepool.py. Edit pools.toml, not this file.
// clang-format off

#ifndef TP_POOLS_H
#define TP_POOLS_H

#include "tidepool.h"
#include "tidepool_version.h"
#include "allocator/tp_frame.h"

#ifdef __cplusplus
extern "C" {
#endif

// Of the values alone: comments and layout do not change it.
#define TP_CONFIG_HASH 0xe4d41cd2u

TP_STATIC_ASSERT(TIDEPOOL_VERSION == 100,
                 "tidepool.py of version 0.1.0 generated this, but the library is of version "
                 TIDEPOOL_VERSION_TEXT);

#define TP_POOLS(X)

enum tp_pool_id {
  TP_POOL_N,
};

// RAM: 1024 bytes, 20 of metadata.
enum {
  DRAW_COUNT = 1,
  DRAW_SIZE = 1024,
};
extern const struct tp_frame draw_frame;

// [size] bytes at a multiple of [align], a power of two. Good for as long as
// this frame lasts. When they do not fit: NULL.
static inline TP_CALL void *draw_alloc(size_t size, size_t align)
{
  return tp_frame_alloc(&draw_frame, size, align);
}

// Ends the frame. What the next one allocates overwrites the oldest.
static inline TP_CALL void draw_end(void)
{
  tp_frame_end(&draw_frame);
}

#ifdef __cplusplus
}
#endif

#endif
