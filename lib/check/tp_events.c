// SPDX-License-Identifier: MIT
#include "check/tp_events.h"

#if TIDEPOOL_EVENTS

#define TP_NOINIT __attribute__((section(".noinit.tp_events")))
struct tp_events tp_events TP_NOINIT;

// Empties what was not written since power-on, once.
TP_NOINLINE static void begin(void)
{
  volatile struct tp_events *events = &tp_events;
  uint32_t key = tp_port_lock();
  if (events->magic != TP_EVENTS_MAGIC) {
    for (uint32_t i = 0; i < TIDEPOOL_EVENTS; i++) events->event[i].what = 0;
    events->count = 0;
    events->magic = TP_EVENTS_MAGIC;
  }
  tp_port_unlock(key);
}

// Returns how many events there were before this one, which counts from now on.
#if TP_PORT_HAS_EXCLUSIVE
static uint32_t count_one(void)
{
  for (;;) {
    uint32_t count = tp_port_load_exclusive(&tp_events.count);
    if (tp_port_store_exclusive(&tp_events.count, count + 1)) return count;
  }
}
#else
static uint32_t count_one(void)
{
  uint32_t key = tp_port_lock();
  uint32_t count = tp_events.count++;
  tp_port_unlock(key);
  return count;
}
#endif

static void note(uintptr_t what, const void *by)
{
  if (tp_events.magic != TP_EVENTS_MAGIC) begin();
  uint32_t clock = tp_clock_now & ((1u << TP_EVENT_CLOCK_BITS) - 1);
  uint32_t half = (uint32_t)((uintptr_t)by >> 1) << TP_EVENT_CLOCK_BITS;
  volatile struct tp_event *event =
      &tp_events.event[count_one() % TIDEPOOL_EVENTS];
  event->what = what;
  event->by = half | clock;
}

TP_NOINLINE void tp_event_note(enum tp_event_kind kind, const void *words,
                               tp_site_t site)
{
  note((uintptr_t)words | (uintptr_t)kind, tp_port_caller(site));
}

void tp_event_note_fault(const volatile struct tp_fault_record *record)
{
  note((uintptr_t)record->kind * 4 + TP_EVENT_FAULT, record->caller);
}

#endif
