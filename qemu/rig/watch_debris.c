// SPDX-License-Identifier: MIT
// watch_debris.c - pieces: who has them, the pool or the one it spills into.
#include "debris.h"
#include "ledger.h"
#include "watch.h"

static bool is_away(const struct piece *piece)
{
  uintptr_t offset = (uintptr_t)piece - (uintptr_t)rubble_pool.storage;
  return offset < (uintptr_t)RUBBLE_COUNT * rubble_pool.stride;
}

static struct ledger *ledger_for(const struct piece *piece)
{
  return ledger_now(is_away(piece) ? TP_ID_RUBBLE : TP_ID_DEBRIS);
}

void watch_piece_asked(const struct piece *piece)
{
  struct ledger *home = ledger_now(TP_ID_DEBRIS);
  home->refused += !piece;
  if (!piece) return;
  home->spills += is_away(piece);
  ledger_for(piece)->allocs++;
}

void watch_piece_freed(const struct piece *piece)
{
  ledger_for(piece)->frees++;
}

// What debris refused, unless that was on purpose.
uint32_t watch_rubble_refused(void)
{
  return ledger_of(TP_ID_DEBRIS).refused - tp_soak_refused(TP_ID_DEBRIS);
}

static uint32_t held(bool away)
{
  uint32_t total = 0;
  for (uint32_t i = 0; i < debris_pieces(); i++) {
    total += is_away(debris_piece(i)) == away;
  }
  return total;
}

uint32_t watch_debris_held(void)
{
  return held(false);
}

uint32_t watch_rubble_held(void)
{
  return held(true);
}
