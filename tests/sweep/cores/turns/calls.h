// SPDX-License-Identifier: MIT
// calls.h - the calls that scripts are made of, by letters, and what must be
// true of them: of four kinds of pools of two slots.
#ifndef CALLS_H
#define CALLS_H

#include <stdbool.h>
#include <stdint.h>

enum { CALLS = 3, CORES = 2, SLOTS = 2, SCRIPTS = 8 };

// What scripts of packets call.
struct calls {
  const struct tp_pool *pool;
  void *(*alloc)(void);
  void (*free)(void *packet);
};

struct kind {
  const char *name;
  const struct calls *of;        // NULL: its own.
  const char *scripts[SCRIPTS];  // Each core plays each; NULL: no more.
  void (*call)(uint32_t core, char letter);

  // Before a run: the pool is as at boot, or full, and half of it each core's.
  void (*begin)(bool full);

  // After it: NULL, or what is wrong.
  const char *(*judge)(void);
};

extern const struct kind kind_packets, kind_crates, kind_jobs, kind_sounds;

// What the cores do.
extern const struct kind *calls_kind;
extern const char *calls_script[CORES];
void calls_play(uint32_t core);

#endif
