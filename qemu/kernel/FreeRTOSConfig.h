// SPDX-License-Identifier: MIT
// FreeRTOSConfig.h - as FreeRTOS wants one; it and the stand-in run by this.
#ifndef FREERTOS_CONFIG_H
#define FREERTOS_CONFIG_H

#define configCPU_CLOCK_HZ               CLOCK_HZ
#define configTICK_RATE_HZ               1000
#define configTICK_TYPE_WIDTH_IN_BITS    TICK_TYPE_WIDTH_32_BITS
#define configMAX_PRIORITIES             4
#define configMINIMAL_STACK_SIZE         128
#define configUSE_PREEMPTION             1
#define configUSE_TIME_SLICING           1
#define configUSE_IDLE_HOOK              1
#define configUSE_TICK_HOOK              0
#define configSUPPORT_DYNAMIC_ALLOCATION 0

// What port/wait/freertos needs.
#define configSUPPORT_STATIC_ALLOCATION 1
#define INCLUDE_uxTaskPriorityGet       1
#define INCLUDE_vTaskSuspend            1  // portMAX_DELAY is without end.
#define INCLUDE_vTaskDelay              1

// The idle task's memory is the kernel's own affair: since FreeRTOS 11.1.
#define configKERNEL_PROVIDED_STATIC_MEMORY 1

// As the NVIC counts. What is more urgent than the second calls no kernel; it
// is rtos_mask of pools.toml.
#define configKERNEL_INTERRUPT_PRIORITY      0xff
#define configMAX_SYSCALL_INTERRUPT_PRIORITY 0x40

// Where startup.c looks for them.
#define vPortSVCHandler    SVC_Handler
#define xPortPendSVHandler PendSV_Handler

void vAssertCalled(const char *claim);
#define configASSERT(claim) ((claim) ? (void)0 : vAssertCalled(#claim))

#endif
