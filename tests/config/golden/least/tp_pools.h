// Generated from pools.toml by tidepool.py. Edit pools.toml, not this file.
// clang-format off

#ifndef TP_POOLS_H
#define TP_POOLS_H

#include "tidepool.h"
#include "tidepool_version.h"
#include "policy/tp_steal_least.h"
#include "game/types.h"

#ifdef __cplusplus
extern "C" {
#endif

// Of the values alone: comments and layout do not change it.
#define TP_CONFIG_HASH 0x6bb016c3u

TP_STATIC_ASSERT(TIDEPOOL_VERSION == 100,
                 "tidepool.py of version 0.1.0 generated this, but the library is of version "
                 TIDEPOOL_VERSION_TEXT);

//  name    C type        size  count  when full
#define TP_POOLS(X) \
  X(voices, struct voice,    8,    16, STEAL_LEAST) \
  X(tracks, void,           16,     4, STEAL_LEAST) \
  X(logs,   void,           64,     9, STEAL_OLDEST)

enum tp_pool_id {
  TP_ID_VOICES,
  TP_ID_TRACKS,
  TP_ID_LOGS,
  TP_POOL_N,
};

extern const struct tp_pool *const tp_pool_table[TP_POOL_N];

// The quietest goes, unless the newcomer is quieter.
// RAM: 128 bytes of slots, 136 of ages, 68 of tags, and its state.
enum {
  VOICES_COUNT = 16,
  VOICES_SIZE = 8,
};
TP_STATIC_ASSERT(sizeof(struct voice) <= VOICES_SIZE,
                 "pools.toml:8: voices: size = 8 is less than sizeof(struct voice)");
TP_STATIC_ASSERT(TP_ALIGNOF(struct voice) <= 8,
                 "pools.toml:8: voices: align = 8 is less than struct voice needs");
void voice_stopped(struct voice *victim);
uint32_t voice_loudness(const struct voice *object);
extern const struct tp_pool voices_pool;

// A slot, not initialised. When all 16 are live: the one of the least
// voice_loudness() is stolen, voice_stopped() is told. NULL iff each is pinned,
// younger than 30 or changing hands.
static inline TP_CALL struct voice *voices_alloc(void)
{
  return (struct voice *)tp_pool_alloc(&voices_pool);
}

// Takes back what voices_alloc() returned.
static inline TP_CALL void voices_free(struct voice *object)
{
  tp_pool_free(&voices_pool, object);
}

// voices_alloc() for what has this score. NULL also iff the score is below all
// others'.
static inline TP_CALL struct voice *voices_alloc_scored(uint32_t score)
{
  return (struct voice *)tp_least_alloc(&voices_pool, score);
}

// Keeps a live object from being stolen. It may be freed.
static inline TP_CALL void voices_pin(struct voice *object)
{
  tp_pool_pin(&voices_pool, object);
}

// Lets it be stolen again, last of all.
static inline TP_CALL void voices_unpin(struct voice *object)
{
  tp_pool_unpin(&voices_pool, object);
}

// RAM: 64 bytes of slots, 20 of ages, 20 of tags, and its state.
// Handles: 29 bits of generation wrap after 103.6 days of 60 reuses a second.
enum {
  TRACKS_COUNT = 4,
  TRACKS_SIZE = 16,
};
uint32_t track_weight(const void *object);
extern const struct tp_pool tracks_pool;

// A slot, not initialised. When all 4 are live: the one of the least
// track_weight() is stolen, its handle is stale. NULL iff each is changing
// hands.
static inline TP_CALL void *tracks_alloc(void)
{
  return tp_pool_alloc(&tracks_pool);
}

// Takes back what tracks_alloc() returned.
static inline TP_CALL void tracks_free(void *object)
{
  tp_pool_free(&tracks_pool, object);
}

// tracks_alloc(), and the handle of what it returns.
static inline TP_CALL void *tracks_alloc_handle(tp_handle_t *handle)
{
  return tp_handle_alloc(&tracks_pool, handle);
}

// The handle of a live object; TP_NO_HANDLE iff it is none of these.
static inline TP_CALL tp_handle_t tracks_handle(const void *object)
{
  return tp_handle_of(&tracks_pool, object);
}

// What the handle refers to; NULL iff that is gone.
static inline TP_CALL void *tracks_get(tp_handle_t handle)
{
  return tp_handle_get(&tracks_pool, handle);
}

// Takes it back; false iff it is gone already.
static inline TP_CALL bool tracks_free_handle(tp_handle_t handle)
{
  return tp_handle_free(&tracks_pool, handle);
}

// Keeps it from being stolen; NULL iff it is gone.
static inline TP_CALL void *tracks_pin_handle(tp_handle_t handle)
{
  return tp_handle_pin(&tracks_pool, handle);
}

// Lets it be stolen again; false iff it is gone.
static inline TP_CALL bool tracks_unpin_handle(tp_handle_t handle)
{
  return tp_handle_unpin(&tracks_pool, handle);
}

// tracks_alloc() for what has this score.
static inline TP_CALL void *tracks_alloc_scored(uint32_t score)
{
  return tp_least_alloc(&tracks_pool, score);
}

// RAM: 576 bytes of slots, 80 of ages, 40 of tags, and its state.
// Handles: 28 bits of generation wrap after 51.8 days of 60 reuses a second.
enum {
  LOGS_COUNT = 9,
  LOGS_SIZE = 64,
};
extern const struct tp_pool logs_pool;

// A slot, not initialised. When all 9 are live: the oldest is stolen, its
// handle is stale. NULL iff each is younger than 5 or changing hands.
void *logs_alloc(void);

// Takes back what logs_alloc() returned.
void logs_free(void *object);

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

#ifdef __cplusplus
}
#endif

#endif
