// SPDX-License-Identifier: MIT
// tp_declare.h - the typed calls of pools that a test defines by hand, as
// tp_pools.h has them of rows. C only.
#ifndef TP_DECLARE_H
#define TP_DECLARE_H

#include "tidepool.h"

#define TP_POOL_DECLARE(name, type)        \
  extern const struct tp_pool name##_pool; \
  TP_POOL_DECLARE_CALLS(name, type)

#define TP_POOL_DECLARE_CALLS(name, type)              \
  static inline TP_CALL type *name##_alloc(void)       \
  {                                                    \
    return (type *)tp_pool_alloc(&name##_pool);        \
  }                                                    \
  static inline TP_CALL void name##_free(type *object) \
  {                                                    \
    tp_pool_free(&name##_pool, object);                \
  }                                                    \
  TP_STATIC_ASSERT(1, "")

#define TP_POOL_DECLARE_OWN(name, type)    \
  extern const struct tp_pool name##_pool; \
  type *name##_alloc(void);                \
  void name##_free(type *object)

#define TP_POOL_DECLARE_HANDLES_32(name, type) \
  TP_POOL_DECLARE_HANDLES_BY(name, type, tp_handle, tp_handle_t)

#define TP_POOL_DECLARE_HANDLES_64(name, type) \
  TP_POOL_DECLARE_HANDLES_BY(name, type, tp_handle64, tp_handle64_t)

#define TP_POOL_DECLARE_HANDLES_BY(name, type, noun, handle_type)      \
  static inline TP_CALL type *name##_alloc_handle(handle_type *handle) \
  {                                                                    \
    return (type *)noun##_alloc(&name##_pool, handle);                 \
  }                                                                    \
  static inline TP_CALL handle_type name##_handle(const type *object)  \
  {                                                                    \
    return noun##_of(&name##_pool, object);                            \
  }                                                                    \
  static inline TP_CALL type *name##_get(handle_type handle)           \
  {                                                                    \
    return (type *)noun##_get(&name##_pool, handle);                   \
  }                                                                    \
  static inline TP_CALL bool name##_free_handle(handle_type handle)    \
  {                                                                    \
    return noun##_free(&name##_pool, handle);                          \
  }                                                                    \
  static inline TP_CALL type *name##_pin_handle(handle_type handle)    \
  {                                                                    \
    return (type *)noun##_pin(&name##_pool, handle);                   \
  }                                                                    \
  static inline TP_CALL bool name##_unpin_handle(handle_type handle)   \
  {                                                                    \
    return noun##_unpin(&name##_pool, handle);                         \
  }                                                                    \
  TP_STATIC_ASSERT(1, "")

#define TP_POOL_DECLARE_HANDLES(name, type, bits) \
  TP_POOL_DECLARE_HANDLES_##bits(name, type)

#define TP_POOL_DECLARE_PINS(name, type)                \
  static inline TP_CALL void name##_pin(type *object)   \
  {                                                     \
    tp_pool_pin(&name##_pool, object);                  \
  }                                                     \
  static inline TP_CALL void name##_unpin(type *object) \
  {                                                     \
    tp_pool_unpin(&name##_pool, object);                \
  }                                                     \
  TP_STATIC_ASSERT(1, "")

#define TP_OBJECTS_DECLARE(name, type)                                   \
  extern const struct tp_objects name##_objects;                         \
  static inline TP_CALL type *name##_create(void *context)               \
  {                                                                      \
    return (type *)tp_object_alloc(&name##_objects, context);            \
  }                                                                      \
  static inline TP_CALL void name##_destroy(type *object)                \
  {                                                                      \
    tp_object_free(&name##_objects, object);                             \
  }                                                                      \
  static inline TP_CALL bool name##_is_live(const type *object)          \
  {                                                                      \
    return tp_object_is_live(&name##_objects, object);                   \
  }                                                                      \
  static inline TP_CALL void name##_update(bool (*step)(void *, void *), \
                                           void *context)                \
  {                                                                      \
    tp_update_objects(&name##_objects, &name##_pool, false,              \
                      name##_objects.in_use, step, context);             \
  }                                                                      \
  static inline TP_CALL void name##_walk(void (*visit)(void *, void *),  \
                                         void *context)                  \
  {                                                                      \
    tp_object_walk(&name##_objects, visit, context);                     \
  }                                                                      \
  static inline TP_CALL void name##_clear(void)                          \
  {                                                                      \
    tp_object_clear(&name##_objects);                                    \
  }                                                                      \
  static inline TP_CALL void name##_audit(void)                          \
  {                                                                      \
    tp_object_audit(&name##_objects);                                    \
  }                                                                      \
  TP_STATIC_ASSERT(1, "")

#define TP_NOINIT_DECLARE(name)                    \
  extern const struct tp_noinit name##_noinit;     \
  static inline TP_CALL bool name##_validate(void) \
  {                                                \
    return tp_noinit_validate(&name##_noinit);     \
  }                                                \
  TP_STATIC_ASSERT(1, "")

#define TP_SCENE_POOL_DECLARE(name, type) \
  extern struct tp_pool name##_pool;      \
  TP_POOL_DECLARE_CALLS(name, type)

#define TP_SCENES_DECLARE(name)                             \
  extern const struct tp_scenes name##_scenes;              \
  static inline TP_CALL uint32_t name##_switch(             \
      uint32_t scene, struct tp_scene_holder *holders)      \
  {                                                         \
    return tp_scene_switch(&name##_scenes, scene, holders); \
  }                                                         \
  static inline TP_CALL void name##_force(uint32_t scene)   \
  {                                                         \
    tp_scene_force(&name##_scenes, scene);                  \
  }                                                         \
  static inline TP_CALL uint32_t name##_current(void)       \
  {                                                         \
    return tp_scene_current(&name##_scenes);                \
  }                                                         \
  TP_STATIC_ASSERT(1, "")

#define TP_POOL_DECLARE_SCORED(name, type)                        \
  static inline TP_CALL type *name##_alloc_scored(uint32_t score) \
  {                                                               \
    return (type *)tp_least_alloc(&name##_pool, score);           \
  }                                                               \
  TP_STATIC_ASSERT(1, "")

#define TP_SPILL_DECLARE(name) extern const struct tp_spill name##_spill

#define TP_CHUNK_DECLARE(name) extern const struct tp_chunk name##_chunk

#define TP_RESERVE_DECLARE(name, type)                  \
  extern const struct tp_pool name##_urgent_pool;       \
  extern const struct tp_pool name##_reserve_pool;      \
  static inline TP_CALL type *name##_alloc_urgent(void) \
  {                                                     \
    return (type *)tp_pool_alloc(&name##_urgent_pool);  \
  }                                                     \
  TP_STATIC_ASSERT(1, "")

#define TP_WATERMARK_DECLARE(name, type)                  \
  extern const struct tp_pool name##_pool;                \
  extern const struct tp_watermark name##_watermark;      \
  static inline TP_CALL type *name##_alloc(void)          \
  {                                                       \
    return (type *)tp_watermark_alloc(&name##_watermark); \
  }                                                       \
  static inline TP_CALL void name##_free(type *object)    \
  {                                                       \
    tp_watermark_free(&name##_watermark, object);         \
  }                                                       \
  TP_STATIC_ASSERT(1, "")

#define TP_STACK_DECLARE(name)                                        \
  extern const struct tp_stack name##_stack;                          \
  static inline TP_CALL void *name##_alloc(size_t size, size_t align) \
  {                                                                   \
    return tp_stack_alloc(&name##_stack, size, align);                \
  }                                                                   \
  static inline TP_CALL struct tp_mark name##_mark(void)              \
  {                                                                   \
    return tp_stack_mark(&name##_stack);                              \
  }                                                                   \
  static inline TP_CALL void name##_release(struct tp_mark mark)      \
  {                                                                   \
    tp_stack_release(&name##_stack, mark);                            \
  }                                                                   \
  TP_STATIC_ASSERT(1, "")

#define TP_DSTACK_DECLARE(name)                                          \
  extern const struct tp_dstack name##_dstack;                           \
  static inline TP_CALL void *name##_alloc(enum tp_end end, size_t size, \
                                           size_t align)                 \
  {                                                                      \
    return tp_dstack_alloc(&name##_dstack, end, size, align);            \
  }                                                                      \
  static inline TP_CALL struct tp_mark name##_mark(enum tp_end end)      \
  {                                                                      \
    return tp_dstack_mark(&name##_dstack, end);                          \
  }                                                                      \
  static inline TP_CALL void name##_release(enum tp_end end,             \
                                            struct tp_mark mark)         \
  {                                                                      \
    tp_dstack_release(&name##_dstack, end, mark);                        \
  }                                                                      \
  TP_STATIC_ASSERT(1, "")

#define TP_FRAME_DECLARE(name)                                        \
  extern const struct tp_frame name##_frame;                          \
  static inline TP_CALL void *name##_alloc(size_t size, size_t align) \
  {                                                                   \
    return tp_frame_alloc(&name##_frame, size, align);                \
  }                                                                   \
  static inline TP_CALL void name##_end(void)                         \
  {                                                                   \
    tp_frame_end(&name##_frame);                                      \
  }                                                                   \
  TP_STATIC_ASSERT(1, "")

#define TP_BLOCKS_DECLARE(name)                         \
  extern const struct tp_blocks name##_blocks;          \
  static inline TP_CALL void *name##_alloc(size_t size) \
  {                                                     \
    return tp_blocks_alloc(&name##_blocks, size);       \
  }                                                     \
  static inline TP_CALL void name##_free(void *block)   \
  {                                                     \
    tp_blocks_free(&name##_blocks, block);              \
  }                                                     \
  TP_STATIC_ASSERT(1, "")

#define TP_RELOC_DECLARE(name)                                  \
  extern const struct tp_reloc name##_reloc;                    \
  static inline TP_CALL tp_handle_t name##_alloc(size_t size)   \
  {                                                             \
    return tp_reloc_alloc(&name##_reloc, size);                 \
  }                                                             \
  static inline TP_CALL bool name##_free(tp_handle_t handle)    \
  {                                                             \
    return tp_reloc_free(&name##_reloc, handle);                \
  }                                                             \
  static inline TP_CALL void *name##_lock(tp_handle_t handle)   \
  {                                                             \
    return tp_reloc_lock(&name##_reloc, handle);                \
  }                                                             \
  static inline TP_CALL bool name##_unlock(tp_handle_t handle)  \
  {                                                             \
    return tp_reloc_unlock(&name##_reloc, handle);              \
  }                                                             \
  static inline TP_CALL struct tp_reloc_moved name##_step(void) \
  {                                                             \
    return tp_reloc_step(&name##_reloc, name##_reloc.moves,     \
                         name##_reloc.move_bytes);              \
  }                                                             \
  TP_STATIC_ASSERT(1, "")

#define TP_DENSE_DECLARE(name, type)                              \
  extern const struct tp_dense name##_dense;                      \
  static inline TP_CALL type *name##_alloc(tp_handle_t *handle)   \
  {                                                               \
    return (type *)tp_dense_alloc(&name##_dense, handle);         \
  }                                                               \
  static inline TP_CALL bool name##_free(tp_handle_t handle)      \
  {                                                               \
    return tp_dense_free(&name##_dense, handle);                  \
  }                                                               \
  static inline TP_CALL void name##_reset(void)                   \
  {                                                               \
    tp_dense_reset(&name##_dense);                                \
  }                                                               \
  static inline TP_CALL type *name##_get(tp_handle_t handle)      \
  {                                                               \
    return (type *)tp_dense_get(&name##_dense, handle);           \
  }                                                               \
  static inline TP_CALL type *name##_at(uint32_t index)           \
  {                                                               \
    return (type *)tp_dense_at(&name##_dense, index);             \
  }                                                               \
  static inline TP_CALL tp_handle_t name##_handle(uint32_t index) \
  {                                                               \
    return tp_dense_handle(&name##_dense, index);                 \
  }                                                               \
  static inline TP_CALL uint32_t name##_count(void)               \
  {                                                               \
    return tp_dense_count(&name##_dense);                         \
  }                                                               \
  static inline TP_CALL type *name##_first(tp_handle_t *handle)   \
  {                                                               \
    return (type *)tp_dense_first(&name##_dense, handle);         \
  }                                                               \
  static inline TP_CALL type *name##_next(tp_handle_t *handle)    \
  {                                                               \
    return (type *)tp_dense_next(&name##_dense, handle);          \
  }                                                               \
  TP_STATIC_ASSERT(1, "")

#define TP_NEST_DECLARE(name) extern const struct tp_nest name##_nest

#endif
