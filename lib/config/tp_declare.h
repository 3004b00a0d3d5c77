// SPDX-License-Identifier: MIT
// tp_declare.h - declaring the typed calls of a pool by hand.
#ifndef TP_DECLARE_H
#define TP_DECLARE_H

#include "tidepool.h"

#ifdef __cplusplus
extern "C" {
#endif

// Declares pool [name] of [type] and the typed calls that applications use.
// They are as cheap as the call behind them.
#define TP_POOL_DECLARE(name, type)        \
  extern const struct tp_pool name##_pool; \
  TP_POOL_DECLARE_CALLS(name, type)

#define TP_POOL_DECLARE_CALLS(name, type)       \
  TP_CALL type *name##_alloc(void)              \
  {                                             \
    return (type *)tp_pool_alloc(&name##_pool); \
  }                                             \
  TP_CALL void name##_free(type *object)        \
  {                                             \
    tp_pool_free(&name##_pool, object);         \
  }                                             \
  TP_STATIC_ASSERT(1, "")

// The same for a pool whose code is compiled for it alone: TP_POOL_OWN().
#define TP_POOL_DECLARE_OWN(name, type)    \
  extern const struct tp_pool name##_pool; \
  type *name##_alloc(void);                \
  void name##_free(type *object)

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

// Declares NAME_pin() and NAME_unpin(), for a pool declared before.
#define TP_POOL_DECLARE_PINS(name, type)  \
  TP_CALL void name##_pin(type *object)   \
  {                                       \
    tp_pool_pin(&name##_pool, object);    \
  }                                       \
  TP_CALL void name##_unpin(type *object) \
  {                                       \
    tp_pool_unpin(&name##_pool, object);  \
  }                                       \
  TP_STATIC_ASSERT(1, "")

#ifdef __cplusplus
}
#endif

#endif
