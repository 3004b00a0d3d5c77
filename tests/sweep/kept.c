// SPDX-License-Identifier: MIT
// kept.c - what a build with TIDEPOOL_EVENTS keeps, after whatever interrupt:
// of each slot of the subject issues and ends in turn, the last as the slot is.
#include "kept.h"

#if TIDEPOOL_EVENTS

#include "check/tp_events.h"
#include "model.h"

enum { SLOTS = 8 };

static bool lives[SLOTS];  // By slot, from 0, as the events say.
static uint32_t begin;     // How many there were when the run began.

static bool is_live(uint32_t slot)
{
  return subject->pool->tag[slot + 1] >= TP_LIVE;
}

static bool is_looked_at(void)
{
  return TP_CHECKS >= TP_CHECKS_FAST && subject->pool->capacity <= SLOTS;
}

void kept_open(void)
{
  begin = tp_events.count;
  if (!is_looked_at()) return;
  for (uint32_t i = 0; i < subject->pool->capacity; i++) lives[i] = is_live(i);
}

// Of a slot of the subject; what happens to others is left out.
static void replay(const struct tp_event *event)
{
  const struct tp_pool *pool = subject->pool;
  uintptr_t offset = (event->what & ~(uintptr_t)3) - (uintptr_t)pool->storage;
  uint32_t slot = (uint32_t)(offset / pool->stride);
  bool begins = (event->what & 3) == TP_EVENT_ALLOC;
  if (event->what == 0) complain("an event was not written");
  if (event->by >> TP_EVENT_CLOCK_BITS == 0) complain("nobody did it");
  if ((event->what & 3) == TP_EVENT_FAULT || slot >= pool->capacity) return;
  if (lives[slot] == begins) complain("events of a slot are out of order");
  lives[slot] = begins;
}

void kept_close(void)
{
  if (!is_looked_at()) return;
  if (tp_events.count - begin > TIDEPOOL_EVENTS)
    complain("too many to look at");
  for (uint32_t at = begin; at != tp_events.count; at++) {
    replay(&tp_events.event[at % TIDEPOOL_EVENTS]);
  }
  for (uint32_t i = 0; i < subject->pool->capacity; i++) {
    if (lives[i] != is_live(i)) complain("an event is missing");
  }
}

#endif
