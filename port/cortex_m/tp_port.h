// SPDX-License-Identifier: MIT
// tp_port.h - what the library needs of a Cortex-M, ARMv6-M to ARMv8.1-M.
//
// The contract of a port (every name here, and nothing else) is in
// port/README.md.
#ifndef TP_PORT_H
#define TP_PORT_H

#include <stdint.h>

#if !defined(__ARM_ARCH_PROFILE) || __ARM_ARCH_PROFILE != 'M'
#error "this port is for Cortex-M: tell the compiler which: -mcpu= or -march="
#endif

// A function whose body must stand in its caller: the core is written once and
// becomes fast by being compiled against a constant descriptor.
#define TP_INLINE static inline __attribute__((always_inline))

// A function kept out of its callers, so that they stay small.
#define TP_NOINLINE __attribute__((noinline))

// A function that never returns.
#define TP_NORETURN __attribute__((noreturn))

// Which way a branch nearly always goes.
#define TP_LIKELY(x) __builtin_expect(!!(x), 1)

// Before this the compiler must have written what was written, and behind it
// read again what is read. Emits no instruction.
#define TP_BARRIER() __asm volatile("" : : : "memory")

// Before a loop: straight code where the count is constant and small.
#define TP_UNROLL _Pragma("GCC unroll 16")

// An address that the compiler must compute once and keep, instead of folding
// the sum into each access that uses it. Emits no instruction.
#define TP_KEEP(pointer) __asm("" : "+r"(pointer))

// A value that may lie in a register that short instructions do not reach: a
// leaf function that wants one register more than it may use then need not save
// one. Emits no instruction. ARMv6-M does nothing with such a register.
#if __ARM_ARCH_ISA_THUMB != 1
#define TP_KEEP_HIGH(value) __asm("" : "+h"(value))
#endif

// Does the compiler know [value]?
#define TP_CONSTANT(value) __builtin_constant_p(value)

// The same of two values that lie side by side: it loads them at once.
#define TP_KEEP_BOTH(one, other) __asm("" : "+r"(one), "+r"(other))

// A leaf function that wants one register more than it may use pushes one, and
// returns by an instruction of its own. With its return address pushed it has
// lr instead, and one pop restores and returns. And two values that are loaded
// by now, side by side, are loaded at once. ARMv6-M has neither.
#if __ARM_ARCH_ISA_THUMB == 1
#define TP_SAVE_RETURN()      ((void)0)
#define TP_LOADED(one, other) ((void)0)
#else
#define TP_SAVE_RETURN()      __asm("" : : : "lr")
#define TP_LOADED(one, other) __asm volatile("" : : "r"(one), "r"(other))
#endif

