// SPDX-License-Identifier: MIT
// roster.h - every pool of the console, generated or made by hand, with what
// the console knows of it without asking it.
#ifndef ROSTER_H
#define ROSTER_H

#include <stdint.h>

#include "ledger.h"
#include "pool/tp_pool.h"
#include "tp_record.h"

enum { ROSTER_N = 8, ROSTER_NONE = TP_RECORD_NO_POOL };

struct roster_entry {
  const struct tp_pool *pool;
  struct ledger (*ledger)(void);
  uint32_t (*held)(void);  // How many references to its objects are kept.
  uint16_t words;          // Of an object, without what its slot is larger.
  uint16_t capacity;       // The most slots it ever has.
  uint8_t policy;          // enum tp_record_policy.
};

extern const struct roster_entry roster[ROSTER_N];

// The number of [pool]; ROSTER_NONE iff it is not here.
uint32_t roster_index(const struct tp_pool *pool);

// Whether [pool] may be looked at: the region of a chunk may be given back.
bool roster_open(const struct tp_pool *pool);

#endif
