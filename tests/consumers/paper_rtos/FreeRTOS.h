// SPDX-License-Identifier: MIT
// FreeRTOS.h, semphr.h, task.h - on paper: what FreeRTOS's reference documents
// of the calls that port/wait/freertos makes, for a compiler to look at.
#ifndef FREERTOS_H
#define FREERTOS_H

#include <stdint.h>

typedef long BaseType_t;
typedef unsigned long UBaseType_t;
typedef uint32_t TickType_t;

#define pdFALSE                   ((BaseType_t)0)
#define pdTRUE                    ((BaseType_t)1)
#define portMAX_DELAY             ((TickType_t)0xffffffffUL)
#define portYIELD_FROM_ISR(woken) paper_yield(woken)

void paper_yield(BaseType_t woken);

#endif
