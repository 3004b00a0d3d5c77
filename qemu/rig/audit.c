// SPDX-License-Identifier: MIT
#include "audit.h"

#include "tidepool.h"
#include "core/tp_slot.h"
#include "ledger.h"
#include "roster.h"
#include "tp_picture.h"
#include "tp_port.h"
#include "watch.h"

// Of what is no pool, and of scenes.
static const char *(*const auditors[])(void) = {
    watch_draw_audit, watch_scripts_audit, watch_bullets_audit,
    watch_meshes_audit, watch_props_audit};

static struct tp_use uses[TP_ALLOCATOR_N];
static uint32_t shown[TP_ALLOCATOR_N];  // Most that a picture was of.

void audit_found(const struct tp_pool *pool, uint32_t slot, const char *text)
{
  telemetry_audit(tp_clock_now, pool, slot, text);
}

static void verify(uint32_t index)
{
  struct tp_finding finding;
  if (tp_entry_verify(tp_registry.entries[index], &finding)) return;
  tp_record_audit(tp_clock_now, index, finding.slot,
                  tp_record_broken(&finding));
}

// A lock that was not given back would keep the interrupt out for ever.
void audit_lock(void)
{
  uint32_t key = tp_port_lock();
  tp_port_unlock(0);
  if (key) audit_found(0, 0, "interrupts are masked: an unlock was lost");
}

static const struct tp_pool *pool_at(uint32_t index)
{
  const struct tp_entry *entry = tp_registry.entries[index];
  if (entry->kind == &tp_pool_kind) {
    return (const struct tp_pool *)entry->allocator;
  }
  return ((const struct tp_chunk *)entry->allocator)->pool;
}

// Of pools by our own account, which interrupts wrote to.
static uint32_t live_at(uint32_t index)
{
  if (index >= TP_POOL_N) return tp_entry_live(tp_registry.entries[index]);
  struct ledger ledger = ledger_of((enum tp_pool_id)index);
  return ledger_live(&ledger);
}

void audit_frame(void)
{
  bool worse = false;
  for (uint32_t i = 0; i < TP_ALLOCATOR_N; i++) {
    uint32_t live = live_at(i);
    tp_use_note(&uses[i], live, tp_entry_capacity(tp_registry.entries[i]));
    worse |= live > shown[i];
    if (i < TP_POOL_N && pool_at(i)->age) verify(i);
  }
  if (worse) tp_picture_worst(&tp_registry, shown);
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

static void audit_stats(uint32_t index, const struct tp_stats *stats,
                        const struct ledger *ledger)
{
  const struct tp_pool *pool = pool_at(index);
  // A pool that keeps no tags, at off, counts nothing.
  const char *differs = tp_tag_kept(pool) ? difference(ledger, stats) : 0;
  const char *missed = lost(ledger_live(ledger), roster[index].held());
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
static void audit_objects(uint32_t index)
{
  const struct tp_pool *pool = pool_at(index);
  const tp_word_t *words = pool->storage;
  if (TP_CHECKS < TP_CHECKS_POISON) return;
  for (uint32_t slot = 1; slot <= pool->state->fresh; slot++) {
    if (pool->tag[slot] >> 31 && holds_new_poison(words, roster[index].words)) {
      audit_found(pool, slot, "live, but never initialised");
    }
    words += pool->stride / 4u;
  }
}

static void audit_pool(uint32_t index)
{
  struct tp_stats stats;
  struct ledger ledger = ledger_of((enum tp_pool_id)index);
  tp_pool_stats(pool_at(index), &stats);
  audit_stats(index, &stats, &ledger);
  audit_objects(index);
}

void audit_pools(void)
{
  for (uint32_t i = 0; i < TP_POOL_N; i++) audit_pool(i);
  for (uint32_t i = 0; i < TP_ALLOCATOR_N; i++) verify(i);
  for (uint32_t i = 0; i < sizeof auditors / sizeof auditors[0]; i++) {
    const char *text = auditors[i]();
    if (text) audit_found(0, 0, text);
  }
}

// Of pools our own account of what happened.
static void read_stats(uint32_t index, struct tp_stats *stats)
{
  tp_entry_stats(tp_registry.entries[index], stats);
  if (index >= TP_POOL_N) return;
  struct ledger ledger = ledger_of((enum tp_pool_id)index);
  stats->live = ledger_live(&ledger);
  stats->allocs = ledger.allocs;
  stats->frees = ledger.frees;
  stats->steals = ledger.steals;
  stats->refused = ledger.refused;
  stats->spills = ledger.spills;
}

void audit_report(void)
{
  for (uint32_t i = 0; i < TP_ALLOCATOR_N; i++) {
    struct tp_stats stats;
    read_stats(i, &stats);
    tp_record_use(tp_entry_capacity(tp_registry.entries[i]), &stats, &uses[i]);
    tp_use_restart(&uses[i], stats.live);
  }
}

void audit_scrub(void)
{
  for (uint32_t i = 0; i < TP_ALLOCATOR_N; i++) {
    tp_entry_scrub(tp_registry.entries[i], 7);
  }
}
