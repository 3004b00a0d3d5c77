// SPDX-License-Identifier: MIT
// tp_cores_port.h - a lock of all cores by LDREX and STREX, from ARMv7-M and
// ARMv8-M Baseline on.
//
// The word must lie where the exclusives of one core are seen by the other: in
// memory behind a global monitor. A Cortex-M33 asks it once ACTLR.EXTEXCLALL,
// bit 29 of 0xe000e008, is set on every core; others, and the M33 without that
// bit, only of memory that the MPU calls shareable. Elsewhere both cores take
// the lock at once.
#ifndef TP_CORES_PORT_H
#define TP_CORES_PORT_H

#include <stdbool.h>
#include <stdint.h>

#include "tp_port.h"

#ifdef __cplusplus
extern "C" {
#endif

#if !TP_PORT_HAS_EXCLUSIVE
#error "this core has no LDREX and STREX: take another folder of port/cores"
#endif

// Of a register that each core reads its own number from, the address:
// 0x5001f000 of an SSE-200, 0xd0000000 of an RP2350. From fast up a pool
// without this lock then refuses the other core.
#ifdef TP_CORES_IDENTITY
#define TP_CORES_PORT_NUMBER() \
  (*(const volatile uint32_t *)(uintptr_t)TP_CORES_IDENTITY)
#endif

// Not 0: a core has it. The application may define it, in a section of its own.
extern uint32_t tp_cores_port_word;
__attribute__((weak)) uint32_t tp_cores_port_word;

TP_INLINE bool tp_cores_port_take(void)
{
  if (tp_port_load_exclusive(&tp_cores_port_word) != 0) return false;
  if (!tp_port_store_exclusive(&tp_cores_port_word, 1)) return false;
  __asm volatile("dmb" : : : "memory");
  return true;
}

TP_INLINE void tp_cores_port_give(void)
{
  __asm volatile("dmb" : : : "memory");
  *(volatile uint32_t *)&tp_cores_port_word = 0;
}

#ifdef __cplusplus
}
#endif

#endif
