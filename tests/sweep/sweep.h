// SPDX-License-Identifier: MIT
// sweep.h - an interrupt at every instruction boundary of every operation.
//
// A row of the sweep is a pool, an operation of the thread and a move of the
// interrupt handler on the same pool. For each boundary of the operation the
// pool is brought to the same state, the operation is called, the handler
// makes its move exactly there, and then everything is compared with the model
// kept beside: who holds which object, and what its bytes must be.
#ifndef SWEEP_H
#define SWEEP_H

#include <stdbool.h>

#include "armed.h"
#include "tp_pools.h"
#include "policy/tp_spill.h"
#include "tp_declare.h"

// A pool, with its handles seen as 64 bits wide. NULL where it has none.
struct subject {
  const char *name;
  const struct tp_pool *pool;
  const struct tp_chunk *second;  // Where it borrows; its slots count as the
                                  // pool's. NULL if nowhere.
  void (*open)(void);   // Brings what lies around the pool to its state at
  void (*close)(void);  // boot; complains of it at the end. May be NULL.
  void (*wear)(void);   // As if slot 1 had come to its tag by being issued.
  struct item *(*alloc)(void);
  void (*free)(struct item *item);
  struct item *(*alloc_handle)(uint64_t *handle);
  uint64_t (*handle)(const struct item *item);
  struct item *(*get)(uint64_t handle);
  bool (*free_handle)(uint64_t handle);
};

extern const struct subject drop_shared, drop_own;
extern const struct subject drop_outside, drop_hardened;  // SWEEP_CLOSED is 1.
extern const struct subject steal_shared, steal_own;
extern const struct subject keyed, tagged, keyed_own, lone;
extern const struct subject bare_drop, bare_steal, bare_keyed;

// What a pool looks like when the operation begins.
enum state {
  HALF,    // Half of the slots live, the others never issued.
  LISTED,  // All were issued, half are free.
  LAST,    // One is free.
  WORN,    // The same, and its generation can count no further.
  FULL,    // None is free.
  DOOMED,  // The same, and the thread's own object is the oldest.
  EMPTY,   // None was ever issued.
};

// What the thread does to the pool under the sweep.
struct operation {
  const char *name;
  enum state state;
  void (*aim)(struct armed_call *call);           // Fills in the call.
  void (*settle)(const struct armed_call *call);  // Notes what it returned.
};

// What the handler does to it.
struct move {
  const char *name;
  void (*make)(void);
};

enum kind {
  SWEPT,    // Must never break.
  MASKED,   // The same, called with interrupts masked.
  CONTROL,  // Known to be unsafe: must break at some boundary.
  DOUBLE,   // Both free the same object: one of them must fault.
};

// Runs the row at every boundary and prints what came of it. As a test case,
// unless it is a control; of those, returns how many runs broke.
uint32_t sweep_row(const struct subject *subject,
                   const struct operation *operation, const struct move *move,
                   enum kind kind);

// Instead of sweeping, calls each operation once: for a trace of what it
// executes when nothing interrupts it.
extern bool sweep_traces;

// Where interrupts are masked, too, one is made due at each boundary, not only
// at the first: it comes to the same.
extern bool sweep_each;

// Calls [call]; a case may put another way to get there, as from an interrupt.
extern void (*sweep_enter)(struct armed_call *call);

// Has [make] made by the interrupt; a case may put another way, as by a task
// that the interrupt wakes. That one calls the next when [make] raised a fault.
extern void (*sweep_arm)(void (*make)(void));
void sweep_note_fault(void);

// Called again and again while the thread sleeps: time passes, and what another
// thread does then, once, is done.
uint32_t sweep_clock(void);
extern void (*sweep_meanwhile)(void);

// Rows of all moves; and the same and one of a caller who masked interrupts.
void sweep_unmasked(const struct subject *subject,
                    const struct operation *operation);
void sweep_all_moves(const struct subject *subject,
                     const struct operation *operation);

extern const struct move alloc_move;

// Rows of all operations that any pool allows; and of those with handles.
void sweep_common(const struct subject *subject);
void sweep_another_free(const struct subject *subject);  // While one is free.
void sweep_with_handles(const struct subject *subject);
void sweep_handles(const struct subject *subject);  // The latter only.

#define LENGTH(array) (sizeof(array) / sizeof(array)[0])

void suite_pools(void);
void suite_handles(void);
void suite_owners(void);
void suite_loans(void);
void suite_victims(void);
void suite_least(void);
void suite_nested(void);
void suite_locks(void);
void suite_blocks(void);
void suite_second(void);
void suite_watermark(void);
void suite_wait(void);
void suite_wait_allocs(void);
void suite_frame(void);
void suite_scenes(void);
void suite_controls(void);

#endif
