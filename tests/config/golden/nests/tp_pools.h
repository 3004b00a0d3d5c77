// Generated from pools.toml by tidepool.py. Edit pools.toml, not this file.
// clang-format off

#ifndef TP_POOLS_H
#define TP_POOLS_H

#include "tidepool.h"
#include "tidepool_version.h"
#include "allocator/tp_dstack.h"
#include "allocator/tp_frame.h"
#include "allocator/tp_nest.h"
#include "allocator/tp_stack.h"
#include "game/types.h"

#ifdef __cplusplus
extern "C" {
#endif

// Of the values alone: comments and layout do not change it.
#define TP_CONFIG_HASH 0xf2cf3fabu

TP_STATIC_ASSERT(TIDEPOOL_VERSION == 100,
                 "tidepool.py of version 0.1.0 generated this, but the library is of version "
                 TIDEPOOL_VERSION_TEXT);

//  name     C type        size  count  when full
#define TP_POOLS(X) \
  X(enemies, struct enemy,   80,    48, ASSERT) \
  X(sparks,  void,           12,     3, DROP) \
  X(embers,  void,           12,     1, DROP)

enum tp_pool_id {
  TP_ID_ENEMIES,
  TP_ID_SPARKS,
  TP_ID_EMBERS,
  TP_POOL_N,
};

extern const struct tp_pool *const tp_pool_table[TP_POOL_N];

// RAM: 3840 bytes of slots in ram, 196 of tags (8 at off), and its state.
enum {
  ENEMIES_COUNT = 48,
  ENEMIES_SIZE = 80,
};
TP_STATIC_ASSERT(sizeof(struct enemy) <= ENEMIES_SIZE,
                 "pools.toml:16: enemies: size = 80 is less than sizeof(struct enemy)");
TP_STATIC_ASSERT(TP_ALIGNOF(struct enemy) <= 8,
                 "pools.toml:16: enemies: align = 8 is less than struct enemy needs");
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

// RAM: 36 bytes of slots in ram, 16 of tags (8 at off), and its state.
enum {
  SPARKS_COUNT = 3,
  SPARKS_SIZE = 12,
};
extern const struct tp_pool sparks_pool;

// A slot, not initialised. When all 3 are live: NULL.
static inline TP_CALL void *sparks_alloc(void)
{
  return tp_pool_alloc(&sparks_pool);
}

// Takes back what sparks_alloc() returned.
static inline TP_CALL void sparks_free(void *object)
{
  tp_pool_free(&sparks_pool, object);
}

// RAM: 12 bytes of slots, 8 of tags (8 at off), and its state.
enum {
  EMBERS_COUNT = 1,
  EMBERS_SIZE = 12,
};
extern const struct tp_pool embers_pool;

// A slot, not initialised. When its one slot is live: NULL.
static inline TP_CALL void *embers_alloc(void)
{
  return tp_pool_alloc(&embers_pool);
}

// Takes back what embers_alloc() returned.
static inline TP_CALL void embers_free(void *object)
{
  tp_pool_free(&embers_pool, object);
}

// RAM: 2048 bytes in ram, 24 of metadata.
enum {
  LEVEL_SIZE = 2048,
};
extern const struct tp_stack level_stack;

// [size] bytes at a multiple of [align], a power of two. When they do not fit:
// a fault, FULL.
static inline TP_CALL void *level_alloc(size_t size, size_t align)
{
  return tp_stack_alloc(&level_stack, size, align);
}

// Where it stands, to go back to.
static inline TP_CALL struct tp_mark level_mark(void)
{
  return tp_stack_mark(&level_stack);
}

// Gives back all that was allocated since the mark, which must be the newest.
static inline TP_CALL void level_release(struct tp_mark mark)
{
  tp_stack_release(&level_stack, mark);
}

// RAM: 1024 bytes in ram, 48 of metadata.
enum {
  SIDES_SIZE = 1024,
};
extern const struct tp_dstack sides_dstack;

// [size] bytes at a multiple of [align], a power of two. When they do not fit:
// NULL.
static inline TP_CALL void *sides_alloc(enum tp_end end,
                                        size_t size,
                                        size_t align)
{
  return tp_dstack_alloc(&sides_dstack, end, size, align);
}

// Where that end stands, to go back to.
static inline TP_CALL struct tp_mark sides_mark(enum tp_end end)
{
  return tp_dstack_mark(&sides_dstack, end);
}

// Gives back all that was allocated since the mark, which must be the newest.
static inline TP_CALL void sides_release(enum tp_end end, struct tp_mark mark)
{
  tp_dstack_release(&sides_dstack, end, mark);
}

// RAM: 2048 bytes in ram, 32 of metadata.
enum {
  DRAW_COUNT = 2,
  DRAW_SIZE = 1024,
};
extern const struct tp_frame draw_frame;

// [size] bytes at a multiple of [align], a power of two. Good for as long as 2
// frames last. When they do not fit: NULL.
static inline TP_CALL void *draw_alloc(size_t size, size_t align)
{
  return tp_frame_alloc(&draw_frame, size, align);
}

// Ends the frame. What the next one allocates overwrites the oldest.
static inline TP_CALL void draw_end(void)
{
  tp_frame_end(&draw_frame);
}

// RAM: 7384 bytes in ram, 56 of metadata.
enum {
  ROOT_SIZE = 16384,
};
extern const struct tp_nest root_nest;

// RAM: 1008 bytes, 56 of metadata.
enum {
  SIDE_SIZE = 1024,
};
extern const struct tp_nest side_nest;

// RAM: 2048 bytes in ram, 56 of metadata.
enum {
  SPARE_SIZE = 2048,
};
extern const struct tp_nest spare_nest;

#ifdef __cplusplus
}
#endif

#endif
