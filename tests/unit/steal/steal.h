// SPDX-License-Identifier: MIT
// steal.h - pools that steal, defined by hand, and what their tests share.
#ifndef STEAL_H
#define STEAL_H

#include "tp_test.h"
#include "tp_declare.h"
#include "policy/tp_steal_least.h"

struct voice {
  uint32_t loudness;
  uint32_t number;
  uint32_t unused[2];
};

TP_POOL_DECLARE(voices, struct voice);  // Steals the quietest. 4 slots.
TP_POOL_DECLARE_HANDLES(voices, struct voice, 32);
TP_POOL_DECLARE_SCORED(voices, struct voice);
TP_POOL_DECLARE_PINS(voices, struct voice);
TP_POOL_DECLARE(choir, struct voice);  // The same with 33.
TP_POOL_DECLARE_HANDLES(choir, struct voice, 32);
TP_POOL_DECLARE_SCORED(choir, struct voice);
TP_POOL_DECLARE_PINS(choir, struct voice);
TP_POOL_DECLARE(echoes, struct voice);  // Steals the oldest from age 3 on.
TP_POOL_DECLARE_PINS(echoes, struct voice);
TP_POOL_DECLARE(rounds, struct voice);  // Steals the oldest, tells nobody.
TP_POOL_DECLARE_HANDLES(rounds, struct voice, 32);
TP_POOL_DECLARE_PINS(rounds, struct voice);
TP_POOL_DECLARE(single, struct voice);  // The same with one slot.

extern const struct tp_pool crowd_pool;    // Steals any; restless. 4 slots.
extern const struct tp_pool shy_pool;      // From age 4 on. 4 slots.
extern const struct tp_pool stones_pool;   // Drops. 2 slots.
extern const struct tp_pool pebbles_pool;  // The same, and has handles.

void suite_least(void);
void suite_least_history(void);
void suite_pins(void);
void suite_ages(void);
void suite_ring(void);
void suite_turn(void);

// Every theft, as the pools' evict() saw it.
struct thefts {
  uint32_t count;
  struct voice *victim;
  uint32_t number;       // The victim's, read while it was told.
  void (*during)(void);  // Called once, if set.
};

extern struct thefts thefts;

// Done once to what a scan of shy looks at, if set.
extern void (*shy_does)(void *object);

// How often crowd still changes when a scan looks at it.
extern uint32_t changes_left;

// What it freed then it goes on writing to.
extern bool garbles_links;

// All pools as at boot, nobody evicted, the clock at 0.
void steal_start(void);

// Does the record tell of the ring of [pool], broken at [slot]? An audit, which
// comes first, finds the first link that is wrong.
bool steal_tells_of(const struct tp_pool *pool, uint32_t slot);

#endif
