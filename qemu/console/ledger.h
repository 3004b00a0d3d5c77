// SPDX-License-Identifier: MIT
// ledger.h - the console's own books of what it asked of a pool, kept apart
// from the pool's: the verdict compares them. One ledger a context that
// writes, so that no count is lost to an interrupt.
#ifndef LEDGER_H
#define LEDGER_H

#include <stdint.h>

struct ledger {
  uint32_t allocs, frees, steals, drops, spills;
};

static inline uint32_t ledger_live(const struct ledger *ledger)
{
  return ledger->allocs - ledger->frees - ledger->steals;
}

static inline struct ledger ledger_sum(const struct ledger *a,
                                       const struct ledger *b)
{
  return (struct ledger){a->allocs + b->allocs, a->frees + b->frees,
                         a->steals + b->steals, a->drops + b->drops,
                         a->spills + b->spills};
}

#endif
