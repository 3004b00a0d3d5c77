// SPDX-License-Identifier: MIT
#ifndef TASK_H
#define TASK_H

#include "FreeRTOS.h"

typedef struct kernel_task *TaskHandle_t;
typedef void (*TaskFunction_t)(void *argument);

TaskHandle_t xTaskCreateStatic(TaskFunction_t run, const char *name,
                               uint32_t stack_words, void *argument,
                               UBaseType_t priority, StackType_t *stack,
                               StaticTask_t *memory);
void vTaskStartScheduler(void);

UBaseType_t uxTaskPriorityGet(TaskHandle_t task);
void vTaskDelay(TickType_t ticks);

void vPortEnterCritical(void);
void vPortExitCritical(void);
#define taskENTER_CRITICAL() vPortEnterCritical()
#define taskEXIT_CRITICAL()  vPortExitCritical()

void vApplicationIdleHook(void);

#endif
