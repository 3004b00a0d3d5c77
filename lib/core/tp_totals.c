// SPDX-License-Identifier: MIT
#include "core/tp_totals.h"

#include "core/tp_words.h"

void tp_totals_note(const struct tp_totals *totals)
{
  for (uint32_t i = 0; i < totals->count; i++) {
    const struct tp_pool *pool = totals->pools[i];
    tp_use_note(&totals->rows[i].use, tp_pool_live(pool), pool->capacity);
  }
}

static void add_up(struct tp_totals_row *row, const struct tp_pool *pool)
{
  struct tp_stats now;
  tp_pool_stats(pool, &now);
  row->allocs += now.allocs - row->seen.allocs;
  row->frees += now.frees - row->seen.frees;
  row->steals += now.steals - row->seen.steals;
  row->spills += now.spills - row->seen.spills;
  row->refused += now.refused - row->seen.refused;
  row->oldest = tp_pool_oldest_age(pool);
  tp_copy_words((tp_word_t *)&row->seen, (const tp_word_t *)&now,
                sizeof now / 4);
}

void tp_totals_update(const struct tp_totals *totals)
{
  for (uint32_t i = 0; i < totals->count; i++) {
    add_up(&totals->rows[i], totals->pools[i]);
  }
}

void tp_totals_restart(const struct tp_totals *totals)
{
  for (uint32_t i = 0; i < totals->count; i++) {
    tp_use_restart(&totals->rows[i].use, tp_pool_live(totals->pools[i]));
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
