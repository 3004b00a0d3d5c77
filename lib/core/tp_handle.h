// SPDX-License-Identifier: MIT
// tp_handle.h - references that notice when their object is gone.
//
// A handle is a slot and the generation of the life it refers to. Freeing,
// stealing and every later life of the slot make it stale; it then resolves to
// NULL, for ever: until the generation wraps, which the generator computes.
// All-zero is never a handle, since no slot is 0.
#ifndef TP_HANDLE_H
#define TP_HANDLE_H

#include "core/tp_pool.h"
#include "core/tp_shape.h"

#ifdef __cplusplus
extern "C" {
#endif

// 32 bits: the slot's number in as many bits as the capacity needs, the rest
// for the generation. 64 bits: 16 and 32, for pools whose slots are reused so
// often that a shorter generation would wrap within a mission.
typedef uint32_t tp_handle_t;
typedef uint64_t tp_handle64_t;
#define TP_NO_HANDLE ((tp_handle_t)0)

// Issues a slot of [pool] as tp_pool_alloc() does, and writes its handle to
// [handle] before anybody could steal it.
//
// Returns  the object; NULL, and TP_NO_HANDLE in [handle], iff tp_pool_alloc()
//          would. It is the newest: an interrupt that steals takes every
//          older object first.
// Faults   those of tp_pool_alloc().
// Time     O(1), the locked windows of tp_pool_alloc().
// Context  Any the pool's lock allows.
void *tp_handle_alloc(const struct tp_pool *pool, tp_handle_t *handle);

// The handle of live [object] of [pool].
//
// Returns  the handle; TP_NO_HANDLE iff [object] is not a live object of
//          [pool], which is also the answer for NULL.
// Time     O(1), nothing locked.
// Context  Any, but the object must be yours: where an interrupt may have
//          stolen it meanwhile, this is the thief's handle. tp_handle_alloc().
tp_handle_t tp_handle_of(const struct tp_pool *pool, const void *object);

// Returns  the object [handle] refers to; NULL iff it is stale or no handle.
// Time     O(1), nothing locked: a tag is one word, read once.
// Context  Any. An interrupt that steals may take the object at any moment
//          from here on. So: what you read counts iff the handle still
//          resolves after the last read; write only with that interrupt masked
//          from tp_handle_get() to the last write.
void *tp_handle_get(const struct tp_pool *pool, tp_handle_t handle);

// tp_pool_pin() by handle: the generation is compared under the lock, so what
// is returned is pinned before anybody could steal it. Until tp_handle_unpin()
// it may be read and written as if nobody stole.
//
// Returns  the object; NULL iff the handle is stale or no handle.
// Faults   PIN: it is pinned already (fast).
// Time     O(1), one locked window.
// Context  Any the pool's lock allows. Aged pools.
void *tp_handle_pin(const struct tp_pool *pool, tp_handle_t handle);

// Lets the pinned object of [handle] be stolen again: last of all.
//
// Returns  true; false iff the handle is stale or no handle: nothing changed.
// Faults   PIN: it is not pinned (fast).
// Time, Context  as tp_handle_pin().
bool tp_handle_unpin(const struct tp_pool *pool, tp_handle_t handle);

// The handle of the life that [tag], told by a call that issued [object], says.
//
// Returns  the handle; TP_NO_HANDLE iff [object] is NULL.
// Time     O(1), nothing locked.
// Context  Any.
tp_handle_t tp_handle_by_tag(const struct tp_pool *pool, const void *object,
                             uint32_t tag);

// Takes back the object [handle] refers to. The generation is compared under
// the lock, so an interrupt that steals the object first wins and nobody
// loses another's.
//
// Returns  true; false iff the handle is stale or no handle: nothing changed.
// Faults   RED_ZONE (full).
// Time     O(1), two locked windows.
// Context  Any the pool's lock allows.
bool tp_handle_free(const struct tp_pool *pool, tp_handle_t handle);

// The same for handles of 64 bits.
void *tp_handle64_alloc(const struct tp_pool *pool, tp_handle64_t *handle);
tp_handle64_t tp_handle64_of(const struct tp_pool *pool, const void *object);
void *tp_handle64_get(const struct tp_pool *pool, tp_handle64_t handle);
bool tp_handle64_free(const struct tp_pool *pool, tp_handle64_t handle);
void *tp_handle64_pin(const struct tp_pool *pool, tp_handle64_t handle);
bool tp_handle64_unpin(const struct tp_pool *pool, tp_handle64_t handle);
tp_handle64_t tp_handle64_by_tag(const struct tp_pool *pool, const void *object,
                                 uint32_t tag);

#define TP_POOL_DECLARE_HANDLES_32(name, type) \
  TP_POOL_DECLARE_HANDLES_BY(name, type, tp_handle, tp_handle_t)
#define TP_POOL_DECLARE_HANDLES_64(name, type) \
  TP_POOL_DECLARE_HANDLES_BY(name, type, tp_handle64, tp_handle64_t)
#define TP_POOL_DECLARE_HANDLES_BY(name, type, noun, handle_type) \
  TP_CALL type *name##_alloc_handle(handle_type *handle)          \
  {                                                               \
    return (type *)noun##_alloc(&name##_pool, handle);            \
  }                                                               \
  TP_CALL handle_type name##_handle(const type *object)           \
  {                                                               \
    return noun##_of(&name##_pool, object);                       \
  }                                                               \
  TP_CALL type *name##_get(handle_type handle)                    \
  {                                                               \
    return (type *)noun##_get(&name##_pool, handle);              \
  }                                                               \
  TP_CALL bool name##_free_handle(handle_type handle)             \
  {                                                               \
    return noun##_free(&name##_pool, handle);                     \
  }                                                               \
  TP_CALL type *name##_pin_handle(handle_type handle)             \
  {                                                               \
    return (type *)noun##_pin(&name##_pool, handle);              \
  }                                                               \
  TP_CALL bool name##_unpin_handle(handle_type handle)            \
  {                                                               \
    return noun##_unpin(&name##_pool, handle);                    \
  }                                                               \
  TP_STATIC_ASSERT(1, "")

// Declares the handles, of 32 or 64 [bits], of a pool declared before.
#define TP_POOL_DECLARE_HANDLES(name, type, bits) \
  TP_POOL_DECLARE_HANDLES_##bits(name, type)

#ifdef __cplusplus
}
#endif

#endif
