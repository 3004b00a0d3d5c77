// SPDX-License-Identifier: MIT
// FreeRTOS.h, task.h, semphr.h - what FreeRTOS's reference documents of the
// calls that port/wait/freertos and the examples make, and no other: for a
// compiler to look at, and for this folder, which does as it says.
#ifndef FREERTOS_H
#define FREERTOS_H

#include <stdint.h>

#include "FreeRTOSConfig.h"

typedef long BaseType_t;
typedef unsigned long UBaseType_t;
typedef uint32_t StackType_t;
typedef uint32_t TickType_t;

#define pdFALSE       ((BaseType_t)0)
#define pdTRUE        ((BaseType_t)1)
#define portMAX_DELAY ((TickType_t)0xffffffffUL)

#define pdMS_TO_TICKS(ms) \
  ((TickType_t)((uint64_t)(ms) * configTICK_RATE_HZ / 1000u))

typedef struct {
  void *hidden[20];
} StaticTask_t;

typedef struct {
  void *hidden[20];
} StaticSemaphore_t;

void vPortYieldFromISR(BaseType_t more_urgent);
#define portYIELD_FROM_ISR(more_urgent) vPortYieldFromISR(more_urgent)

#endif
