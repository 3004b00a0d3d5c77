// SPDX-License-Identifier: MIT
#include "audit.h"

#include "counts.h"
#include "enemies.h"
#include "particles.h"
#include "sounds.h"

typedef struct ledger (*ledger_reader)(void);

static const ledger_reader readers[TP_POOL_N] = {
    [TP_ID_PARTICLES] = particles_ledger,
    [TP_ID_SOUNDS] = sounds_ledger,
    [TP_ID_ENEMIES] = enemies_ledger,
};

struct use {
  uint32_t low, high, full_frames;
};

static struct use uses[TP_POOL_N];

void audit_frame(void)
{
  for (uint32_t i = 0; i < TP_POOL_N; i++) {
    struct ledger ledger = readers[i]();
    uint32_t live = ledger_live(&ledger);
    if (live < uses[i].low) uses[i].low = live;
    if (live > uses[i].high) uses[i].high = live;
    uses[i].full_frames += live == tp_pool_table[i]->capacity;
  }
}

// What differs, in words; NULL iff nothing does. A pool that counts nothing,
// at off, is not compared.
static const char *difference(const struct ledger *ledger,
                              const struct tp_pool_stats *stats)
{
  if (TP_CHECKS < TP_CHECKS_FAST) return 0;
  if (stats->allocs != ledger->allocs) return "allocs differ";
  if (stats->frees != ledger->frees) return "frees differ";
  if (stats->steals != ledger->steals) return "steals differ from evictions";
  if (stats->drops != ledger->drops) return "drops differ";
  if (stats->live != ledger_live(ledger)) return "live counts differ";
  return 0;
}

static const char *const broken_texts[] = {
    [TP_BROKEN_FRESH] = "more slots issued than there are",
    [TP_BROKEN_LIST] = "the free list is broken",
    [TP_BROKEN_LIVE] = "the live count is wrong",
    [TP_BROKEN_LENGTH] = "the free list has the wrong length",
    [TP_BROKEN_AGE] = "the age ring is broken",
    [TP_BROKEN_POISON] = "a dead slot was written to",
    [TP_BROKEN_ZONE] = "a red zone was written to",
};

static void audit_pool(uint32_t frame, uint32_t index,
                       struct pool_sample *sample)
{
  const struct tp_pool *pool = tp_pool_table[index];
  struct tp_pool_stats stats;
  struct tp_finding finding;
  struct ledger ledger = readers[index]();
  tp_pool_stats(pool, &stats);
  const char *text = difference(&ledger, &stats);
  if (text) telemetry_audit(frame, index, text);
  if (!tp_pool_verify(pool, &finding)) {
    telemetry_audit(frame, index, broken_texts[finding.broken]);
  }
  *sample = (struct pool_sample){
      .ledger = ledger,
      .live = ledger_live(&ledger),
      .peak = stats.peak,
      .low = uses[index].low,
      .high = uses[index].high,
      .full_frames = uses[index].full_frames,
  };
  uses[index].low = uses[index].high = sample->live;
}

void audit_second(uint32_t frame, struct pool_sample samples[TP_POOL_N])
{
  for (uint32_t i = 0; i < TP_POOL_N; i++) audit_pool(frame, i, &samples[i]);
}

void audit_scrub(void)
{
  for (uint32_t i = 0; i < TP_POOL_N; i++) {
    tp_pool_scrub(tp_pool_table[i], tp_pool_table[i]->capacity / 128u + 1);
  }
}
