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
#define TP_CONFIG_HASH 0x61194610u

TP_STATIC_ASSERT(TIDEPOOL_VERSION == 100,
                 "tidepool.py of version 0.1.0 generated this, but the library is of version "
                 TIDEPOOL_VERSION_TEXT);

//  name       C type           size  count  when full
#define TP_POOLS(X) \
  X(particles, struct particle,   32,   256, DROP) \
  X(enemies,   struct enemy,      80,    48, ASSERT)

enum tp_pool_id {
  TP_ID_PARTICLES,
  TP_ID_ENEMIES,
  TP_POOL_N,
};

extern const struct tp_pool *const tp_pool_table[TP_POOL_N];

// Sparks and smoke.
// Nobody misses one: what
//
//    Größe, in a deeper line.
// RAM: 8192 bytes of slots, 1028 of tags (8 at off), and its state.
enum {
  PARTICLES_COUNT = 256,
  PARTICLES_SIZE = 32,
};
TP_STATIC_ASSERT(sizeof(struct particle) <= PARTICLES_SIZE,
                 "pools.toml:14: particles: size = 32 is less than sizeof(struct particle)");
TP_STATIC_ASSERT(TP_ALIGNOF(struct particle) <= 16,
                 "pools.toml:12: particles: align = 16 is less than struct particle needs");
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

// Waves are sized so that they fit.
// RAM: 3840 bytes of slots, 196 of tags (8 at off), and its state.
enum {
  ENEMIES_COUNT = 48,
  ENEMIES_SIZE = 80,
};
TP_STATIC_ASSERT(sizeof(struct enemy) <= ENEMIES_SIZE,
                 "pools.toml:21: enemies: size = 80 is less than sizeof(struct enemy)");
TP_STATIC_ASSERT(TP_ALIGNOF(struct enemy) <= 16,
                 "pools.toml:21: enemies: align = 16 is less than struct enemy needs");
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

#ifdef __cplusplus
}
#endif

#endif
