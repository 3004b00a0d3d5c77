// SPDX-License-Identifier: MIT
#include "audit.h"

#include "tidepool.h"
#include "core/tp_slot.h"
#include "core/tp_totals.h"
#include "ledger.h"
#include "roster.h"
#include "tp_port.h"
#include "watch.h"

// Of what is no pool, and of scenes.
static const char *(*const auditors[])(void) = {
    watch_draw_audit, watch_scripts_audit, watch_bullets_audit,
    watch_meshes_audit, watch_props_audit};

static struct tp_use uses[TP_POOL_N];

void audit_found(const struct tp_pool *pool, uint32_t slot, const char *text)
{
  telemetry_audit(tp_clock_now, pool, slot, text);
}

static const char *const broken_texts[] = {
    [TP_BROKEN_FRESH] = "more slots issued than there are",
    [TP_BROKEN_LIST] = "the free list is broken",
    [TP_BROKEN_LINK] = "a link was written over",
    [TP_BROKEN_LIVE] = "the live count is wrong",
    [TP_BROKEN_LENGTH] = "the free list has the wrong length",
    [TP_BROKEN_AGE] = "the age ring is broken",
    [TP_BROKEN_POISON] = "a dead slot was written to",
    [TP_BROKEN_ZONE] = "a red zone was written to",
};

static void verify(const struct tp_pool *pool)
{
  struct tp_finding finding;
  if (!roster_open(pool)) return;
  if (tp_pool_verify(pool, &finding)) return;
  audit_found(pool, finding.slot, broken_texts[finding.broken]);
}

// A lock that was not given back would keep the interrupt out for ever.
void audit_lock(void)
{
  uint32_t key = tp_port_lock();
  tp_port_unlock(0);
  if (key) audit_found(0, 0, "interrupts are masked: an unlock was lost");
}

static void note_use(uint32_t index)
{
  struct ledger ledger = ledger_of((enum tp_pool_id)index);
  tp_use_note(&uses[index], ledger_live(&ledger),
              tp_pool_table[index]->capacity);
}

void audit_frame(void)
{
  for (uint32_t i = 0; i < TP_POOL_N; i++) {
    note_use(i);
    if (tp_pool_table[i]->age) verify(tp_pool_table[i]);
  }
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
  const struct tp_pool *pool = tp_pool_table[index];
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
  const struct tp_pool *pool = tp_pool_table[index];
  const tp_word_t *words = pool->storage;
  if (TP_CHECKS < TP_CHECKS_POISON) return;
  for (uint32_t slot = 1; slot <= pool->state->fresh; slot++) {
    if (pool->tag[slot] >> 31 && holds_new_poison(words, roster[index].words)) {
      audit_found(pool, slot, "live, but never initialised");
    }
    words += pool->stride / 4u;
  }
}

static void audit_pool(uint32_t index, struct tp_record_usage *usage)
{
  const struct tp_pool *pool = tp_pool_table[index];
  struct tp_stats stats;
  struct ledger ledger = ledger_of((enum tp_pool_id)index);
  tp_pool_stats(pool, &stats);
  audit_stats(index, &stats, &ledger);
  verify(pool);
  audit_objects(index);
  *usage = (struct tp_record_usage){
      .allocs = ledger.allocs,
      .frees = ledger.frees,
      .steals = ledger.steals,
      .refused = ledger.refused,
      .spills = ledger.spills,
      .live = ledger_live(&ledger),
      .peak = stats.peak,
      .low = uses[index].low,
      .high = uses[index].high,
      .full_frames = uses[index].full_frames,
  };
  tp_use_restart(&uses[index], usage->live);
}

void audit_pools(struct tp_record_usage usages[TP_POOL_N])
{
  for (uint32_t i = 0; i < TP_POOL_N; i++) audit_pool(i, &usages[i]);
  for (uint32_t i = 0; i < sizeof auditors / sizeof auditors[0]; i++) {
    const char *text = auditors[i]();
    if (text) audit_found(0, 0, text);
  }
}

void audit_scrub(void)
{
  for (uint32_t i = 0; i < TP_POOL_N; i++) {
    const struct tp_pool *pool = tp_pool_table[i];
    if (!pool->capacity || !roster_open(pool)) continue;
    tp_pool_scrub(pool, pool->capacity / 128u + 1);
  }
}
