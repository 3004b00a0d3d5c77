// SPDX-License-Identifier: MIT
// tp_port.h - what the library needs of a RISC-V core in machine mode, RV32.
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

TP_INLINE uint32_t tp_port_low(const uint32_t *word)
{
  return *word & 0xffffu;
}

TP_INLINE uint32_t tp_port_high(const uint32_t *word)
{
  return *word >> 16;
}

TP_INLINE uintptr_t tp_port_rotate(uintptr_t value, uint32_t by)
{
  uint32_t bits = sizeof value * 8 - 1;
  return value >> (by & bits) | value << (-by & bits);
}

TP_INLINE void tp_port_put_less(uint32_t *word, uint32_t old, uint32_t low)
{
  *word = ((old - 0x10000u) & 0xffff0000u) | low;
}

typedef uint32_t __attribute__((may_alias)) tp_port_word_t;
TP_INLINE tp_port_word_t *tp_port_put_four(tp_port_word_t *word, uint32_t value)
{
  word[0] = word[1] = word[2] = word[3] = value;
  return word + 4;
}

TP_INLINE uint32_t tp_port_differ_four(const tp_port_word_t **at,
                                       uint32_t value)
{
  const tp_port_word_t *word = *at;
  *at += 4;
  return (word[0] ^ value) | (word[1] ^ value) | (word[2] ^ value) |
         (word[3] ^ value);
}

// Bit 3 of mstatus lets interrupts in. Pairs nest.
TP_INLINE uint32_t tp_port_lock(void)
{
  uint32_t key;
  __asm volatile("csrrci %0, mstatus, 8" : "=r"(key) : : "memory");
  return key;
}

TP_INLINE void tp_port_unlock(uint32_t key)
{
  __asm volatile("csrs mstatus, %0" : : "r"(key & 8u) : "memory");
}

#define TP_PORT_HAS_BASEPRI   0
#define TP_PORT_HAS_EXCLUSIVE 0

// Stricter than asked, since there is nothing else.
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

TP_NORETURN TP_INLINE void tp_port_trap(void)
{
  for (;;) __asm volatile("ebreak");
}

#endif
