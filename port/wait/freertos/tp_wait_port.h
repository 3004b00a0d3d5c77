// SPDX-License-Identifier: MIT
// tp_wait_port.h - waiting by FreeRTOS, 9 or later, with
// configSUPPORT_STATIC_ALLOCATION = 1. Ticks are the kernel's. The most urgent
// task is served first. Interrupts that free are not more urgent than
// configMAX_SYSCALL_INTERRUPT_PRIORITY.
#ifndef TP_WAIT_PORT_H
#define TP_WAIT_PORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "FreeRTOS.h"
#include "semphr.h"
#include "task.h"
#include "tp_port.h"

#ifdef __cplusplus
extern "C" {
#endif

struct tp_wait_sleeper {
  StaticSemaphore_t memory;
  SemaphoreHandle_t woken;
};

// A critical section masks interrupts: there nobody sleeps either.
static inline bool tp_wait_port_can_sleep(void)
{
  return TP_PORT_CONTEXT() == 0 && !tp_port_masked();
}

static inline uint32_t tp_wait_port_urgency(void)
{
  return (uint32_t)uxTaskPriorityGet(NULL);
}

static inline void tp_wait_port_prepare(struct tp_wait_sleeper *sleeper)
{
  sleeper->woken = xSemaphoreCreateBinaryStatic(&sleeper->memory);
}

static inline void tp_wait_port_end(struct tp_wait_sleeper *sleeper)
{
  vSemaphoreDelete(sleeper->woken);
}

static inline void tp_wait_port_wake(struct tp_wait_sleeper *sleeper)
{
  BaseType_t more_urgent = pdFALSE;
  if (TP_PORT_CONTEXT() == 0) {
    (void)xSemaphoreGive(sleeper->woken);
    return;
  }
  (void)xSemaphoreGiveFromISR(sleeper->woken, &more_urgent);
  portYIELD_FROM_ISR(more_urgent);
}

static inline bool tp_wait_port_take(struct tp_wait_sleeper *sleeper,
                                     TickType_t ticks)
{
  return xSemaphoreTake(sleeper->woken, ticks) == pdTRUE;
}

// Where the kernel's ticks have 16 bits, a longer wait is several. One without
// end is of portMAX_DELAY, and another where the kernel ends that: without
// INCLUDE_vTaskSuspend it is a time, and xTaskAbortDelay() ends any.
static inline bool tp_wait_port_sleep(struct tp_wait_sleeper *sleeper,
                                      uint32_t ticks)
{
  const uint32_t most = (uint32_t)portMAX_DELAY - 1u;
  if (ticks == UINT32_MAX) {
    while (!tp_wait_port_take(sleeper, portMAX_DELAY)) continue;
    return true;
  }
  for (; ticks > most; ticks -= most) {
    if (tp_wait_port_take(sleeper, (TickType_t)most)) return true;
  }
  return tp_wait_port_take(sleeper, (TickType_t)ticks);
}

#ifdef __cplusplus
}
#endif

#endif
