// SPDX-License-Identifier: MIT
// turns.h - two cores on one thread, each of which is preempted where one says.
#ifndef TURNS_H
#define TURNS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { PREEMPTIONS = 3, POINTS_MOST = 2000 };

// Where cores change: behind so many points, ascending. A point is an access of
// the library to memory that is written to, or a try to take or give the lock.
struct turns {
  uint32_t at[PREEMPTIONS];
  uint32_t count;
};

// What was seen of a run: how many points were passed, and at which of them the
// other core could have gone on; and deeds_same().
struct trace {
  uint32_t points, same;
  bool open[POINTS_MOST];
};

// Sets the cores up to run [script] each time, and that once: core 0 first, and
// whoever is left when one ends. False iff turns_fail() was called: why, it
// returns. Then they are to be set up anew.
void turns_setup(void (*script)(uint32_t core));
const char *turns_run(const struct turns *turns, struct trace *trace);

// Ends the run from within.
void turns_fail(const char *why);

// A point, before that access: here a core may be preempted.
void turns_point(const void *place, size_t bytes, bool writes);

// The core enters a function of the library, and leaves it.
void turns_enter(void);
void turns_leave(void);

// Which core runs; the controls have both take themselves for the same.
uint32_t turns_core(void);

#endif
