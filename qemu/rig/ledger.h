// SPDX-License-Identifier: MIT
// ledger.h - our own account of what the game asked of each pool, kept apart
// from the pool's: the verdict compares them.
#ifndef LEDGER_H
#define LEDGER_H

#include <stdint.h>

#include "interrupts.h"
#include "tp_pools.h"

struct ledger {
  uint32_t allocs, frees, steals, refused, spills;
};

// The frame's and the interrupt's, so that no count is lost.
extern struct ledger ledgers[2][TP_POOL_N];

// The one to write to now.
static inline struct ledger *ledger_now(enum tp_pool_id id)
{
  return &ledgers[interrupts_running][id];
}

// Both together. No interrupt may be under way.
struct ledger ledger_of(enum tp_pool_id id);

static inline uint32_t ledger_live(const struct ledger *ledger)
{
  return ledger->allocs - ledger->frees - ledger->steals;
}

#endif
