// SPDX-License-Identifier: MIT
// semaphores.c - binary semaphores. Who is woken looks for itself whether it is
// given still: another may have been there before.
#include "kernel.h"

_Static_assert(sizeof(struct kernel_semaphore) <= sizeof(StaticSemaphore_t),
               "a semaphore fits what its user gives");

SemaphoreHandle_t xSemaphoreCreateBinaryStatic(StaticSemaphore_t *memory)
{
  configASSERT(memory);
  struct kernel_semaphore *semaphore = (struct kernel_semaphore *)memory;
  *semaphore = (struct kernel_semaphore){.self = semaphore};
  return semaphore;
}

void vSemaphoreDelete(SemaphoreHandle_t semaphore)
{
  taskENTER_CRITICAL();
  configASSERT(semaphore->self == semaphore && !kernel_is_awaited(semaphore));
  semaphore->self = NULL;
  taskEXIT_CRITICAL();
}

static BaseType_t give(SemaphoreHandle_t semaphore, BaseType_t *more_urgent)
{
  configASSERT(semaphore->self == semaphore);
  if (semaphore->given) return pdFALSE;
  semaphore->given = true;
  if (kernel_wake_first(semaphore)) *more_urgent = pdTRUE;
  return pdTRUE;
}

BaseType_t xSemaphoreGive(SemaphoreHandle_t semaphore)
{
  BaseType_t more_urgent = pdFALSE;
  taskENTER_CRITICAL();
  BaseType_t done = give(semaphore, &more_urgent);
  if (more_urgent) kernel_request_switch();
  taskEXIT_CRITICAL();
  return done;
}

BaseType_t xSemaphoreGiveFromISR(SemaphoreHandle_t semaphore,
                                 BaseType_t *more_urgent)
{
  uint32_t found = kernel_mask_in_isr();
  BaseType_t done = give(semaphore, more_urgent);
  kernel_unmask_in_isr(found);
  return done;
}

BaseType_t xSemaphoreTake(SemaphoreHandle_t semaphore, TickType_t most)
{
  configASSERT(most == 0 || kernel_may_sleep());
  for (TickType_t since = kernel_now;;) {
    taskENTER_CRITICAL();
    configASSERT(semaphore->self == semaphore);
    bool taken = semaphore->given;
    TickType_t spent = most == portMAX_DELAY ? 0 : kernel_now - since;
    semaphore->given = false;
    if (!taken && spent < most) kernel_sleep(semaphore, most - spent);
    taskEXIT_CRITICAL();  // Others run here, if it sleeps.
    if (taken) return pdTRUE;
    if (spent >= most) return pdFALSE;
  }
}
