// SPDX-License-Identifier: MIT
// freertos - two tasks, an interrupt that wakes them and one that must not. All
// is as FreeRTOS itself has it, but for what stands in freertos.h.
#include "FreeRTOS.h"
#include "semphr.h"
#include "task.h"

#include "freertos.h"
#include "tp_pools.h"

enum { STACK = 256, SENDER = 1, WORKER = 2, READINGS = 64 };

static StackType_t stacks[2][STACK];
static StaticTask_t tasks[2];
static StaticSemaphore_t semaphore;
static SemaphoreHandle_t arrived;
static struct ring inbox, outbox, alarms;
static struct reply *volatile on_air;

// May call the kernel. What it frees is handed to the worker, if that waits.
void radio_interrupt(void)
{
  BaseType_t more_urgent = pdFALSE;
  readings_handle_t handle;
  if (on_air) replies_free(on_air);
  on_air = NULL;
  if (figures.received == READINGS || !radio_has_reading()) return;
  struct reading *reading = readings_alloc_handle(&handle);
  if (!reading) return;  // All are pinned.
  reading->number = ++figures.received;
  ring_put(&inbox, handle.bits);
  xSemaphoreGiveFromISR(arrived, &more_urgent);
  portYIELD_FROM_ISR(more_urgent);
}

// Must not call it: nobody waits for its pool, whose lock masks it, too.
void motor_interrupt(void)
{
  struct peak *peak = motor_has_peak() ? peaks_alloc() : NULL;
  if (!peak) return;
  peak->current = motor_current();
  ring_put(&alarms, (uintptr_t)peak);
}

// A later reading may have the slot: then the handle is stale.
static bool answer(readings_handle_t handle, struct reply *reply)
{
  const struct reading *reading = readings_pin_handle(handle);
  if (!reading) return false;
  reply->number = reading->number;
  readings_unpin_handle(handle);
  readings_free_handle(handle);
  return ring_put(&outbox, (uintptr_t)reply);
}

static void work(void *unused)
{
  for (readings_handle_t handle; !unused;) {
    xSemaphoreTake(arrived, portMAX_DELAY);
    while (ring_take(&inbox, &handle.bits)) {
      struct reply *reply = replies_alloc_wait(pdMS_TO_TICKS(5));
      figures.late += !reply;  // Its reading is left to who steals it.
      if (!reply || answer(handle, reply)) continue;
      replies_free(reply);
      figures.overtaken++;
    }
  }
}

// A reply each sixth millisecond: the radio has sent the last one by then.
static void send(void *unused)
{
  for (uint32_t item; !unused; figures_print_last(READINGS)) {
    vTaskDelay(pdMS_TO_TICKS(6));
    for (; ring_take(&alarms, &item); figures.peaks++) peaks_free((void *)item);
    if (ring_take(&outbox, &item)) on_air = (void *)item, figures.sent++;
  }
}

int main(void)
{
  arrived = xSemaphoreCreateBinaryStatic(&semaphore);
  xTaskCreateStatic(work, "worker", STACK, NULL, WORKER, stacks[0], &tasks[0]);
  xTaskCreateStatic(send, "sender", STACK, NULL, SENDER, stacks[1], &tasks[1]);
  devices_start();
  vTaskStartScheduler();
  return 1;
}
