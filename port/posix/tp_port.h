// SPDX-License-Identifier: MIT
// tp_port.h - the port for programs of several POSIX threads: what masks
// interrupts elsewhere keeps all other threads out here. It wants
// port/posix/tp_port.c, too.
#ifndef TP_PORT_H
#define TP_PORT_H

#include <stdint.h>

#define TP_INLINE        static inline __attribute__((always_inline))
#define TP_NOINLINE      __attribute__((noinline))
#define TP_NORETURN      __attribute__((noreturn))
#define TP_LIKELY(x)     __builtin_expect(!!(x), 1)
#define TP_BARRIER()     __asm volatile("" : : : "memory")
#define TP_UNROLL        _Pragma("GCC unroll 16")
#define TP_KEEP(pointer) __asm("" : "+r"(pointer))

#define TP_CONSTANT(value)       __builtin_constant_p(value)
#define TP_KEEP_BOTH(one, other) __asm("" : "+r"(one), "+r"(other))
#define TP_LOADED(one, other)    ((void)0)
#define TP_SAVE_RETURN()         ((void)0)
#define TP_PORT_CONTEXT()        0u

#define TP_PORT_HAS_BASEPRI   0
#define TP_PORT_HAS_EXCLUSIVE 0
#define TP_PORT_HAS_HALVES    0
#define TP_PORT_HAS_ROTATE    0
#define TP_PORT_HAS_FOURS     0

#ifdef __cplusplus
extern "C" {
#endif

extern __thread uint32_t tp_port_depth;  // Locks that this thread holds.

// One lock for all allocators. Pairs nest.
uint32_t tp_port_lock(void);
void tp_port_unlock(uint32_t key);

#ifdef __cplusplus
}
#endif

TP_INLINE uint32_t tp_port_lock_below(uint32_t priority)
{
  (void)priority;
  return tp_port_lock();
}

TP_INLINE void tp_port_unlock_below(uint32_t key)
{
  tp_port_unlock(key);
}

// Where the function it stands in, or is inlined into, will return to.
#define TP_SITE __builtin_return_address(0)

TP_INLINE const void *tp_port_caller(const void *site)
{
  return site;
}

TP_INLINE const void *tp_port_site_of(const void *const *caller)
{
  return *caller;
}

TP_NORETURN TP_INLINE void tp_port_trap(void)
{
  for (;;) __builtin_trap();
}

#endif
