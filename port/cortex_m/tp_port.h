// SPDX-License-Identifier: MIT
// tp_port.h - what the library needs of a Cortex-M, ARMv6-M to ARMv8.1-M.
//
// The contract of a port (every name here, and nothing else) is in
// port/README.md.
#ifndef TP_PORT_H
#define TP_PORT_H

#include <stdint.h>

// A function whose body must stand in its caller: the core is written once and
// becomes fast by being compiled against a constant descriptor.
#define TP_INLINE static inline __attribute__((always_inline))

// A function kept out of its callers, so that they stay small.
#define TP_NOINLINE __attribute__((noinline))

// Which way a branch nearly always goes.
#define TP_LIKELY(x) __builtin_expect(!!(x), 1)

// Before a loop: straight code where the count is constant and small.
#define TP_UNROLL _Pragma("GCC unroll 16")

// An address that the compiler must compute once and keep, instead of folding
// the sum into each access that uses it. Emits no instruction.
#define TP_KEEP(pointer) __asm("" : "+r"(pointer))

// Masks interrupts. Returns what tp_port_unlock() needs to put back the state
// found here, so pairs nest, and a caller that had masked them stays masked.
TP_INLINE uint32_t tp_port_lock(void)
{
  uint32_t key;
  __asm volatile("mrs %0, primask\n\tcpsid i" : "=r"(key) : : "memory");
  return key;
}

TP_INLINE void tp_port_unlock(uint32_t key)
{
  __asm volatile("msr primask, %0" : : "r"(key) : "memory");
}

// Stops for good: in a debugger on the spot, without one in the HardFault
// handler that every firmware has.
TP_INLINE void tp_port_trap(void)
{
  for (;;) __asm volatile("udf #0x7d");
}

#endif
