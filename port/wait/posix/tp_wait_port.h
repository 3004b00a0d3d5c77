// SPDX-License-Identifier: MIT
// tp_wait_port.h - waiting by POSIX threads, for programs on a desktop machine
// with port/posix. Ticks are milliseconds. First come first served. Built with
// _POSIX_C_SOURCE=200809L, or as gnu11.
#ifndef TP_WAIT_PORT_H
#define TP_WAIT_PORT_H

#include <errno.h>
#include <semaphore.h>
#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#include "tp_port.h"

struct tp_wait_sleeper {
  sem_t woken;
};

static inline bool tp_wait_port_can_sleep(void)
{
  return tp_port_depth == 0;
}

static inline uint32_t tp_wait_port_urgency(void)
{
  return 0;
}

static inline void tp_wait_port_prepare(struct tp_wait_sleeper *sleeper)
{
  sem_init(&sleeper->woken, 0, 0);
}

static inline void tp_wait_port_end(struct tp_wait_sleeper *sleeper)
{
  sem_destroy(&sleeper->woken);
}

static inline void tp_wait_port_wake(struct tp_wait_sleeper *sleeper)
{
  sem_post(&sleeper->woken);
}

static inline struct timespec tp_wait_port_after(uint32_t milliseconds)
{
  struct timespec end;
  clock_gettime(CLOCK_REALTIME, &end);
  end.tv_sec += (time_t)(milliseconds / 1000);
  end.tv_nsec += (long)(milliseconds % 1000) * 1000000;
  end.tv_sec += end.tv_nsec / 1000000000;
  end.tv_nsec %= 1000000000;
  return end;
}

// A signal that the thread handles interrupts a wait, and is no end of it.
static inline bool tp_wait_port_sleep(struct tp_wait_sleeper *sleeper,
                                      uint32_t ticks)
{
  struct timespec end = tp_wait_port_after(ticks);
  int failed;
  do {
    failed = ticks == UINT32_MAX ? sem_wait(&sleeper->woken)
                                 : sem_timedwait(&sleeper->woken, &end);
  } while (failed && errno == EINTR);
  return !failed;
}

#endif
