// SPDX-License-Identifier: MIT
// unit.h - the suites of this image, and what they share.
#ifndef UNIT_H
#define UNIT_H

#include "tp_declare.h"
#include "tp_test.h"
#include "allocator/tp_reloc.h"

void suite_blocks(void);
void suite_holes(void);
void suite_steps(void);
void suite_resume(void);
void suite_misuse(void);
void suite_verify(void);
void suite_poison(void);
void suite_history(void);

// One that refuses, one that faults when it is full, and the first's figures.
TP_RELOC_DECLARE(heap);
TP_RELOC_DECLARE(strict);
enum { HEAP_BYTES = 2048, HEAP_HANDLES = 48, HEAP_MOVES = 4 };

// What heap's on_move was told last, and how often it was.
extern struct moved {
  tp_handle_t handle;
  const void *to, *from;
  uint32_t count;
} moved;

// Does it lock what was moved, and ask how the pool is? Then how often it got
// another answer than it should.
extern bool moved_asks;
extern uint32_t moved_amiss;

// What heap's on_move undoes one lock of, once.
extern tp_handle_t moved_unlocks;

// Puts [reloc] back to its state at boot.
void forget(const struct tp_reloc *reloc);

struct tp_reloc_figures figures(const struct tp_reloc *reloc);

// A block of heap with [size] bytes that only [handle] can explain.
tp_handle_t make(uint32_t size);

// Are the bytes of heap's [handle] what make() wrote? Looks at them as an
// owner does: locked.
bool is_whole(tp_handle_t handle, uint32_t size);

// Where heap's [handle] lies now.
uintptr_t place_of(tp_handle_t handle);

#endif
