// SPDX-License-Identifier: MIT
#include "audit.h"

#include "core/tp_slot.h"
#include "ledger.h"
#include "roster.h"
#include "tp_soak.h"
#include "watch.h"

// Of what is no pool, and of scenes.
static const char *(*const auditors[])(void) = {
    watch_draw_audit, watch_scripts_audit, watch_bullets_audit,
    watch_meshes_audit, watch_props_audit};

void audit_found(const struct tp_pool *pool, uint32_t slot, const char *text)
{
  uint32_t index = pool ? tp_registry_find(&tp_registry, pool->name)
                        : (uint32_t)TP_RECORD_NO_POOL;
  tp_record_audit(tp_clock_now, index, slot, text);
}

// Without the requests that never came as far as the pool.
static struct ledger account_of(uint32_t index)
{
  struct ledger ledger = ledger_of((enum tp_pool_id)index);
  if (index == TP_ID_RUBBLE) ledger.refused = watch_rubble_refused();
  ledger.refused -= tp_soak_refused(index);
  return ledger;
}

// What differs between the pool's statistics and ours, in words; NULL iff
// nothing. A pool adds up its allocs from the generations of its slots.
static const char *difference(const struct ledger *ledger,
                              const struct tp_stats *stats)
{
  if (stats->steals != ledger->steals) return "steals differ from evictions";
  if (stats->live != ledger_live(ledger)) return "live counts differ";
  if (stats->allocs != ledger->allocs) return "generations differ from allocs";
  if (stats->frees != ledger->frees) return "frees differ";
  if (stats->refused != ledger->refused) return "refusals differ";
  if (stats->spills != ledger->spills) return "spills differ";
  return 0;
}

static const char *lost(uint32_t live, uint32_t held)
{
  if (held < live) return "live, but held by nobody: leaked";
  if (held > live) return "held, but not live: a stale reference";
  return 0;
}

static void audit_stats(uint32_t index, const struct tp_pool *pool)
{
  struct tp_stats stats;
  struct ledger ledger = account_of(index);
  tp_pool_stats(pool, &stats);
  // A pool that keeps no tags, at off, counts nothing.
  const char *differs = tp_tag_kept(pool) ? difference(&ledger, &stats) : 0;
  const char *missed = lost(ledger_live(&ledger), roster[index].held());
  if (differs) audit_found(pool, 0, differs);
  if (missed) audit_found(pool, 0, missed);
}

static bool holds_new_poison(const tp_word_t *words, uint32_t count)
{
  for (uint32_t i = 0; i < count; i++) {
    if (words[i] == TP_POISON_NEW) return true;
  }
  return false;
}

// From poison up, what was issued and never written to shows.
static void audit_objects(uint32_t index, const struct tp_pool *pool)
{
  const tp_word_t *words = pool->storage;
  if (TP_CHECKS < TP_CHECKS_POISON) return;
  for (uint32_t slot = 1; slot <= pool->state->fresh; slot++) {
    if (pool->tag[slot] >> 31 && holds_new_poison(words, roster[index].words)) {
      audit_found(pool, slot, "live, but never initialised");
    }
    words += pool->stride / 4u;
  }
}

void audit_pools(void)
{
  for (uint32_t i = 0; i < TP_POOL_N; i++) {
    const struct tp_pool *pool = tp_soak_pool(tp_registry.entries[i]);
    audit_stats(i, pool);
    audit_objects(i, pool);
  }
  for (uint32_t i = 0; i < sizeof auditors / sizeof auditors[0]; i++) {
    const char *text = auditors[i]();
    if (text) audit_found(0, 0, text);
  }
}

void audit_account(uint32_t index, struct tp_stats *stats)
{
  if (index >= TP_POOL_N) return;
  struct ledger ledger = account_of(index);
  stats->live = ledger_live(&ledger);
  stats->allocs = ledger.allocs;
  stats->frees = ledger.frees;
  stats->steals = ledger.steals;
  stats->refused = ledger.refused;
  stats->spills = ledger.spills;
}
