// SPDX-License-Identifier: MIT
#include "ledger.h"

struct ledger ledgers[2][TP_POOL_N];

struct ledger ledger_of(enum tp_pool_id id)
{
  const struct ledger *a = &ledgers[0][id], *b = &ledgers[1][id];
  return (struct ledger){a->allocs + b->allocs, a->frees + b->frees,
                         a->steals + b->steals, a->refused + b->refused,
                         a->spills + b->spills};
}
