// Generated from pools.toml by tidepool.py. Edit pools.toml, not this file.
// clang-format off

#ifndef TP_POOLS_H
#define TP_POOLS_H

#include "tidepool.h"
#include "tidepool_version.h"
#include "allocator/tp_reloc.h"

#ifdef __cplusplus
extern "C" {
#endif

// Of the values alone: comments and layout do not change it.
#define TP_CONFIG_HASH 0x1898de6eu

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

// Meshes of what is near.
// RAM: 16392 bytes in psram, 544 of metadata.
// Handles: 25 bits of generation wrap after 6.5 days of 60 reuses a second.
enum {
  MESHES_COUNT = 64,
  MESHES_SIZE = 16384,
};
void mesh_moved(void *to, const void *from, tp_handle_t handle);
extern const struct tp_reloc meshes_reloc;

// A block of [size] bytes, by handle. When they do not fit, or 64 blocks live:
// TP_NO_HANDLE.
static inline TP_CALL tp_handle_t meshes_alloc(size_t size)
{
  return tp_reloc_alloc(&meshes_reloc, size);
}

// Takes the block back; false iff it is gone already.
static inline TP_CALL bool meshes_free(tp_handle_t handle)
{
  return tp_reloc_free(&meshes_reloc, handle);
}

// Its address, where it stays until it is unlocked.
static inline TP_CALL void *meshes_lock(tp_handle_t handle)
{
  return tp_reloc_lock(&meshes_reloc, handle);
}

// Lets it be moved again; false iff it is gone.
static inline TP_CALL bool meshes_unlock(tp_handle_t handle)
{
  return tp_reloc_unlock(&meshes_reloc, handle);
}

// Moves at most 8 blocks together, of 2048 bytes in all. mesh_moved() is told
// of each.
static inline TP_CALL struct tp_reloc_moved meshes_step(void)
{
  return tp_reloc_step(&meshes_reloc, 8, 2048);
}

// RAM: 1032 bytes, 8032 of metadata.
// Handles: 22 bits of generation wrap after 19.4 hours of 60 reuses a second.
enum {
  NAMES_COUNT = 1000,
  NAMES_SIZE = 1024,
};
extern const struct tp_reloc names_reloc;

// A block of [size] bytes, by handle. When they do not fit, or 1000 blocks
// live: a fault, FULL.
static inline TP_CALL tp_handle_t names_alloc(size_t size)
{
  return tp_reloc_alloc(&names_reloc, size);
}

// Takes the block back; false iff it is gone already.
static inline TP_CALL bool names_free(tp_handle_t handle)
{
  return tp_reloc_free(&names_reloc, handle);
}

// Its address, where it stays until it is unlocked.
static inline TP_CALL void *names_lock(tp_handle_t handle)
{
  return tp_reloc_lock(&names_reloc, handle);
}

// Lets it be moved again; false iff it is gone.
static inline TP_CALL bool names_unlock(tp_handle_t handle)
{
  return tp_reloc_unlock(&names_reloc, handle);
}

// Moves at most 4 blocks together, of 1024 bytes in all.
static inline TP_CALL struct tp_reloc_moved names_step(void)
{
  return tp_reloc_step(&names_reloc, 4, 1024);
}

#ifdef __cplusplus
}
#endif

#endif
