// SPDX-License-Identifier: MIT
#include "tasks.h"

struct tasks tasks;
struct thing *taken[SEATS_COUNT];

void fill(void)
{
  tp_test_forget(&seats_pool);
  *seats_wait.state = (struct tp_wait_state){0};
  tasks = (struct tasks){0};
  for (uint32_t i = 0; i < SEATS_COUNT; i++) taken[i] = seats_alloc();
}

static void once(void (**happens)(void))
{
  void (*now)(void) = *happens;
  *happens = NULL;
  if (now) now();
}

bool tp_wait_port_can_sleep(void)
{
  return !tasks.interrupt;
}

uint32_t tp_wait_port_urgency(void)
{
  return tasks.urgency;
}

void tp_wait_port_prepare(struct tp_wait_sleeper *sleeper)
{
  sleeper->woken = false;
  tasks.prepared++;
  once(&tasks.preparing);
}

void tp_wait_port_end(struct tp_wait_sleeper *sleeper)
{
  (void)sleeper;
  tasks.prepared--;
}

void tp_wait_port_wake(struct tp_wait_sleeper *sleeper)
{
  sleeper->woken = true;
  tasks.wakes++;
  once(&tasks.waking);
}

// A sleep without end that nobody ends would be one too many.
bool tp_wait_port_sleep(struct tp_wait_sleeper *sleeper, uint32_t ticks)
{
  tasks.sleeps++;
  tasks.ticks = ticks;
  if (!sleeper->woken) once(&tasks.sleeping);
  bool woken = sleeper->woken;
  if (!woken && ticks == TP_WAIT_FOREVER) {
    tp_test_fail(__FILE__, __LINE__, "a wake-up was lost");
  }
  if (!woken) once(&tasks.ending);
  return woken;
}
