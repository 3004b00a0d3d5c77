// SPDX-License-Identifier: MIT
// cmsis_os2.h - on paper: what the CMSIS-RTOS2 reference documents of the calls
// that port/wait/cmsis_rtos2 makes, for a compiler to look at.
#ifndef CMSIS_OS2_H
#define CMSIS_OS2_H

#include <stdint.h>

typedef void *osThreadId_t;
typedef enum { osPriorityIdle = 1, osPriorityError = -1 } osPriority_t;

#define osWaitForever  0xFFFFFFFFU
#define osFlagsWaitAny 0x00000000U

osThreadId_t osThreadGetId(void);
osPriority_t osThreadGetPriority(osThreadId_t thread);
uint32_t osThreadFlagsSet(osThreadId_t thread, uint32_t flags);
uint32_t osThreadFlagsWait(uint32_t flags, uint32_t options, uint32_t timeout);

#endif
