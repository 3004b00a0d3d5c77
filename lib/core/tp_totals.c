// SPDX-License-Identifier: MIT
// What a pool did, and the totals of all.
#include "core/tp_totals.h"

#include "core/tp_core.h"
#include "core/tp_sum.h"
#include "core/tp_words.h"

void tp_pool_sum(const struct tp_pool *pool, struct tp_stats *stats)
{
  tp_sum_stats(pool, stats);
}

// Weak: an image with a hardened pool has another, TP_HARDENED_CALLS.
void tp_pool_stats(const struct tp_pool *pool, struct tp_stats *stats)
    __attribute__((weak, alias("tp_pool_sum")));

uint32_t tp_pool_live(const struct tp_pool *pool)
{
  const uint32_t *kept = tp_slot_magazines(pool);
  uint32_t live = tp_list_live(pool);
  return kept ? tp_list_less(live, kept) : live;
}

uint32_t tp_pool_oldest_age(const struct tp_pool *pool)
{
  if (!pool->born) return 0;
  uint32_t key = tp_lock_take(pool->lock);
  tp_slot_t oldest = tp_age_oldest(pool->age);
  bool found = tp_list_names(oldest, pool->capacity);
  uint32_t age = found ? tp_clock_now - pool->born[oldest] : 0;
  tp_lock_give(pool->lock, key);
  return age;
}

void tp_totals_note(const struct tp_totals *totals)
{
  for (uint32_t i = 0; i < totals->registry->count; i++) {
    const struct tp_entry *entry = totals->registry->entries[i];
    tp_use_note(&totals->rows[i].use, tp_entry_live(entry),
                tp_entry_capacity(entry));
  }
}

static uint32_t oldest_of(const struct tp_entry *entry)
{
  if (entry->kind != &tp_pool_kind) return 0;
  return tp_pool_oldest_age((const struct tp_pool *)entry->allocator);
}

// What [row] saw refused may have been served since: then there are fewer.
static uint64_t refused_since(const struct tp_totals_row *row,
                              const struct tp_stats *now)
{
  int32_t more = (int32_t)(now->refused - row->seen.refused);
  return (uint64_t)(int64_t)more;
}

static void add_up(struct tp_totals_row *row, const struct tp_entry *entry)
{
  struct tp_stats now;
  tp_entry_stats(entry, &now);
  row->allocs += now.allocs - row->seen.allocs;
  row->frees += now.frees - row->seen.frees;
  row->steals += now.steals - row->seen.steals;
  row->spills += now.spills - row->seen.spills;
  row->refused += refused_since(row, &now);
  row->oldest = oldest_of(entry);
  tp_copy_words((tp_word_t *)&row->seen, (const tp_word_t *)&now,
                sizeof now / 4);
}

void tp_totals_update(const struct tp_totals *totals)
{
  for (uint32_t i = 0; i < totals->registry->count; i++) {
    add_up(&totals->rows[i], totals->registry->entries[i]);
  }
}

void tp_totals_restart(const struct tp_totals *totals)
{
  for (uint32_t i = 0; i < totals->registry->count; i++) {
    const struct tp_entry *entry = totals->registry->entries[i];
    tp_use_restart(&totals->rows[i].use, tp_entry_live(entry));
  }
}

const struct tp_totals_row *tp_totals_find(const struct tp_totals *totals,
                                           const char *name)
{
  uint32_t index = tp_registry_find(totals->registry, name);
  return index < totals->registry->count ? &totals->rows[index] : NULL;
}