#ifdef __cplusplus
extern "C" {
#endif

// A half of a word in memory. It is loaded and stored by itself: GCC 12 needs
// more instructions to take one out of a word, or to put one in.
typedef uint16_t __attribute__((may_alias)) tp_port_half_t;
typedef uint32_t __attribute__((may_alias)) tp_port_word_t;
#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "the low half comes first in memory"
#endif

#define TP_PORT_HAS_HALVES 1

TP_INLINE uint32_t tp_port_low(const uint32_t *word)
{
  return *(const tp_port_half_t *)word;
}

TP_INLINE uint32_t tp_port_high(const uint32_t *word)
{
  return ((const tp_port_half_t *)word)[1];
}

TP_INLINE void tp_port_put_less(uint32_t *word, uint32_t old, uint32_t low)
{
#if __ARM_ARCH_ISA_THUMB == 1
  ((tp_port_half_t *)word)[1] = (tp_port_half_t)((old >> 16) - 1);
#else
  *word = old - 0x10000u;
#endif
  *(tp_port_half_t *)word = (tp_port_half_t)low;
}

// Links are loaded and stored whole: [older] is the low half in memory.
struct tp_age_link;

TP_INLINE uint32_t tp_port_link(const struct tp_age_link *link)
{
  uint32_t word = *(const tp_port_word_t *)link;
  return word >> 16 | word << 16;
}

TP_INLINE void tp_port_put_link(struct tp_age_link *link, uint32_t older)
{
#if __ARM_ARCH_ISA_THUMB == 1
  ((tp_port_half_t *)link)[0] = (tp_port_half_t)older;
  ((tp_port_half_t *)link)[1] = 0;
#else
  *(tp_port_word_t *)link = older;
#endif
}

// One instruction, which looks at no more than the low byte of [by]; GCC would
// mask that first.
#define TP_PORT_HAS_ROTATE 1

TP_INLINE uintptr_t tp_port_rotate(uintptr_t value, uint32_t by)
{
  if (__builtin_constant_p(by)) {
    return value >> (by & 31) | value << (-by & 31);
  }
#if __ARM_ARCH_ISA_THUMB == 1
  __asm(".syntax unified\n\trors %0, %1" : "+l"(value) : "l"(by) : "cc");
#else
  __asm("ror %0, %1" : "+r"(value) : "r"(by));
#endif
  return value;
}

// Two words at a time, which GCC 12 does not; ARMv6-M has no such instruction.
#if __ARM_ARCH_ISA_THUMB == 1
#define TP_PORT_HAS_FOURS 0
#else
#define TP_PORT_HAS_FOURS 1

TP_INLINE tp_port_word_t *tp_port_put_four(tp_port_word_t *word, uint32_t value)
{
  __asm volatile("strd %1, %1, [%0, #8]\n\tstrd %1, %1, [%0], #16"
                 : "+r"(word)
                 : "r"(value)
                 : "memory");
  return word;
}

TP_INLINE uint32_t tp_port_differ_four(const tp_port_word_t **at,
                                       uint32_t value)
{
  uint32_t a, b, c, d;
  __asm volatile("ldrd %2, %3, [%4, #8]\n\tldrd %0, %1, [%4], #16"
                 : "=&r"(a), "=&r"(b), "=&r"(c), "=&r"(d), "+&r"(*at)
                 :
                 : "memory");
  return (a ^ value) | (b ^ value) | (c ^ value) | (d ^ value);
}
#endif

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

// What ARMv6-M lacks: BASEPRI (ARMv8-M Baseline too), LDREX and STREX.
#if defined(__ARM_ARCH_7M__) || defined(__ARM_ARCH_7EM__) || \
    defined(__ARM_ARCH_8M_MAIN__) || defined(__ARM_ARCH_8_1M_MAIN__)
#define TP_PORT_HAS_BASEPRI 1
#else
#define TP_PORT_HAS_BASEPRI 0
#endif
#ifdef __ARM_FEATURE_LDREX
#define TP_PORT_HAS_EXCLUSIVE 1
#else
#define TP_PORT_HAS_EXCLUSIVE 0
#endif

#if TP_PORT_HAS_BASEPRI

// Masks the interrupts whose priority number is [priority] or above, as BASEPRI
// counts it. The more urgent ones go on. Pairs nest, as above.
TP_INLINE uint32_t tp_port_lock_below(uint32_t priority)
{
  uint32_t key;
  __asm volatile("mrs %0, basepri\n\tmsr basepri_max, %1"
                 : "=&r"(key)
                 : "r"(priority)
                 : "memory");
  return key;
}

TP_INLINE void tp_port_unlock_below(uint32_t key)
{
  __asm volatile("msr basepri, %0" : : "r"(key) : "memory");
}

// Not 0: interrupts are masked, all, by either of two, or those of some
// priorities.
TP_INLINE uint32_t tp_port_masked(void)
{
  uint32_t primask, faultmask, basepri;
  __asm volatile("mrs %0, primask\n\tmrs %1, faultmask\n\tmrs %2, basepri"
                 : "=&r"(primask), "=&r"(faultmask), "=r"(basepri));
  return primask | faultmask | basepri;
}

#else

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

TP_INLINE uint32_t tp_port_masked(void)
{
  uint32_t primask;
  __asm volatile("mrs %0, primask" : "=r"(primask));
  return primask;
}

#endif

#if TP_PORT_HAS_EXCLUSIVE

// Reads [word] and claims it. An exception in between breaks the claim.
TP_INLINE uint32_t tp_port_load_exclusive(const uint32_t *word)
{
  uint32_t value;
  __asm volatile("ldrex %0, [%1]" : "=r"(value) : "r"(word) : "memory");
  return value;
}

// Writes [value] to [word] and returns 1, if it is still claimed; else 0.
TP_INLINE int tp_port_store_exclusive(uint32_t *word, uint32_t value)
{
  uint32_t failed;
  __asm volatile("strex %0, %1, [%2]"
                 : "=&r"(failed)
                 : "r"(value), "r"(word)
                 : "memory");
  return !failed;
}

#endif

// Which exception runs; 0: none.
TP_INLINE uint32_t tp_port_context(void)
{
  uint32_t exception;
  __asm volatile("mrs %0, ipsr" : "=r"(exception));
  return exception;
}

#define TP_PORT_CONTEXT() tp_port_context()

// Whom masking does not serve: 1 unprivileged code, as CONTROL says of a
// thread: it masks nothing; 2 an NMI, 3 a HardFault: nothing masks these. Of
// others 0.
TP_INLINE uint32_t tp_port_unserved(void)
{
  uint32_t exception = tp_port_context(), control;
  if (exception != 0) return exception <= 3 ? exception : 0;
  __asm volatile("mrs %0, control" : "=r"(control));
  return control & 1;
}

#define TP_PORT_UNSERVED() tp_port_unserved()

// What tells where the function it stands in, or is inlined into, will return
// to. Clang keeps the address for a rare path at no cost. GCC moves it to a
// register on every call that might take one, so here GCC says where the frame
// begins, which costs nothing.
#ifdef __clang__
#define TP_SITE __builtin_return_address(0)
#else
#define TP_SITE __builtin_dwarf_cfa()
#endif

// The address that [site] tells; NULL for NULL. For a function that was called
// since, or jumped to, and whose caller is still under way. What calls has
// saved its return address right below its frame. If all only jumped here, this
// frame begins where that did, and the address is still ours.
TP_INLINE const void *tp_port_caller(const void *site)
{
#ifdef __clang__
  return site;
#else
  if (!site) return site;
  if (site == __builtin_dwarf_cfa()) return __builtin_return_address(0);
  return ((const void *const *)site)[-1];
#endif
}

// A site that tells the address at [caller], while it stands there: for a call
// that acts for one who may have returned since.
TP_INLINE const void *tp_port_site_of(const void *const *caller)
{
#ifdef __clang__
  return *caller;
#else
  return caller + 1;
#endif
}

// Stores r0 to r15 and xPSR, as they are when it returns, for a debugger to go
// on from there. What a call may change holds nothing: 0.
#define TP_PORT_HAS_REGISTERS 1

static __attribute__((naked, noinline, unused)) void tp_port_registers(
    __attribute__((unused)) uint32_t *into)
{
  __asm volatile(
      "str r4, [r0, #16]\n str r5, [r0, #20]\n"
      "str r6, [r0, #24]\n str r7, [r0, #28]\n"
      "mov r1, r8\n str r1, [r0, #32]\n mov r1, r9\n str r1, [r0, #36]\n"
      "mov r1, r10\n str r1, [r0, #40]\n mov r1, r11\n str r1, [r0, #44]\n"
      "mov r1, sp\n str r1, [r0, #52]\n mov r1, lr\n str r1, [r0, #56]\n"
      "str r1, [r0, #60]\n mrs r1, xpsr\n str r1, [r0, #64]\n bx lr");
}

// Stops for good: in a debugger on the spot, without one in the HardFault
// handler that every firmware has.
TP_NORETURN TP_INLINE void tp_port_trap(void)
{
  for (;;) __asm volatile("udf #0x7d");
}

#ifdef __cplusplus
}
#endif

#endif
