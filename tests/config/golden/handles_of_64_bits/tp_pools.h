// Generated from pools.toml by tidepool.py. Edit pools.toml, not this file.
// clang-format off

#ifndef TP_POOLS_H
#define TP_POOLS_H

#include "tidepool.h"
#include "tidepool_version.h"
#include "game/types.h"

#ifdef __cplusplus
extern "C" {
#endif

// Of the values alone: comments and layout do not change it.
#define TP_CONFIG_HASH 0x0509ffe7u

TP_STATIC_ASSERT(TIDEPOOL_VERSION == 100,
                 "tidepool.py of version 0.1.0 generated this, but the library is of version "
                 TIDEPOOL_VERSION_TEXT);

//  name    C type           size  count  when full
#define TP_POOLS(X) \
  X(sparks, struct particle,   24,  4000, DROP)

enum tp_pool_id {
  TP_ID_SPARKS,
  TP_POOL_N,
};

extern const struct tp_pool *const tp_pool_table[TP_POOL_N];

// RAM: 96000 bytes of slots, 16004 of tags, and its state.
// Handles: 31 bits of generation wrap after 414.3 days of 60 reuses a second.
enum {
  SPARKS_COUNT = 4000,
  SPARKS_SIZE = 24,
};
TP_STATIC_ASSERT(sizeof(struct particle) <= SPARKS_SIZE,
                 "pools.toml:7: sparks: size = 24 is less than sizeof(struct particle)");
TP_STATIC_ASSERT(TP_ALIGNOF(struct particle) <= 8,
                 "pools.toml:7: sparks: align = 8 is less than struct particle needs");
extern const struct tp_pool sparks_pool;

// A slot, not initialised. When all 4000 are live: NULL.
static inline TP_CALL struct particle *sparks_alloc(void)
{
  return (struct particle *)tp_pool_alloc(&sparks_pool);
}

// Takes back what sparks_alloc() returned.
static inline TP_CALL void sparks_free(struct particle *object)
{
  tp_pool_free(&sparks_pool, object);
}

// sparks_alloc(), and the handle of what it returns.
static inline TP_CALL struct particle *sparks_alloc_handle(tp_handle64_t *handle)
{
  return (struct particle *)tp_handle64_alloc(&sparks_pool, handle);
}

// The handle of a live object; TP_NO_HANDLE iff it is none of these.
static inline TP_CALL tp_handle64_t sparks_handle(const struct particle *object)
{
  return tp_handle64_of(&sparks_pool, object);
}

// What the handle refers to; NULL iff that is gone.
static inline TP_CALL struct particle *sparks_get(tp_handle64_t handle)
{
  return (struct particle *)tp_handle64_get(&sparks_pool, handle);
}

// Takes it back; false iff it is gone already.
static inline TP_CALL bool sparks_free_handle(tp_handle64_t handle)
{
  return tp_handle64_free(&sparks_pool, handle);
}

#ifdef __cplusplus
}
#endif

#endif
