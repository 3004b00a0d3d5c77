// SPDX-License-Identifier: MIT
// dense.h - the dense pools of these tests, and what they share.
#ifndef DENSE_H
#define DENSE_H

#include "tp_declare.h"
#include "tp_test.h"
#include "allocator/tp_dense.h"

struct bullet {
  uint32_t id;
  uint32_t words[2];
};

enum { BULLETS = 33 };

TP_DENSE_DECLARE(bullets, struct bullet);  // Refuses when full, tells moves.
TP_DENSE_DECLARE(shells, struct bullet);   // Three, faults when full.
TP_DENSE_DECLARE(wide, uint32_t);          // Two of 40 bytes, aligned to 16.

// What bullet_moved() was told last, and how often.
extern const struct bullet *moved_from, *moved_to;
extern tp_handle_t moved_handle;
extern uint32_t moves;
extern const struct bullet *moved_from_of[3], *moved_to_of[3];  // The first.

// Not 0: it asks the pool for what was moved, whether it is whole, and has as
// many objects. Then how often it got another answer than it should.
extern uint32_t moved_asks;
extern uint32_t moved_amiss;

void suite_basics(void);
void suite_walk(void);
void suite_misuse(void);
void suite_model(void);

// Puts [dense] back to its state at boot.
void forget(const struct tp_dense *dense);

#endif
