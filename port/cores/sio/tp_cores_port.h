// SPDX-License-Identifier: MIT
// tp_cores_port.h - a lock of all cores by one of the spinlocks of the RP2040's
// SIO: to read it takes it, and is 0 where another core has it; to write it
// gives it back. TP_CORES_SPINLOCK is the address of one that nobody else uses,
// 0xd0000100 and 4 bytes for each before it. The first core gives it back once
// before it starts the second: a reset of the cores alone leaves it taken.
//
// On the RP2350 some of these addresses are written to by other registers of
// the SIO (erratum E2): port/cores/exclusive serves it.
#ifndef TP_CORES_PORT_H
#define TP_CORES_PORT_H

#include <stdbool.h>
#include <stdint.h>

#include "tp_port.h"

#ifdef __cplusplus
extern "C" {
#endif

#ifndef TP_CORES_SPINLOCK
#error \
    "which spinlock? -DTP_CORES_SPINLOCK=0xd0000170 is number 28 of the RP2040"
#endif

// CPUID of the SIO. From fast up a pool without this lock refuses the other
// core.
#define TP_CORES_PORT_NUMBER() \
  (*(const volatile uint32_t *)(uintptr_t)0xd0000000u)

TP_INLINE bool tp_cores_port_take(void)
{
  if (*(volatile uint32_t *)(uintptr_t)TP_CORES_SPINLOCK == 0) return false;
  __asm volatile("dmb" : : : "memory");
  return true;
}

TP_INLINE void tp_cores_port_give(void)
{
  __asm volatile("dmb" : : : "memory");
  *(volatile uint32_t *)(uintptr_t)TP_CORES_SPINLOCK = 1;
}

#ifdef __cplusplus
}
#endif

#endif
