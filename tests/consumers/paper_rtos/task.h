// SPDX-License-Identifier: MIT
#ifndef TASK_H
#define TASK_H

#include "FreeRTOS.h"

typedef struct paper_task *TaskHandle_t;

UBaseType_t uxTaskPriorityGet(TaskHandle_t task);

#endif
