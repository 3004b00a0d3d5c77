// SPDX-License-Identifier: MIT
// nvic.h - the interrupt controller and SysTick, which all Cortex-M share.
#ifndef NVIC_H
#define NVIC_H

#include <stdint.h>

#define REGISTER(address) (*(volatile uint32_t *)(uintptr_t)(address))

static inline void nvic_enable(uint32_t irq)
{
  REGISTER(0xe000e100 + irq / 32 * 4) = 1u << irq % 32;
}

static inline void nvic_pend(uint32_t irq)
{
  REGISTER(0xe000e200 + irq / 32 * 4) = 1u << irq % 32;
  __asm volatile("dsb\n\tisb" : : : "memory");
}

// The timer every Cortex-M has in QEMU: interrupts each [cycles], at
// least 2: a reload of 0 stops it.
static inline void systick_start(uint32_t cycles)
{
  REGISTER(0xe000e014) = cycles - 1;
  REGISTER(0xe000e018) = 0;
  REGISTER(0xe000e010) = 7;  // On, with interrupt, on the core's clock.
}

// Also forgets an interrupt that came due since the last one began: a short
// [cycles] may be over twice before its handler gets here.
static inline void systick_stop(void)
{
  REGISTER(0xe000e010) = 0;
  REGISTER(0xe000ed04) = 1u << 25;
}

#endif
