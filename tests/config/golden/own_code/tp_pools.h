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
#define TP_CONFIG_HASH 0xdde6c00au

TP_STATIC_ASSERT(TIDEPOOL_VERSION == 100,
                 "tidepool.py of version 0.1.0 generated this, but the library is of version "
                 TIDEPOOL_VERSION_TEXT);

//  name       C type           size  count  when full
#define TP_POOLS(X) \
  X(particles, struct particle,   24,   256, DROP) \
  X(sounds,    struct voice,       8,    16, STEAL_OLDEST) \
  X(bytes,     void,              16,     3, ASSERT)

enum tp_pool_id {
  TP_ID_PARTICLES,
  TP_ID_SOUNDS,
  TP_ID_BYTES,
  TP_POOL_N,
};

extern const struct tp_pool *const tp_pool_table[TP_POOL_N];

// RAM: 6144 bytes of slots, 1028 of tags (8 at off), and its state.
enum {
  PARTICLES_COUNT = 256,
  PARTICLES_SIZE = 24,
};
TP_STATIC_ASSERT(sizeof(struct particle) <= PARTICLES_SIZE,
                 "pools.toml:7: particles: size = 24 is less than sizeof(struct particle)");
TP_STATIC_ASSERT(TP_ALIGNOF(struct particle) <= 8,
                 "pools.toml:7: particles: align = 8 is less than struct particle needs");
extern const struct tp_pool particles_pool;

// A slot, not initialised. When all 256 are live: NULL.
struct particle *particles_alloc(void);

// Takes back what particles_alloc() returned.
void particles_free(struct particle *object);

// RAM: 128 bytes of slots, 68 of ages, 68 of tags (8 at off), and its state.
enum {
  SOUNDS_COUNT = 16,
  SOUNDS_SIZE = 8,
};
TP_STATIC_ASSERT(sizeof(struct voice) <= SOUNDS_SIZE,
                 "pools.toml:8: sounds: size = 8 is less than sizeof(struct voice)");
TP_STATIC_ASSERT(TP_ALIGNOF(struct voice) <= 8,
                 "pools.toml:8: sounds: align = 8 is less than struct voice needs");
void voice_stopped(struct voice *victim);
extern const struct tp_pool sounds_pool;

// A slot, not initialised. When all 16 are live: the oldest is stolen,
// voice_stopped() is told. NULL iff each is changing hands.
struct voice *sounds_alloc(void);

// Takes back what sounds_alloc() returned.
void sounds_free(struct voice *object);

// RAM: 48 bytes of slots, 16 of tags (8 at off), and its state.
enum {
  BYTES_COUNT = 3,
  BYTES_SIZE = 16,
};
extern const struct tp_pool bytes_pool;

// A slot, not initialised. When all 3 are live: a fault, FULL.
void *bytes_alloc(void);

// Takes back what bytes_alloc() returned.
void bytes_free(void *object);

#ifdef __cplusplus
}
#endif

#endif
