// SPDX-License-Identifier: MIT
// harden.h - hardened pools of four slots, one of each kind, with calls as
// tp_pools.c has them; pools whose links are outside, and such that are both;
// the same pools as they are without, and so in a table that has hardened ones
// beside.
#ifndef HARDEN_H
#define HARDEN_H

#include "tidepool.h"
#include "tp_test.h"

enum { SLOTS = 4, BYTES = 16 };

// A pool and its calls.
struct kind {
  const char *name;
  const struct tp_pool *pool;
  void *(*alloc)(tp_handle_t *handle);
  void (*free)(void *object);
  void *(*get)(tp_handle_t handle);  // NULL: it has no handles.
  bool (*free_handle)(tp_handle_t handle);
  bool steals;
};

enum { DROPPING, KEYED, STEALING, EXCLUSIVE, KINDS };
extern const struct kind hardened[KINDS];
extern const struct kind outside[KINDS];
extern const struct kind both[KINDS];  // At off outside alone.
extern const struct kind plain[KINDS];
extern const struct kind beside[KINDS];

// Puts [kind] back to its state at boot.
void forget(const struct kind *kind);

void suite_code(void);
void suite_damage(void);
void suite_alike(void);
void suite_faults(void);
void suite_outside(void);

#endif
