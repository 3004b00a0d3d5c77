// SPDX-License-Identifier: MIT
// tp_port.h - the port for tests and tools on a desktop machine.
//
// The lock counts how deep it is: a test can see that every path gave back what
// it took. An interrupt is a call, and comes only when it was asked for.
#ifndef TP_PORT_H
#define TP_PORT_H

#if defined __ELF__ && !defined __unix__
#error "this port is for a desktop machine: is CMAKE_SYSTEM_NAME Generic?"
#endif

#include <stddef.h>
#include <stdint.h>

#define TP_INLINE    static inline __attribute__((always_inline))
#define TP_NOINLINE  __attribute__((noinline))
#define TP_NORETURN  __attribute__((noreturn))
#define TP_LIKELY(x) __builtin_expect(!!(x), 1)
#define TP_BARRIER() __asm volatile("" : : : "memory")

// Before a loop: straight code where the count is constant and small.
#define TP_UNROLL _Pragma("GCC unroll 16")

#define TP_KEEP(pointer) __asm("" : "+r"(pointer))

#ifdef __cplusplus
extern "C" {
#endif

extern uint32_t tp_port_depth;    // Locks taken and not given back.
extern uint32_t tp_port_windows;  // How often the first of them was taken.
extern uint32_t tp_port_lost;     // Claims that the next stores find lost.
extern uint32_t tp_port_runs;     // 1: an interrupt's handler.
extern uint32_t tp_port_due;      // Edges to the next interrupt; 0: none comes.
extern uint32_t tp_port_outside;  // Not 0: the caller is one no lock serves.

// Calls [handler] once, at the [edges]th edge from now: where a lock is about
// to be taken or was given back, and where a claim is about to be stored, which
// is lost then. Never while a lock is held or a handler runs; no edge counts
// there. The handler may ask for the next. 0 edges take it back.
void tp_port_interrupt_after(uint32_t edges, void (*handler)(void));

// An edge, when one is awaited. Returns 1 iff the interrupt came.
int tp_port_edge(void);

// Tells AddressSanitizer that memory is nobody's, or somebody's.
void tp_port_poison(const void *memory,
                    size_t bytes) __asm("__asan_poison_memory_region");
void tp_port_unpoison(const void *memory,
                      size_t bytes) __asm("__asan_unpoison_memory_region");

#ifdef __cplusplus
}
#endif

// With TIDEPOOL_ASAN = 1 it then names who touches what is nobody's. The
// library itself does, and is compiled without it.
#if defined TIDEPOOL_ASAN && TIDEPOOL_ASAN
#define TP_PORT_POISON(memory, bytes)   tp_port_poison(memory, bytes)
#define TP_PORT_UNPOISON(memory, bytes) tp_port_unpoison(memory, bytes)
#endif

#define TP_PORT_CONTEXT()        tp_port_runs
#define TP_PORT_UNSERVED()       tp_port_outside
#define TP_CONSTANT(value)       __builtin_constant_p(value)
#define TP_KEEP_BOTH(one, other) __asm("" : "+r"(one), "+r"(other))
#define TP_LOADED(one, other)    ((void)0)
#define TP_SAVE_RETURN()         ((void)0)

TP_INLINE int tp_port_interrupted(void)
{
  return tp_port_due > 0 && tp_port_depth == 0 && tp_port_edge();
}

TP_INLINE uint32_t tp_port_lock(void)
{
  tp_port_interrupted();
  tp_port_windows += tp_port_depth == 0;
  return tp_port_depth++;
}

TP_INLINE void tp_port_unlock(uint32_t key)
{
  tp_port_depth = key;
  tp_port_interrupted();
}

#define TP_PORT_HAS_BASEPRI   1
#define TP_PORT_HAS_EXCLUSIVE 1
#define TP_PORT_HAS_HALVES    0
#define TP_PORT_HAS_ROTATE    0
#define TP_PORT_HAS_FOURS     0

TP_INLINE uint32_t tp_port_lock_below(uint32_t priority)
{
  (void)priority;
  return tp_port_lock();
}

TP_INLINE void tp_port_unlock_below(uint32_t key)
{
  tp_port_unlock(key);
}

TP_INLINE uint32_t tp_port_load_exclusive(const uint32_t *word)
{
  return *word;
}

TP_INLINE int tp_port_store_exclusive(uint32_t *word, uint32_t value)
{
  if (tp_port_interrupted()) return 0;
  if (tp_port_lost > 0) {
    tp_port_lost--;
    return 0;
  }
  *word = value;
  return 1;
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
