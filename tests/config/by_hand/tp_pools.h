// SPDX-License-Identifier: MIT
// The pools of a firmware that has no pools.toml: their numbers and calls.
#ifndef TP_POOLS_H
#define TP_POOLS_H

#include "game/types.h"
#include "tidepool.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
  PARTICLES_COUNT = 8,
  ENEMIES_COUNT = 4,
  SOUNDS_COUNT = 2,
};

typedef struct {
  tp_handle_t bits;
} sounds_handle_t;

enum tp_pool_id { TP_ID_PARTICLES, TP_ID_ENEMIES, TP_ID_SOUNDS, TP_POOL_N };
extern const struct tp_pool particles_pool, enemies_pool, sounds_pool;

// When all are live: NULL.
static inline TP_CALL struct particle *particles_alloc(void)
{
  return (struct particle *)tp_pool_alloc(&particles_pool);
}

static inline TP_CALL void particles_free(struct particle *particle)
{
  tp_pool_free(&particles_pool, particle);
}

// When all are live: a fault.
static inline TP_CALL struct enemy *enemies_alloc(void)
{
  return (struct enemy *)tp_pool_alloc(&enemies_pool);
}

static inline TP_CALL void enemies_free(struct enemy *enemy)
{
  tp_pool_free(&enemies_pool, enemy);
}

// When all are live: the oldest is stolen, its handle is stale.
static inline TP_CALL struct voice *sounds_alloc_handle(sounds_handle_t *handle)
{
  return (struct voice *)tp_handle_alloc(&sounds_pool, &handle->bits);
}

static inline TP_CALL struct voice *sounds_get(sounds_handle_t handle)
{
  return (struct voice *)tp_handle_get(&sounds_pool, handle.bits);
}

#ifdef __cplusplus
}
#endif

#endif
