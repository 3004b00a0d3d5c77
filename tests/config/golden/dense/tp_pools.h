// Generated from pools.toml by tidepool.py. Edit pools.toml, not this file.
// clang-format off

#ifndef TP_POOLS_H
#define TP_POOLS_H

#include "tidepool.h"
#include "tidepool_version.h"
#include "allocator/tp_dense.h"
#include "game/types.h"

#ifdef __cplusplus
extern "C" {
#endif

// Of the values alone: comments and layout do not change it.
#define TP_CONFIG_HASH 0x733be385u

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

// Walked over every frame.
// RAM: 3072 bytes in ram, 788 of metadata.
// Handles: 24 bits of generation wrap after 3.2 days of 60 reuses a second.
enum {
  BULLETS_COUNT = 128,
  BULLETS_SIZE = 24,
};
TP_STATIC_ASSERT(sizeof(struct particle) <= BULLETS_SIZE,
                 "pools.toml:14: bullets: size = 24 is less than sizeof(struct particle)");
TP_STATIC_ASSERT(TP_ALIGNOF(struct particle) <= 8,
                 "pools.toml:14: bullets: align = 8 is less than struct particle needs");
void bullet_moved(struct particle *to, const struct particle *from, tp_handle_t handle);
extern const struct tp_dense bullets_dense;

// An object behind the last, not initialised, and its handle. When all 128
// live: NULL.
static inline TP_CALL struct particle *bullets_alloc(tp_handle_t *handle)
{
  return (struct particle *)tp_dense_alloc(&bullets_dense, handle);
}

// Takes it back; false iff it is gone already. The last object moves into its
// place. bullet_moved() is told.
static inline TP_CALL bool bullets_free(tp_handle_t handle)
{
  return tp_dense_free(&bullets_dense, handle);
}

// Takes them all back.
static inline TP_CALL void bullets_reset(void)
{
  tp_dense_reset(&bullets_dense);
}

// What the handle refers to, good until the next one is freed; NULL iff that is
// gone.
static inline TP_CALL struct particle *bullets_get(tp_handle_t handle)
{
  return (struct particle *)tp_dense_get(&bullets_dense, handle);
}

// The object at an index below bullets_count().
static inline TP_CALL struct particle *bullets_at(uint32_t index)
{
  return (struct particle *)tp_dense_at(&bullets_dense, index);
}

// The handle of that object.
static inline TP_CALL tp_handle_t bullets_handle(uint32_t index)
{
  return tp_dense_handle(&bullets_dense, index);
}

// Objects that live.
static inline TP_CALL uint32_t bullets_count(void)
{
  return tp_dense_count(&bullets_dense);
}

// Begins a walk, during which any object may be freed.
static inline TP_CALL struct particle *bullets_first(tp_handle_t *handle)
{
  return (struct particle *)tp_dense_first(&bullets_dense, handle);
}

// The next that lived when the walk began; NULL behind the last.
static inline TP_CALL struct particle *bullets_next(tp_handle_t *handle)
{
  return (struct particle *)tp_dense_next(&bullets_dense, handle);
}

// RAM: 320 bytes, 116 of metadata.
// Handles: 27 bits of generation wrap after 25.9 days of 60 reuses a second.
enum {
  SHELLS_COUNT = 16,
  SHELLS_SIZE = 20,
};
TP_STATIC_ASSERT(sizeof(struct particle) <= SHELLS_SIZE,
                 "pools.toml:15: shells: size = 20 is less than sizeof(struct particle)");
TP_STATIC_ASSERT(TP_ALIGNOF(struct particle) <= 4,
                 "pools.toml:15: shells: align = 4 is less than struct particle needs");
extern const struct tp_dense shells_dense;

// An object behind the last, not initialised, and its handle. When all 16 live:
// a fault, FULL.
static inline TP_CALL struct particle *shells_alloc(tp_handle_t *handle)
{
  return (struct particle *)tp_dense_alloc(&shells_dense, handle);
}

// Takes it back; false iff it is gone already. The last object moves into its
// place. bullet_moved() is told.
static inline TP_CALL bool shells_free(tp_handle_t handle)
{
  return tp_dense_free(&shells_dense, handle);
}

// Takes them all back.
static inline TP_CALL void shells_reset(void)
{
  tp_dense_reset(&shells_dense);
}

// What the handle refers to, good until the next one is freed; NULL iff that is
// gone.
static inline TP_CALL struct particle *shells_get(tp_handle_t handle)
{
  return (struct particle *)tp_dense_get(&shells_dense, handle);
}

// The object at an index below shells_count().
static inline TP_CALL struct particle *shells_at(uint32_t index)
{
  return (struct particle *)tp_dense_at(&shells_dense, index);
}

// The handle of that object.
static inline TP_CALL tp_handle_t shells_handle(uint32_t index)
{
  return tp_dense_handle(&shells_dense, index);
}

// Objects that live.
static inline TP_CALL uint32_t shells_count(void)
{
  return tp_dense_count(&shells_dense);
}

// Begins a walk, during which any object may be freed.
static inline TP_CALL struct particle *shells_first(tp_handle_t *handle)
{
  return (struct particle *)tp_dense_first(&shells_dense, handle);
}

// The next that lived when the walk began; NULL behind the last.
static inline TP_CALL struct particle *shells_next(tp_handle_t *handle)
{
  return (struct particle *)tp_dense_next(&shells_dense, handle);
}

// RAM: 72 bytes, 74 of metadata.
// Handles: 28 bits of generation wrap after 51.8 days of 60 reuses a second.
enum {
  MARKS_COUNT = 9,
  MARKS_SIZE = 8,
};
extern const struct tp_dense marks_dense;

// An object behind the last, not initialised, and its handle. When all 9 live:
// NULL.
static inline TP_CALL void *marks_alloc(tp_handle_t *handle)
{
  return tp_dense_alloc(&marks_dense, handle);
}

// Takes it back; false iff it is gone already. The last object moves into its
// place.
static inline TP_CALL bool marks_free(tp_handle_t handle)
{
  return tp_dense_free(&marks_dense, handle);
}

// Takes them all back.
static inline TP_CALL void marks_reset(void)
{
  tp_dense_reset(&marks_dense);
}

// What the handle refers to, good until the next one is freed; NULL iff that is
// gone.
static inline TP_CALL void *marks_get(tp_handle_t handle)
{
  return tp_dense_get(&marks_dense, handle);
}

// The object at an index below marks_count().
static inline TP_CALL void *marks_at(uint32_t index)
{
  return tp_dense_at(&marks_dense, index);
}

// The handle of that object.
static inline TP_CALL tp_handle_t marks_handle(uint32_t index)
{
  return tp_dense_handle(&marks_dense, index);
}

// Objects that live.
static inline TP_CALL uint32_t marks_count(void)
{
  return tp_dense_count(&marks_dense);
}

// Begins a walk, during which any object may be freed.
static inline TP_CALL void *marks_first(tp_handle_t *handle)
{
  return tp_dense_first(&marks_dense, handle);
}

// The next that lived when the walk began; NULL behind the last.
static inline TP_CALL void *marks_next(tp_handle_t *handle)
{
  return tp_dense_next(&marks_dense, handle);
}

#ifdef __cplusplus
}
#endif

#endif
