// SPDX-License-Identifier: MIT
#include "core/tp_totals.h"

static void note_live(struct tp_totals_row *row, const struct tp_pool *pool)
{
  uint32_t live = tp_pool_live(pool);
  if (row->peak < live) row->peak = live;
  row->full_frames += live != 0 && live == pool->capacity;
}

void tp_totals_frame(const struct tp_totals *totals)
{
  for (uint32_t i = 0; i < totals->count; i++) {
    note_live(&totals->rows[i], totals->pools[i]);
  }
}

static void add_up(struct tp_totals_row *row, const struct tp_pool *pool)
{
  struct tp_pool_stats now;
  tp_pool_stats(pool, &now);
  row->allocs += now.allocs - row->seen.allocs;
  row->frees += now.frees - row->seen.frees;
  row->steals += now.steals - row->seen.steals;
  row->spills += now.spills - row->seen.spills;
  row->drops += now.drops - row->seen.drops;
  row->rules += now.rules - row->seen.rules;
  row->oldest = tp_pool_oldest_age(pool);
  row->seen = now;
}

void tp_totals_take(const struct tp_totals *totals)
{
  for (uint32_t i = 0; i < totals->count; i++) {
    add_up(&totals->rows[i], totals->pools[i]);
  }
}

void tp_totals_restart(const struct tp_totals *totals)
{
  for (uint32_t i = 0; i < totals->count; i++) {
    totals->rows[i].peak = tp_pool_live(totals->pools[i]);
  }
}

static bool same(const char *a, const char *b)
{
  while (*a && *a == *b) a++, b++;
  return *a == *b;
}

const struct tp_totals_row *tp_totals_find(const struct tp_totals *totals,
                                           const char *name)
{
  for (uint32_t i = 0; i < totals->count; i++) {
    if (same(totals->pools[i]->name, name)) return &totals->rows[i];
  }
  return NULL;
}
