// SPDX-License-Identifier: MIT
// tp_wait_port.h - waiting by Zephyr, 3.1 or later. Ticks are the kernel's. The
// most urgent thread is served first.
#ifndef TP_WAIT_PORT_H
#define TP_WAIT_PORT_H

#include <stdbool.h>
#include <stdint.h>
#include <zephyr/kernel.h>

#include "tp_port.h"

#ifdef __cplusplus
extern "C" {
#endif

struct tp_wait_sleeper {
  struct k_sem woken;
};

static inline bool tp_wait_port_can_sleep(void)
{
  return !k_is_in_isr() && !tp_port_masked();
}

// Zephyr's most urgent priority is the least number, and may be negative.
static inline uint32_t tp_wait_port_urgency(void)
{
  return INT32_MAX - (uint32_t)k_thread_priority_get(k_current_get());
}

static inline void tp_wait_port_prepare(struct tp_wait_sleeper *sleeper)
{
  (void)k_sem_init(&sleeper->woken, 0, 1);
}

static inline void tp_wait_port_end(struct tp_wait_sleeper *sleeper)
{
  (void)sleeper;
}

static inline void tp_wait_port_wake(struct tp_wait_sleeper *sleeper)
{
  k_sem_give(&sleeper->woken);
}

static inline bool tp_wait_port_take(struct tp_wait_sleeper *sleeper,
                                     k_timeout_t most)
{
  return k_sem_take(&sleeper->woken, most) == 0;
}

// Without CONFIG_TIMEOUT_64BIT the kernel counts the ticks of a wait in 32 bits
// with a sign, so a longer wait is several.
static inline bool tp_wait_port_sleep(struct tp_wait_sleeper *sleeper,
                                      uint32_t ticks)
{
  const uint32_t most = INT32_MAX / 2;
  if (ticks == UINT32_MAX) return tp_wait_port_take(sleeper, K_FOREVER);
  for (; ticks > most; ticks -= most) {
    if (tp_wait_port_take(sleeper, K_TICKS(most))) return true;
  }
  return tp_wait_port_take(sleeper, K_TICKS(ticks));
}

#ifdef __cplusplus
}
#endif

#endif
