// SPDX-License-Identifier: MIT
// tasks.h - what the tests tell the port of tp_wait_port.h, and it tells them.
#ifndef TASKS_H
#define TASKS_H

#include "thing.h"
#include "tp_pools.h"
#include "tp_test.h"

// At boot nobody sleeps, and all is as it is for a task.
struct tasks {
  void (*preparing)(void);  // Called once when a task is about to wait,
  void (*sleeping)(void);   // when one sleeps,
  void (*ending)(void);     // and when its time has passed, before it is awake.
  void (*waking)(void);     // Called once when one is woken.
  uint32_t urgency;         // Of whoever waits next.
  bool interrupt;           // Nobody can sleep.
  uint32_t sleeps, wakes;
  uint32_t ticks;     // Of the last sleep.
  uint32_t prepared;  // Sleepers that were not ended.
};

extern struct tasks tasks;

// Takes both seats, with nobody waiting and all of the above 0.
void fill(void);

extern struct thing *taken[SEATS_COUNT];

void suite_wait(void);
void suite_races(void);
void suite_handles(void);

#endif
