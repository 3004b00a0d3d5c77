// SPDX-License-Identifier: MIT
// tp_wait_port.h - waiting on a Cortex-M without an RTOS: the one thread of a
// super-loop, until an interrupt frees a slot. Ticks are units of tp_clock_now,
// which an interrupt must advance then, or of TP_WAIT_NOW.
#ifndef TP_WAIT_PORT_H
#define TP_WAIT_PORT_H

#include <stdbool.h>
#include <stdint.h>

#include "tidepool.h"
#include "tp_port.h"

#ifdef __cplusplus
extern "C" {
#endif

// What time it is, in any unit that wraps at 2^32: ticks are counted in it.
#ifndef TP_WAIT_NOW
#define TP_WAIT_NOW (*(const volatile uint32_t *)&tp_clock_now)
#endif

struct tp_wait_sleeper {
  bool woken;
};

static inline bool tp_wait_port_can_sleep(void)
{
  return TP_PORT_CONTEXT() == 0 && !tp_port_masked();
}

static inline uint32_t tp_wait_port_urgency(void)
{
  return 0;
}

static inline void tp_wait_port_prepare(struct tp_wait_sleeper *sleeper)
{
  sleeper->woken = false;
}

static inline void tp_wait_port_end(struct tp_wait_sleeper *sleeper)
{
  (void)sleeper;
}

static inline void tp_wait_port_wake(struct tp_wait_sleeper *sleeper)
{
  TP_BARRIER();
  *(volatile bool *)&sleeper->woken = true;
}

// The end of any interrupt ends WFE, also one that came just before it.
static inline void tp_wait_port_idle(void)
{
  __asm volatile("wfe" : : : "memory");
}

static inline bool tp_wait_port_sleep(struct tp_wait_sleeper *sleeper,
                                      uint32_t ticks)
{
  uint32_t since = TP_WAIT_NOW;
  while (!*(volatile bool *)&sleeper->woken) {
    if (ticks != UINT32_MAX && TP_WAIT_NOW - since >= ticks) return false;
    tp_wait_port_idle();
  }
  TP_BARRIER();
  return true;
}

#ifdef __cplusplus
}
#endif

#endif
