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
#define TP_CONFIG_HASH 0xd9cc1ec7u

TP_STATIC_ASSERT(TIDEPOOL_VERSION == 100,
                 "tidepool.py of version 0.1.0 generated this, but the library is of version "
                 TIDEPOOL_VERSION_TEXT);

//  name    C type           size  count  when full
#define TP_POOLS(X) \
  X(sounds, struct voice,       8,    16, STEAL_OLDEST) \
  X(sparks, struct particle,   24,   512, DROP) \
  X(lamps,  struct voice,       8,     1, DROP)

enum tp_pool_id {
  TP_ID_SOUNDS,
  TP_ID_SPARKS,
  TP_ID_LAMPS,
  TP_POOL_N,
};

extern const struct tp_pool *const tp_pool_table[TP_POOL_N];

// RAM: 128 bytes of slots, 68 of ages, 68 of tags, and its state.
// Handles: 27 bits of generation wrap after 25.9 days of 60 reuses a second.
enum {
  SOUNDS_COUNT = 16,
  SOUNDS_SIZE = 8,
};
TP_STATIC_ASSERT(sizeof(struct voice) <= SOUNDS_SIZE,
                 "pools.toml:7: sounds: size = 8 is less than sizeof(struct voice)");
TP_STATIC_ASSERT(TP_ALIGNOF(struct voice) <= 8,
                 "pools.toml:7: sounds: align = 8 is less than struct voice needs");
void voice_stopped(struct voice *victim);
extern const struct tp_pool sounds_pool;

// A slot, not initialised. When all 16 are live: the oldest is stolen,
// voice_stopped() is told. NULL iff each is changing hands.
static inline TP_CALL struct voice *sounds_alloc(void)
{
  return (struct voice *)tp_pool_alloc(&sounds_pool);
}

// Takes back what sounds_alloc() returned. Where an interrupt steals, free by
// handle.
static inline TP_CALL void sounds_free(struct voice *object)
{
  tp_pool_free(&sounds_pool, object);
}

// sounds_alloc(), and the handle of what it returns.
static inline TP_CALL struct voice *sounds_alloc_handle(tp_handle_t *handle)
{
  return (struct voice *)tp_handle_alloc(&sounds_pool, handle);
}

// The handle of a live object; TP_NO_HANDLE iff it is none of these.
static inline TP_CALL tp_handle_t sounds_handle(const struct voice *object)
{
  return tp_handle_of(&sounds_pool, object);
}

// What the handle refers to; NULL iff that is gone.
static inline TP_CALL struct voice *sounds_get(tp_handle_t handle)
{
  return (struct voice *)tp_handle_get(&sounds_pool, handle);
}

// Takes it back; false iff it is gone already.
static inline TP_CALL bool sounds_free_handle(tp_handle_t handle)
{
  return tp_handle_free(&sounds_pool, handle);
}

// Keeps it from being stolen; NULL iff it is gone.
static inline TP_CALL struct voice *sounds_pin_handle(tp_handle_t handle)
{
  return (struct voice *)tp_handle_pin(&sounds_pool, handle);
}

// Lets it be stolen again; false iff it is gone.
static inline TP_CALL bool sounds_unpin_handle(tp_handle_t handle)
{
  return tp_handle_unpin(&sounds_pool, handle);
}

// RAM: 12288 bytes of slots, 2052 of tags, and its state.
// Handles: 22 bits of generation wrap after 19.4 hours of 60 reuses a second.
enum {
  SPARKS_COUNT = 512,
  SPARKS_SIZE = 24,
};
TP_STATIC_ASSERT(sizeof(struct particle) <= SPARKS_SIZE,
                 "pools.toml:8: sparks: size = 24 is less than sizeof(struct particle)");
TP_STATIC_ASSERT(TP_ALIGNOF(struct particle) <= 8,
                 "pools.toml:8: sparks: align = 8 is less than struct particle needs");
extern const struct tp_pool sparks_pool;

// A slot, not initialised. When all 512 are live: NULL.
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
static inline TP_CALL struct particle *sparks_alloc_handle(tp_handle_t *handle)
{
  return (struct particle *)tp_handle_alloc(&sparks_pool, handle);
}

// The handle of a live object; TP_NO_HANDLE iff it is none of these.
static inline TP_CALL tp_handle_t sparks_handle(const struct particle *object)
{
  return tp_handle_of(&sparks_pool, object);
}

// What the handle refers to; NULL iff that is gone.
static inline TP_CALL struct particle *sparks_get(tp_handle_t handle)
{
  return (struct particle *)tp_handle_get(&sparks_pool, handle);
}

// Takes it back; false iff it is gone already.
static inline TP_CALL bool sparks_free_handle(tp_handle_t handle)
{
  return tp_handle_free(&sparks_pool, handle);
}

// RAM: 8 bytes of slots, 8 of tags, and its state.
// Handles: 31 bits of generation wrap after 414.3 days of 60 reuses a second.
enum {
  LAMPS_COUNT = 1,
  LAMPS_SIZE = 8,
};
TP_STATIC_ASSERT(sizeof(struct voice) <= LAMPS_SIZE,
                 "pools.toml:9: lamps: size = 8 is less than sizeof(struct voice)");
TP_STATIC_ASSERT(TP_ALIGNOF(struct voice) <= 8,
                 "pools.toml:9: lamps: align = 8 is less than struct voice needs");
extern const struct tp_pool lamps_pool;

// A slot, not initialised. When its one slot is live: NULL.
static inline TP_CALL struct voice *lamps_alloc(void)
{
  return (struct voice *)tp_pool_alloc(&lamps_pool);
}

// Takes back what lamps_alloc() returned.
static inline TP_CALL void lamps_free(struct voice *object)
{
  tp_pool_free(&lamps_pool, object);
}

// lamps_alloc(), and the handle of what it returns.
static inline TP_CALL struct voice *lamps_alloc_handle(tp_handle_t *handle)
{
  return (struct voice *)tp_handle_alloc(&lamps_pool, handle);
}

// The handle of a live object; TP_NO_HANDLE iff it is none of these.
static inline TP_CALL tp_handle_t lamps_handle(const struct voice *object)
{
  return tp_handle_of(&lamps_pool, object);
}

// What the handle refers to; NULL iff that is gone.
static inline TP_CALL struct voice *lamps_get(tp_handle_t handle)
{
  return (struct voice *)tp_handle_get(&lamps_pool, handle);
}

// Takes it back; false iff it is gone already.
static inline TP_CALL bool lamps_free_handle(tp_handle_t handle)
{
  return tp_handle_free(&lamps_pool, handle);
}

#ifdef __cplusplus
}
#endif

#endif
