// SPDX-License-Identifier: MIT
// roster.h - what the rig knows of each row of [pools] without asking the pool,
// by enum tp_pool_id.
#ifndef ROSTER_H
#define ROSTER_H

#include <stdint.h>

#include "tp_pools.h"

struct roster_entry {
  uint16_t words;          // Of an object, without what its slot is larger.
  uint32_t (*held)(void);  // How many references to objects the game keeps.
};

extern const struct roster_entry roster[TP_POOL_N];

#endif
