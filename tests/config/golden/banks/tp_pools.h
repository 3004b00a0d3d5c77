// Generated from pools.toml by tidepool.py. Edit pools.toml, not this file.
// clang-format off

#ifndef TP_POOLS_H
#define TP_POOLS_H

#ifdef __cplusplus
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wold-style-cast"
#ifndef __clang__
#pragma GCC diagnostic ignored "-Wuseless-cast"
#endif
#endif
#include "tidepool.h"
#include "tidepool_version.h"
#ifdef __cplusplus
#pragma GCC diagnostic pop
#endif

#include "game/types.h"

#ifdef __cplusplus
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wold-style-cast"
extern "C" {
#endif

// Of the values alone: comments and layout do not change it.
#define TP_CONFIG_HASH 0xba6649a1u

TP_STATIC_ASSERT(TIDEPOOL_VERSION == 100,
                 "tidepool.py of version 0.1.0 generated this, but the library is of version "
                 TIDEPOOL_VERSION_TEXT);

enum tp_pool_id {
  TP_ID_PARTICLES,
  TP_ID_ENEMIES,
  TP_ID_EMBERS,
  TP_ID_DEBRIS,
  TP_POOL_N,
};
enum tp_allocator_id {
  TP_ALLOCATOR_N = TP_POOL_N,
};

// RAM: 6144 bytes of slots in dtcm, 1028 of tags (8 at off), and its state.
enum {
  PARTICLES_COUNT = 256,
  PARTICLES_SIZE = 24,
};
TP_STATIC_ASSERT(sizeof(struct particle) <= PARTICLES_SIZE,  // pools.toml:12: particles
                 "pools.toml:12: particles: size = 24 is less than sizeof(struct particle)");
TP_STATIC_ASSERT(TP_ALIGNOF(struct particle) <= 8,  // pools.toml:12: particles
                 "pools.toml:12: particles: align = 8 is less than struct particle needs");
// Twice the same type, or the compiler says how many bytes a slot must hold.
typedef char particles_size_must_be[24];
typedef char particles_size_must_be[sizeof(struct particle) > 24 ? sizeof(struct particle) : 24];
extern const struct tp_pool particles_pool;

// A slot, not initialised. When all 256 are live: NULL.
static inline TP_CALL struct particle *particles_alloc(void)
{
  return (struct particle *)tp_pool_alloc(&particles_pool);
}

// Takes back what particles_alloc() returned.
static inline TP_CALL void particles_free(struct particle *object)
{
  tp_pool_free(&particles_pool, object);
}

// RAM: 3840 bytes of slots in psram, 196 of tags (8 at off), and its state.
enum {
  ENEMIES_COUNT = 48,
  ENEMIES_SIZE = 80,
};
TP_STATIC_ASSERT(sizeof(struct enemy) <= ENEMIES_SIZE,  // pools.toml:13: enemies
                 "pools.toml:13: enemies: size = 80 is less than sizeof(struct enemy)");
TP_STATIC_ASSERT(TP_ALIGNOF(struct enemy) <= 8,  // pools.toml:13: enemies
                 "pools.toml:13: enemies: align = 8 is less than struct enemy needs");
typedef char enemies_size_must_be[80];
typedef char enemies_size_must_be[sizeof(struct enemy) > 80 ? sizeof(struct enemy) : 80];
extern const struct tp_pool enemies_pool;

// A slot, not initialised. When all 48 are live: a fault, FULL.
static inline TP_CALL struct enemy *enemies_alloc(void)
{
  return (struct enemy *)tp_pool_alloc(&enemies_pool);
}

// Takes back what enemies_alloc() returned.
static inline TP_CALL void enemies_free(struct enemy *object)
{
  tp_pool_free(&enemies_pool, object);
}

// RAM: 1536 bytes of slots in dtcm, 260 of tags (8 at off), and its state.
enum {
  EMBERS_COUNT = 64,
  EMBERS_SIZE = 24,
};
TP_STATIC_ASSERT(sizeof(struct particle) <= EMBERS_SIZE,  // pools.toml:14: embers
                 "pools.toml:14: embers: size = 24 is less than sizeof(struct particle)");
TP_STATIC_ASSERT(TP_ALIGNOF(struct particle) <= 8,  // pools.toml:14: embers
                 "pools.toml:14: embers: align = 8 is less than struct particle needs");
typedef char embers_size_must_be[24];
typedef char embers_size_must_be[sizeof(struct particle) > 24 ? sizeof(struct particle) : 24];
extern const struct tp_pool embers_pool;

// A slot, not initialised. When all 64 are live: NULL.
static inline TP_CALL struct particle *embers_alloc(void)
{
  return (struct particle *)tp_pool_alloc(&embers_pool);
}

// Takes back what embers_alloc() returned.
static inline TP_CALL void embers_free(struct particle *object)
{
  tp_pool_free(&embers_pool, object);
}

// RAM: 1536 bytes of slots, 260 of tags (8 at off), and its state.
enum {
  DEBRIS_COUNT = 64,
  DEBRIS_SIZE = 24,
};
TP_STATIC_ASSERT(sizeof(struct particle) <= DEBRIS_SIZE,  // pools.toml:15: debris
                 "pools.toml:15: debris: size = 24 is less than sizeof(struct particle)");
TP_STATIC_ASSERT(TP_ALIGNOF(struct particle) <= 8,  // pools.toml:15: debris
                 "pools.toml:15: debris: align = 8 is less than struct particle needs");
typedef char debris_size_must_be[24];
typedef char debris_size_must_be[sizeof(struct particle) > 24 ? sizeof(struct particle) : 24];
extern const struct tp_pool debris_pool;

// A slot, not initialised. When all 64 are live: NULL.
static inline TP_CALL struct particle *debris_alloc(void)
{
  return (struct particle *)tp_pool_alloc(&debris_pool);
}

// Takes back what debris_alloc() returned.
static inline TP_CALL void debris_free(struct particle *object)
{
  tp_pool_free(&debris_pool, object);
}

#ifdef __cplusplus
}
#pragma GCC diagnostic pop
#endif

#endif
