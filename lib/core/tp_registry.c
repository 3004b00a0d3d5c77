// SPDX-License-Identifier: MIT
// The list of all allocators, and pools as one of its kinds.
#include "core/tp_registry.h"

#include "check/tp_shadow.h"
#include "core/tp_words.h"

static uint32_t capacity(const void *pool)
{
  return ((const struct tp_pool *)pool)->capacity;
}

static uint32_t live(const void *pool)
{
  return tp_pool_live((const struct tp_pool *)pool);
}

static void stats_of(const void *pool, struct tp_stats *stats)
{
  tp_pool_stats((const struct tp_pool *)pool, stats);
}

static bool verify(const void *pool, struct tp_finding *finding)
{
  return tp_pool_verify((const struct tp_pool *)pool, finding);
}

static void scrub(const void *pool, uint32_t budget, tp_site_t site)
{
  tp_pool_scrub_for((const struct tp_pool *)pool, budget, site);
}

const struct tp_kind tp_pool_kind = {
    .name = "pool",
    .unit = "slots",
    .capacity = capacity,
    .live = live,
    .stats = stats_of,
    .verify = verify,
    .scrub = scrub TP_SHADOW(tp_pool_shadow),
};

uint32_t tp_entry_live(const struct tp_entry *entry)
{
  struct tp_stats stats;
  if (entry->kind->live) return entry->kind->live(entry->allocator);
  tp_entry_stats(entry, &stats);
  return stats.live;
}

// Did scenes write its descriptor, and somebody else since?
static bool is_broken(const struct tp_entry *entry)
{
  return TP_MISUSE(entry->seal && !tp_seal_verify(entry->seal));
}

bool tp_entry_verify(const struct tp_entry *entry, struct tp_finding *finding)
{
  if (!is_broken(entry)) {
    return entry->kind->verify(entry->allocator, finding);
  }
  finding->broken = TP_BROKEN_OTHER;
  finding->slot = 0;
  return false;
}

TP_NOINLINE void tp_entry_scrub(const struct tp_entry *entry, uint32_t shift)
{
  tp_site_t site = tp_site(NULL);
  if (is_broken(entry)) tp_seal_check_for(entry->seal, site);
  uint32_t slots = tp_entry_capacity(entry);
  if (!entry->kind->scrub || slots == 0) return;
  entry->kind->scrub(entry->allocator, (slots >> shift) + 1, site);
}

uint32_t tp_registry_find(const struct tp_registry *registry, const char *name)
{
  uint32_t index = 0;
  while (index < registry->count &&
         !tp_text_same(registry->entries[index]->name, name)) {
    index++;
  }
  return index;
}
