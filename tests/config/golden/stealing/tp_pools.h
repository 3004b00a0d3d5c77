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
#define TP_CONFIG_HASH 0x661b5fb2u

TP_STATIC_ASSERT(TIDEPOOL_VERSION == 100,
                 "tidepool.py of version 0.1.0 generated this, but the library is of version "
                 TIDEPOOL_VERSION_TEXT);

enum tp_pool_id {
  TP_ID_SOUNDS,
  TP_ID_MUSIC,
  TP_ID_LOGS,
  TP_POOL_N,
};
enum tp_allocator_id {
  TP_ALLOCATOR_N = TP_POOL_N,
};

// RAM: 128 bytes of slots, 68 of ages, 68 of tags (8 at off), and its state.
enum {
  SOUNDS_COUNT = 16,
  SOUNDS_SIZE = 8,
};
TP_STATIC_ASSERT(sizeof(struct voice) <= SOUNDS_SIZE,  // pools.toml:7: sounds
                 "pools.toml:7: sounds: size = 8 is less than sizeof(struct voice)");
TP_STATIC_ASSERT(TP_ALIGNOF(struct voice) <= 8,  // pools.toml:7: sounds
                 "pools.toml:7: sounds: align = 8 is less than struct voice needs");
// Twice the same type, or the compiler says how many bytes a slot must hold.
typedef char sounds_size_must_be[8];
typedef char sounds_size_must_be[sizeof(struct voice) > 8 ? sizeof(struct voice) : 8];
void voice_stopped(struct voice *victim);
extern const struct tp_pool sounds_pool;

// A slot, not initialised. When all 16 are live: the oldest is stolen,
// voice_stopped() is told. NULL iff each is changing hands.
static inline TP_CALL struct voice *sounds_alloc(void)
{
  return (struct voice *)tp_aged_alloc(&sounds_pool);
}

// Takes back what sounds_alloc() returned.
static inline TP_CALL void sounds_free(struct voice *object)
{
  tp_aged_free(&sounds_pool, object);
}

// RAM: 32 bytes of slots, 20 of ages, 20 of tags (8 at off), and its state.
enum {
  MUSIC_COUNT = 4,
  MUSIC_SIZE = 8,
};
TP_STATIC_ASSERT(sizeof(struct voice) <= MUSIC_SIZE,  // pools.toml:8: music
                 "pools.toml:8: music: size = 8 is less than sizeof(struct voice)");
TP_STATIC_ASSERT(TP_ALIGNOF(struct voice) <= 8,  // pools.toml:8: music
                 "pools.toml:8: music: align = 8 is less than struct voice needs");
typedef char music_size_must_be[8];
typedef char music_size_must_be[sizeof(struct voice) > 8 ? sizeof(struct voice) : 8];
extern const struct tp_pool music_pool;

// A slot, not initialised. When all 4 are live: the oldest is stolen,
// voice_stopped() is told. NULL iff each is changing hands.
static inline TP_CALL struct voice *music_alloc(void)
{
  return (struct voice *)tp_aged_alloc(&music_pool);
}

// Takes back what music_alloc() returned.
static inline TP_CALL void music_free(struct voice *object)
{
  tp_aged_free(&music_pool, object);
}

// RAM: 1280 bytes of slots, 44 of ages, 44 of tags (8 at off), and its state.
enum {
  LOGS_COUNT = 10,
  LOGS_SIZE = 128,
};
void log_lost(void *victim);
extern const struct tp_pool logs_pool;

// A slot, not initialised. When all 10 are live: the oldest is stolen,
// log_lost() is told. NULL iff each is changing hands.
static inline TP_CALL void *logs_alloc(void)
{
  return tp_aged_alloc(&logs_pool);
}

// Takes back what logs_alloc() returned.
static inline TP_CALL void logs_free(void *object)
{
  tp_aged_free(&logs_pool, object);
}

#ifdef __cplusplus
}
#pragma GCC diagnostic pop
#endif

#endif
