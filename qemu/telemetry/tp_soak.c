// SPDX-License-Identifier: MIT
#include "tp_soak.h"

#include "core/tp_totals.h"

enum { SECOND = 60, SCRUB_FRAMES = 128 };

static struct tp_soak *running;
static struct tp_record_usage usages[TP_SOAK_POOLS_MAX];
static struct tp_use uses[TP_SOAK_POOLS_MAX];

// Read off the descriptor, so that no policy is linked for its name alone.
static uint8_t policy_of(const struct tp_pool *pool)
{
  if (pool->refuses) return TP_RECORD_DROP;
  if (pool->takes_foreign) return TP_RECORD_SPILL;
  return pool->age ? TP_RECORD_STEAL_OLDEST : TP_RECORD_ASSERT;
}

static struct tp_record_pool describe(uint32_t index)
{
  const struct tp_pool *pool = running->pools[index];
  return (struct tp_record_pool){
      .name = pool->name,
      .capacity = pool->capacity,
      .stride = pool->stride,
      .policy = policy_of(pool),
  };
}

void tp_soak_begin(struct tp_soak *soak)
{
  running = soak;
  tp_soak_arguments(soak);
  const struct tp_record_hello hello = {
      .seed = soak->seed,
      .config = soak->config,
      .frames = soak->frames,
      .checks = soak->checks,
      .pools = (uint8_t)soak->count,
      .pool = describe,
  };
  tp_record_hello(&hello);
}

static void report_pool(uint32_t index)
{
  const struct tp_pool *pool = running->pools[index];
  struct tp_record_usage *usage = &usages[index];
  struct tp_stats stats;
  struct tp_finding finding;
  if (!tp_pool_verify(pool, &finding)) {
    tp_record_audit(tp_clock_now, index, finding.slot, "the pool is broken");
  }
  tp_pool_stats(pool, &stats);
  usage->live = stats.live;
  usage->peak = stats.peak;
  usage->allocs = stats.allocs;
  usage->frees = stats.frees;
  usage->steals = stats.steals;
  usage->refused = stats.refused;
  usage->spills = stats.spills;
  usage->low = uses[index].low;
  usage->high = uses[index].high;
  usage->full_frames = uses[index].full_frames;
}

static struct tp_record_moment moment_of(const struct tp_soak *soak)
{
  return (struct tp_record_moment){
      .frame = soak->frame,
      .hash = soak->hash,
      .interrupts = soak->interrupts,
  };
}

static void report(const struct tp_soak *soak)
{
  struct tp_record_moment moment = moment_of(soak);
  for (uint32_t i = 0; i < soak->count; i++) report_pool(i);
  tp_record_sample(&moment, usages, soak->count);
  for (uint32_t i = 0; i < soak->count; i++) {
    tp_use_restart(&uses[i], usages[i].live);
  }
}

void tp_soak_frame(struct tp_soak *soak)
{
  for (uint32_t i = 0; i < soak->count; i++) {
    const struct tp_pool *pool = soak->pools[i];
    tp_pool_scrub(pool, pool->capacity / (uint32_t)SCRUB_FRAMES + 1);
    tp_use_note(&uses[i], tp_pool_live(pool), pool->capacity);
  }
  tp_clock_now = ++soak->frame;
  if (soak->frame % SECOND == 0) report(soak);
}

void tp_soak_end(struct tp_soak *soak)
{
  struct tp_record_moment moment = moment_of(soak);
  if (soak->frame % SECOND) report(soak);
  tp_record_done(&moment);
  tp_soak_exit(0);
}

void tp_soak_fault(const struct tp_fault_record *record)
{
  uint32_t index = 0;
  while (index < running->count && running->pools[index] != record->pool) {
    index++;
  }
  tp_record_fault(record, index < running->count ? index : TP_RECORD_NO_POOL);
  tp_soak_exit(1);
}
