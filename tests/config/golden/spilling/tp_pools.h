// Generated from pools.toml by tidepool.py. Edit pools.toml, not this file.
// clang-format off

#ifndef TP_POOLS_H
#define TP_POOLS_H

#include "tidepool.h"
#include "tidepool_version.h"
#include "policy/tp_spill.h"
#include "game/types.h"

#ifdef __cplusplus
extern "C" {
#endif

// Of the values alone: comments and layout do not change it.
#define TP_CONFIG_HASH 0x33f62208u

TP_STATIC_ASSERT(TIDEPOOL_VERSION == 100,
                 "tidepool.py of version 0.1.0 generated this, but the library is of version "
                 TIDEPOOL_VERSION_TEXT);

//  name    C type           size  count  when full
#define TP_POOLS(X) \
  X(sparks, struct particle,   24,    64, SPILL) \
  X(embers, struct particle,   24,    16, SPILL) \
  X(rubble, struct particle,   24,    16, SPILL) \
  X(depot,  void,              32,     8, DROP)

enum tp_pool_id {
  TP_ID_SPARKS,
  TP_ID_EMBERS,
  TP_ID_RUBBLE,
  TP_ID_DEPOT,
  TP_POOL_N,
};

extern const struct tp_pool *const tp_pool_table[TP_POOL_N];

// Borrow when it is crowded, come home when it is quiet.
// RAM: 1536 bytes of slots, 260 of tags (8 at off), 16 of other metadata, and
// its state.
enum {
  SPARKS_COUNT = 64,
  SPARKS_SIZE = 24,
};
TP_STATIC_ASSERT(sizeof(struct particle) <= SPARKS_SIZE,
                 "pools.toml:11: sparks: size = 24 is less than sizeof(struct particle)");
TP_STATIC_ASSERT(TP_ALIGNOF(struct particle) <= 8,
                 "pools.toml:11: sparks: align = 8 is less than struct particle needs");
extern const struct tp_pool sparks_pool;
extern const struct tp_spill sparks_spill;

// A slot, not initialised. When all 64 are live: a slot of rubble; when that
// has none either: NULL.
static inline TP_CALL struct particle *sparks_alloc(void)
{
  return (struct particle *)tp_pool_alloc(&sparks_pool);
}

// Takes back what sparks_alloc() returned.
static inline TP_CALL void sparks_free(struct particle *object)
{
  tp_pool_free(&sparks_pool, object);
}

// RAM: 384 bytes of slots in ram, 68 of tags (8 at off), 16 of other metadata,
// and its state.
enum {
  EMBERS_COUNT = 16,
  EMBERS_SIZE = 24,
};
TP_STATIC_ASSERT(sizeof(struct particle) <= EMBERS_SIZE,
                 "pools.toml:12: embers: size = 24 is less than sizeof(struct particle)");
TP_STATIC_ASSERT(TP_ALIGNOF(struct particle) <= 8,
                 "pools.toml:12: embers: align = 8 is less than struct particle needs");
extern const struct tp_pool embers_pool;
extern const struct tp_spill embers_spill;

// A slot, not initialised. When all 16 are live: a slot of rubble; when that
// has none either: a fault, FULL.
static inline TP_CALL struct particle *embers_alloc(void)
{
  return (struct particle *)tp_pool_alloc(&embers_pool);
}

// Takes back what embers_alloc() returned.
static inline TP_CALL void embers_free(struct particle *object)
{
  tp_pool_free(&embers_pool, object);
}

// RAM: 384 bytes of slots, 68 of tags (8 at off), 108 of other metadata, and
// its state.
enum {
  RUBBLE_COUNT = 16,
  RUBBLE_SIZE = 24,
};
TP_STATIC_ASSERT(sizeof(struct particle) <= RUBBLE_SIZE,
                 "pools.toml:13: rubble: size = 24 is less than sizeof(struct particle)");
TP_STATIC_ASSERT(TP_ALIGNOF(struct particle) <= 8,
                 "pools.toml:13: rubble: align = 8 is less than struct particle needs");
extern const struct tp_pool rubble_pool;
extern const struct tp_spill rubble_spill;
extern const struct tp_chunk rubble_chunk;

// A slot, not initialised. When all 16 are live: a slot of depot; when that has
// none either: NULL.
static inline TP_CALL struct particle *rubble_alloc(void)
{
  return (struct particle *)tp_pool_alloc(&rubble_pool);
}

// Takes back what rubble_alloc() returned.
static inline TP_CALL void rubble_free(struct particle *object)
{
  tp_pool_free(&rubble_pool, object);
}

// RAM: 256 bytes of slots in ram, 36 of tags (8 at off), 24 of other metadata,
// and its state.
enum {
  DEPOT_COUNT = 8,
  DEPOT_SIZE = 32,
};
extern const struct tp_pool depot_pool;
extern const struct tp_chunk depot_chunk;

// A slot, not initialised. When all 8 are live: NULL.
static inline TP_CALL void *depot_alloc(void)
{
  return tp_pool_alloc(&depot_pool);
}

// Takes back what depot_alloc() returned.
static inline TP_CALL void depot_free(void *object)
{
  tp_pool_free(&depot_pool, object);
}

#ifdef __cplusplus
}
#endif

#endif
