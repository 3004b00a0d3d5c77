// Generated from pools.toml by tidepool.py. Edit pools.toml, not this file.
// clang-format off

#ifndef TP_POOLS_H
#define TP_POOLS_H

#include "tidepool.h"
#include "tidepool_version.h"
#include "allocator/tp_blocks.h"

#ifdef __cplusplus
extern "C" {
#endif

// Of the values alone: comments and layout do not change it.
#define TP_CONFIG_HASH 0x44629749u

TP_STATIC_ASSERT(TIDEPOOL_VERSION == 100,
                 "tidepool.py of version 0.1.0 generated this, but the library is of version "
                 TIDEPOOL_VERSION_TEXT);

//  name    C type  size  count  when full
#define TP_POOLS(X) \
  X(sparks, void,     24,    10, DROP)

enum tp_pool_id {
  TP_ID_SPARKS,
  TP_POOL_N,
};

extern const struct tp_pool *const tp_pool_table[TP_POOL_N];

// RAM: 240 bytes of slots, 44 of tags (8 at off), and its state.
enum {
  SPARKS_COUNT = 10,
  SPARKS_SIZE = 24,
};
extern const struct tp_pool sparks_pool;

// A slot, not initialised. When all 10 are live: NULL.
static inline TP_CALL void *sparks_alloc(void)
{
  return tp_pool_alloc(&sparks_pool);
}

// Takes back what sparks_alloc() returned.
static inline TP_CALL void sparks_free(void *object)
{
  tp_pool_free(&sparks_pool, object);
}

// Strings and closures of scripts.
// RAM: 3072 bytes in ram, 794 of metadata.
enum {
  SCRIPTS_SIZE = 64,
};
extern const struct tp_blocks scripts_blocks;

// A block of at least [size] bytes, 1 to 64, aligned to 8. When neither its
// size nor a bigger one has a block left: a fault, FULL.
static inline TP_CALL void *scripts_alloc(size_t size)
{
  return tp_blocks_alloc(&scripts_blocks, size);
}

// Takes back what scripts_alloc() returned.
static inline TP_CALL void scripts_free(void *block)
{
  tp_blocks_free(&scripts_blocks, block);
}

// RAM: 544 bytes, 120 of metadata.
enum {
  PACKETS_SIZE = 256,
};
extern const struct tp_blocks packets_blocks;

// A block of at least [size] bytes, 1 to 256, aligned to 8. When its size has
// no block left: NULL.
static inline TP_CALL void *packets_alloc(size_t size)
{
  return tp_blocks_alloc(&packets_blocks, size);
}

// Takes back what packets_alloc() returned.
static inline TP_CALL void packets_free(void *block)
{
  tp_blocks_free(&packets_blocks, block);
}

#ifdef __cplusplus
}
#endif

#endif
