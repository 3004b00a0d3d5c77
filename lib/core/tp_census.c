// SPDX-License-Identifier: MIT
#include "core/tp_census.h"

static void note_live(struct tp_census_row *row, const struct tp_pool *pool)
{
  uint32_t live = tp_pool_live(pool);
  if (row->peak < live) row->peak = live;
  row->full_frames += live != 0 && live == pool->capacity;
}

void tp_census_frame(const struct tp_census *census)
{
  for (uint32_t i = 0; i < census->count; i++) {
    note_live(&census->rows[i], census->pools[i]);
  }
}

static void add_up(struct tp_census_row *row, const struct tp_pool *pool)
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

void tp_census_take(const struct tp_census *census)
{
  for (uint32_t i = 0; i < census->count; i++) {
    add_up(&census->rows[i], census->pools[i]);
  }
}

void tp_census_restart(const struct tp_census *census)
{
  for (uint32_t i = 0; i < census->count; i++) {
    census->rows[i].peak = tp_pool_live(census->pools[i]);
  }
}

static bool same(const char *a, const char *b)
{
  while (*a && *a == *b) a++, b++;
  return *a == *b;
}

const struct tp_census_row *tp_census_find(const struct tp_census *census,
                                           const char *name)
{
  for (uint32_t i = 0; i < census->count; i++) {
    if (same(census->pools[i]->name, name)) return &census->rows[i];
  }
  return NULL;
}
