// SPDX-License-Identifier: MIT
#include "tp_soak.h"

enum { SECOND = 60, SCRUB_SHIFT = 7 };

static struct tp_soak *running;
static struct tp_use uses[TP_RECORD_NO_POOL];
static uint32_t shown[TP_RECORD_NO_POOL];  // Most that a picture was of.

void tp_soak_begin(struct tp_soak *soak)
{
  running = soak;
  tp_soak_arguments(soak);
  const struct tp_record_hello hello = {
      .registry = soak->registry,
      .board = soak->board,
      .seed = soak->seed,
      .frames = soak->frames,
      .checks = soak->checks,
  };
  tp_record_hello(&hello);
}

static void verify(uint32_t index)
{
  struct tp_finding finding;
  if (tp_entry_verify(running->registry->entries[index], &finding)) return;
  tp_record_audit(tp_clock_now, index, finding.slot,
                  tp_record_broken(&finding));
}

static void report_use(uint32_t index)
{
  const struct tp_entry *entry = running->registry->entries[index];
  struct tp_stats stats;
  tp_entry_stats(entry, &stats);
  tp_record_use(tp_entry_capacity(entry), &stats, &uses[index]);
  tp_use_restart(&uses[index], stats.live);
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
  const struct tp_registry *registry = soak->registry;
  struct tp_record_moment moment = moment_of(soak);
  for (uint32_t i = 0; i < registry->count; i++) verify(i);
  tp_record_sample(&moment, registry->count);
  for (uint32_t i = 0; i < registry->count; i++) report_use(i);
  tp_record_end();
}

void tp_soak_frame(struct tp_soak *soak)
{
  bool worse = false;
  for (uint32_t i = 0; i < soak->registry->count; i++) {
    const struct tp_entry *entry = soak->registry->entries[i];
    uint32_t live = tp_entry_live(entry);
    tp_entry_scrub(entry, SCRUB_SHIFT);
    tp_use_note(&uses[i], live, tp_entry_capacity(entry));
    worse |= live > shown[i];
  }
  if (worse) tp_picture_worst(soak->registry, shown);
  if (soak->picture_every && soak->frame % soak->picture_every == 0) {
    tp_picture_send();
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
  tp_picture_send();
  tp_record_fault(record, tp_registry_find(running->registry, record->name));
  tp_soak_exit(1);
}
