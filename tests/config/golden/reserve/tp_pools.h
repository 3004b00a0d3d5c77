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
#define TP_CONFIG_HASH 0x435f8c94u

TP_STATIC_ASSERT(TIDEPOOL_VERSION == 100,
                 "tidepool.py of version 0.1.0 generated this, but the library is of version "
                 TIDEPOOL_VERSION_TEXT);

//  name    C type        size  count  when full
#define TP_POOLS(X) \
  X(voices, struct voice,    8,    16, DROP) \
  X(jobs,   void,           32,     4, ASSERT)

enum tp_pool_id {
  TP_ID_VOICES,
  TP_ID_JOBS,
  TP_POOL_N,
};

extern const struct tp_pool *const tp_pool_table[TP_POOL_N];

// Two are for the boss.
// RAM: 112 bytes of slots in ram, 60 of tags (8 at off), 16 of other metadata,
// and its state.
enum {
  VOICES_COUNT = 16,
  VOICES_SIZE = 8,
};
TP_STATIC_ASSERT(sizeof(struct voice) <= VOICES_SIZE,
                 "pools.toml:11: voices: size = 8 is less than sizeof(struct voice)");
TP_STATIC_ASSERT(TP_ALIGNOF(struct voice) <= 8,
                 "pools.toml:11: voices: align = 8 is less than struct voice needs");
extern const struct tp_pool voices_pool;
extern const struct tp_pool voices_urgent_pool;
extern const struct tp_pool voices_reserve_pool;

// A slot, not initialised. When all 14 are live: NULL. 2 more are for
// voices_alloc_urgent().
static inline TP_CALL struct voice *voices_alloc(void)
{
  return (struct voice *)tp_pool_alloc(&voices_pool);
}

// Takes back what voices_alloc() returned.
static inline TP_CALL void voices_free(struct voice *object)
{
  tp_pool_free(&voices_pool, object);
}

// The same, the reserve of 2 included. When all 16 are live: NULL.
static inline TP_CALL struct voice *voices_alloc_urgent(void)
{
  return (struct voice *)tp_pool_alloc(&voices_urgent_pool);
}

// RAM: 96 bytes of slots, 16 of tags (8 at off), 16 of other metadata, and its
// state.
enum {
  JOBS_COUNT = 4,
  JOBS_SIZE = 32,
};
extern const struct tp_pool jobs_pool;
extern const struct tp_pool jobs_urgent_pool;
extern const struct tp_pool jobs_reserve_pool;

// A slot, not initialised. When all 3 are live: a fault, FULL. 1 more are for
// jobs_alloc_urgent().
static inline TP_CALL void *jobs_alloc(void)
{
  return tp_pool_alloc(&jobs_pool);
}

// Takes back what jobs_alloc() returned.
static inline TP_CALL void jobs_free(void *object)
{
  tp_pool_free(&jobs_pool, object);
}

// The same, the reserve of 1 included. When all 4 are live: a fault, FULL.
static inline TP_CALL void *jobs_alloc_urgent(void)
{
  return tp_pool_alloc(&jobs_urgent_pool);
}

#ifdef __cplusplus
}
#endif

#endif
