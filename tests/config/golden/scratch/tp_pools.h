// Generated from pools.toml by tidepool.py. Edit pools.toml, not this file.
// clang-format off

#ifndef TP_POOLS_H
#define TP_POOLS_H

#include "tidepool.h"
#include "tidepool_version.h"
#include "allocator/tp_dstack.h"
#include "allocator/tp_frame.h"
#include "allocator/tp_stack.h"

#ifdef __cplusplus
extern "C" {
#endif

// Of the values alone: comments and layout do not change it.
#define TP_CONFIG_HASH 0xd6b7235au

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

// Lives as long as a level.
// RAM: 8192 bytes in ram, 24 of metadata.
enum {
  LEVEL_SIZE = 8192,
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

// RAM: 4096 bytes, 48 of metadata.
enum {
  SIDES_SIZE = 4096,
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

// What this frame draws, and the next one shows.
// RAM: 8192 bytes in ram, 32 of metadata.
enum {
  DRAW_COUNT = 2,
  DRAW_SIZE = 4096,
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

// RAM: 512 bytes, 20 of metadata.
enum {
  SCRATCH_COUNT = 1,
  SCRATCH_SIZE = 512,
};
extern const struct tp_frame scratch_frame;

// [size] bytes at a multiple of [align], a power of two. Good for as long as
// this frame lasts. When they do not fit: a fault, FULL.
static inline TP_CALL void *scratch_alloc(size_t size, size_t align)
{
  return tp_frame_alloc(&scratch_frame, size, align);
}

// Ends the frame. What the next one allocates overwrites the oldest.
static inline TP_CALL void scratch_end(void)
{
  tp_frame_end(&scratch_frame);
}

#ifdef __cplusplus
}
#endif

#endif
