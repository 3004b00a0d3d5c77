// SPDX-License-Identifier: MIT
// time.h - what a call costs, and whether that grows.
//
// The library of this image counts the pieces of straight code it runs, so a
// cost is exact and the same each time. It is asked for at three sizes of
// whatever a contract's Time line speaks of.
#ifndef TIME_H
#define TIME_H

#include "object/tp_build.h"
#include "tp_port.h"
#include "tp_test.h"

extern uint32_t time_spent;

// Pieces of straight code that [call] ran.
#define COST(call) (time_spent = 0, (void)(call), time_spent)

// How often [call] masked interrupts.
#define WINDOWS(call) (tp_port_windows = 0, (void)(call), tp_port_windows)

// The cost of a call at [size]: 8, 16 or 32.
typedef uint32_t cost_of(uint32_t size);
enum { LARGEST = 32 };

// Does the cost not depend on the size?
bool is_constant(cost_of *cost);

// Does it grow by the same amount with each of what the size counts?
bool is_linear(cost_of *cost);

// Below poison constant; from there on the bytes are written over.
bool is_by_bytes(cost_of *cost);

// A pool of twice [count] slots, [count] of them issued: one that drops, or one
// that steals the oldest. All have handles.
extern struct tp_pool drops, steals;
extern void *objects[2 * LARGEST];
void half_fill(struct tp_pool *pool, uint32_t count);

// The same, full.
void fill(struct tp_pool *pool, uint32_t count);

void suite_pools(void);
void suite_objects(void);
void suite_scratch(void);
void suite_allocators(void);
void suite_policies(void);
void suite_owners(void);
void suite_dma(void);

#endif
