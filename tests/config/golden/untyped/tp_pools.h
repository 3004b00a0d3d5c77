// Generated from pools.toml by tidepool.py. Edit pools.toml, not this file.
// clang-format off

#ifndef TP_POOLS_H
#define TP_POOLS_H

#include "tidepool.h"
#include "tidepool_version.h"
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// Of the values alone: comments and layout do not change it.
#define TP_CONFIG_HASH 0x0f60f8c3u

TP_STATIC_ASSERT(TIDEPOOL_VERSION == 100,
                 "tidepool.py of version 0.1.0 generated this, but the library is of version "
                 TIDEPOOL_VERSION_TEXT);

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
enum {
  PACKETS_COUNT = 8,
  PACKETS_SIZE = 64,
};
extern const struct tp_pool packets_pool;

// A slot, not initialised. When all 8 are live: NULL.
static inline TP_CALL void *packets_alloc(void)
{
  return tp_pool_alloc(&packets_pool);
}

// Takes back what packets_alloc() returned.
static inline TP_CALL void packets_free(void *object)
{
  tp_pool_free(&packets_pool, object);
}

// RAM: 400 bytes of slots, 404 of tags (8 at off), and its state.
enum {
  WORDS_COUNT = 100,
  WORDS_SIZE = 4,
};
extern const struct tp_pool words_pool;

// A slot, not initialised. When all 100 are live: NULL.
static inline TP_CALL void *words_alloc(void)
{
  return tp_pool_alloc(&words_pool);
}

// Takes back what words_alloc() returned.
static inline TP_CALL void words_free(void *object)
{
  tp_pool_free(&words_pool, object);
}

// RAM: 40 bytes of slots, 24 of tags (8 at off), and its state.
enum {
  POINTERS_COUNT = 5,
  POINTERS_SIZE = 8,
};
TP_STATIC_ASSERT(sizeof(uint8_t *) <= POINTERS_SIZE,
                 "pools.toml:9: pointers: size = 8 is less than sizeof(uint8_t *)");
TP_STATIC_ASSERT(TP_ALIGNOF(uint8_t *) <= 8,
                 "pools.toml:9: pointers: align = 8 is less than uint8_t * needs");
extern const struct tp_pool pointers_pool;

// A slot, not initialised. When all 5 are live: NULL.
static inline TP_CALL uint8_t **pointers_alloc(void)
{
  return (uint8_t **)tp_pool_alloc(&pointers_pool);
}

// Takes back what pointers_alloc() returned.
static inline TP_CALL void pointers_free(uint8_t **object)
{
  tp_pool_free(&pointers_pool, object);
}

#ifdef __cplusplus
}
#endif

#endif
