// Generated from pools.toml by tidepool.py. Edit pools.toml, not this file.
// clang-format off

#ifndef TP_POOLS_H
#define TP_POOLS_H

#include "tidepool.h"
#include "tidepool_version.h"
#include "policy/tp_watermark.h"
#include "game/types.h"

#ifdef __cplusplus
extern "C" {
#endif

// Of the values alone: comments and layout do not change it.
#define TP_CONFIG_HASH 0x668e6177u

TP_STATIC_ASSERT(TIDEPOOL_VERSION == 100,
                 "tidepool.py of version 0.1.0 generated this, but the library is of version "
                 TIDEPOOL_VERSION_TEXT);

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

// RAM: 2560 bytes of slots, 132 of tags (8 at off), 4 of other metadata, and
// its state.
enum {
  PACKETS_COUNT = 32,
  PACKETS_SIZE = 80,
};
TP_STATIC_ASSERT(sizeof(struct enemy) <= PACKETS_SIZE,
                 "pools.toml:7: packets: size = 80 is less than sizeof(struct enemy)");
TP_STATIC_ASSERT(TP_ALIGNOF(struct enemy) <= 8,
                 "pools.toml:7: packets: align = 8 is less than struct enemy needs");
void close_window(const struct tp_pool *pool, uint32_t free);
void open_window(const struct tp_pool *pool, uint32_t free);
extern const struct tp_pool packets_pool;
extern const struct tp_watermark packets_watermark;

// A slot, not initialised. When all 32 are live: NULL. close_window() is told
// when 4 are left.
static inline TP_CALL struct enemy *packets_alloc(void)
{
  return (struct enemy *)tp_watermark_alloc(&packets_watermark);
}

// Takes back what packets_alloc() returned. open_window() is told when 16 are
// free again.
static inline TP_CALL void packets_free(struct enemy *object)
{
  tp_watermark_free(&packets_watermark, object);
}

// RAM: 512 bytes of slots, 36 of tags (8 at off), 4 of other metadata, and its
// state.
enum {
  FRAMES_COUNT = 8,
  FRAMES_SIZE = 64,
};
extern const struct tp_pool frames_pool;
extern const struct tp_watermark frames_watermark;

// A slot, not initialised. When all 8 are live: a fault, FULL. close_window()
// is told when 1 are left.
static inline TP_CALL void *frames_alloc(void)
{
  return tp_watermark_alloc(&frames_watermark);
}

// Takes back what frames_alloc() returned.
static inline TP_CALL void frames_free(void *object)
{
  tp_watermark_free(&frames_watermark, object);
}

#ifdef __cplusplus
}
#endif

#endif
