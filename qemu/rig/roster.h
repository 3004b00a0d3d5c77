// SPDX-License-Identifier: MIT
// roster.h - what the rig knows of each pool in tp_pool_table without
// asking it, in the same order.
#ifndef ROSTER_H
#define ROSTER_H

#include <stdbool.h>
#include <stdint.h>

#include "tp_pools.h"
#include "tp_record.h"

enum { ROSTER_NONE = TP_RECORD_NO_POOL };

struct roster_entry {
  uint16_t words;          // Of an object, without what its slot is larger.
  uint16_t capacity;       // The most slots it ever has.
  uint32_t (*held)(void);  // How many references to objects the game keeps.
};

extern const struct roster_entry roster[TP_POOL_N];

// What [pool] does when it is full: an enum tp_record_policy.
uint8_t roster_policy(const struct tp_pool *pool);

// The number of [pool]; ROSTER_NONE iff it is not here.
uint32_t roster_index(const struct tp_pool *pool);

// Whether [pool] may be looked at: the region of a chunk may be given back.
bool roster_open(const struct tp_pool *pool);

#endif
