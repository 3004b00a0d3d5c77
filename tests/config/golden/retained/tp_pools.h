// Generated from pools.toml by tidepool.py. Edit pools.toml, not this file.
// clang-format off

#ifndef TP_POOLS_H
#define TP_POOLS_H

#include "tidepool.h"
#include "tidepool_version.h"
#include "object/tp_noinit.h"

#ifdef __cplusplus
extern "C" {
#endif

// Of the values alone: comments and layout do not change it.
#define TP_CONFIG_HASH 0xd0b34d63u

TP_STATIC_ASSERT(TIDEPOOL_VERSION == 100,
                 "tidepool.py of version 0.1.0 generated this, but the library is of version "
                 TIDEPOOL_VERSION_TEXT);

//  name   C type  size  count  when full
#define TP_POOLS(X) \
  X(notes, void,     24,    16, DROP) \
  X(logs,  void,     24,    16, STEAL_OLDEST) \
  X(plain, void,     24,    16, DROP)

enum tp_pool_id {
  TP_ID_NOTES,
  TP_ID_LOGS,
  TP_ID_PLAIN,
  TP_POOL_N,
};

extern const struct tp_pool *const tp_pool_table[TP_POOL_N];

// What led to the reset.
// RAM: 384 bytes of slots in keep, 68 of tags, 4 of other metadata, and its
// state.
// Handles: 27 bits of generation wrap after 25.9 days of 60 reuses a second.
enum {
  NOTES_COUNT = 16,
  NOTES_SIZE = 24,
};
extern const struct tp_pool notes_pool;
extern const struct tp_noinit notes_noinit;

// A slot, not initialised. When all 16 are live: NULL.
static inline TP_CALL void *notes_alloc(void)
{
  return tp_pool_alloc(&notes_pool);
}

// Takes back what notes_alloc() returned.
static inline TP_CALL void notes_free(void *object)
{
  tp_pool_free(&notes_pool, object);
}

// notes_alloc(), and the handle of what it returns.
static inline TP_CALL void *notes_alloc_handle(tp_handle_t *handle)
{
  return tp_handle_alloc(&notes_pool, handle);
}

// The handle of a live object; TP_NO_HANDLE iff it is none of these.
static inline TP_CALL tp_handle_t notes_handle(const void *object)
{
  return tp_handle_of(&notes_pool, object);
}

// What the handle refers to; NULL iff that is gone.
static inline TP_CALL void *notes_get(tp_handle_t handle)
{
  return tp_handle_get(&notes_pool, handle);
}

// Takes it back; false iff it is gone already.
static inline TP_CALL bool notes_free_handle(tp_handle_t handle)
{
  return tp_handle_free(&notes_pool, handle);
}

// Once after each reset, before all else: true iff what lives in it is as it
// was. Otherwise it is empty now.
static inline TP_CALL bool notes_validate(void)
{
  return tp_noinit_validate(&notes_noinit);
}

// RAM: 384 bytes of slots in keep, 136 of ages, 68 of tags, 4 of other
// metadata, and its state.
// Handles: 27 bits of generation wrap after 25.9 days of 60 reuses a second.
enum {
  LOGS_COUNT = 16,
  LOGS_SIZE = 24,
};
extern const struct tp_pool logs_pool;
extern const struct tp_noinit logs_noinit;

// A slot, not initialised. When all 16 are live: the oldest is stolen, its
// handle is stale. NULL iff each is younger than 3 or changing hands.
static inline TP_CALL void *logs_alloc(void)
{
  return tp_pool_alloc(&logs_pool);
}

// Takes back what logs_alloc() returned.
static inline TP_CALL void logs_free(void *object)
{
  tp_pool_free(&logs_pool, object);
}

// logs_alloc(), and the handle of what it returns.
static inline TP_CALL void *logs_alloc_handle(tp_handle_t *handle)
{
  return tp_handle_alloc(&logs_pool, handle);
}

// The handle of a live object; TP_NO_HANDLE iff it is none of these.
static inline TP_CALL tp_handle_t logs_handle(const void *object)
{
  return tp_handle_of(&logs_pool, object);
}

// What the handle refers to; NULL iff that is gone.
static inline TP_CALL void *logs_get(tp_handle_t handle)
{
  return tp_handle_get(&logs_pool, handle);
}

// Takes it back; false iff it is gone already.
static inline TP_CALL bool logs_free_handle(tp_handle_t handle)
{
  return tp_handle_free(&logs_pool, handle);
}

// Keeps it from being stolen; NULL iff it is gone.
static inline TP_CALL void *logs_pin_handle(tp_handle_t handle)
{
  return tp_handle_pin(&logs_pool, handle);
}

// Lets it be stolen again; false iff it is gone.
static inline TP_CALL bool logs_unpin_handle(tp_handle_t handle)
{
  return tp_handle_unpin(&logs_pool, handle);
}

// Once after each reset, before all else: true iff what lives in it is as it
// was. Otherwise it is empty now.
static inline TP_CALL bool logs_validate(void)
{
  return tp_noinit_validate(&logs_noinit);
}

// RAM: 384 bytes of slots in keep, 68 of tags (8 at off), 4 of other metadata,
// and its state.
enum {
  PLAIN_COUNT = 16,
  PLAIN_SIZE = 24,
};
extern const struct tp_pool plain_pool;
extern const struct tp_noinit plain_noinit;

// A slot, not initialised. When all 16 are live: NULL.
static inline TP_CALL void *plain_alloc(void)
{
  return tp_pool_alloc(&plain_pool);
}

// Takes back what plain_alloc() returned.
static inline TP_CALL void plain_free(void *object)
{
  tp_pool_free(&plain_pool, object);
}

// Once after each reset, before all else: true iff what lives in it is as it
// was. Otherwise it is empty now.
static inline TP_CALL bool plain_validate(void)
{
  return tp_noinit_validate(&plain_noinit);
}

#ifdef __cplusplus
}
#endif

#endif
