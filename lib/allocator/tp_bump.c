// SPDX-License-Identifier: MIT
#include "allocator/tp_bump.h"

TP_NORETURN void tp_bump_raise_closed(const struct tp_region *region,
                                      tp_site_t site)
{
  tp_raise_misuse(TP_FAULT_CLOSED, region->name, region, 0, 0, site);
}

void *tp_bump_raise_size(const struct tp_region *region, size_t size,
                         size_t align, tp_site_t site)
{
  tp_raise_misuse(TP_FAULT_SIZE, region->name, region->storage, (uint32_t)size,
                  (uint32_t)align, site);
  return NULL;
}

void *tp_bump_refuse(const struct tp_region *region, struct tp_bump *bump,
                     size_t size, tp_site_t site)
{
  enum tp_fault_kind kind = TP_FAULT_FULL;
  tp_region_check(region, site);
  if (TP_MISUSE(size > region->bytes)) {
    kind = TP_FAULT_LARGE;
  } else {
    bump->refused++;
    if (region->full == TP_FULL_DROP) return NULL;
  }
  tp_raise_misuse(kind, region->name, region->storage, (uint32_t)size,
                  region->bytes, site);
  return NULL;
}

static enum tp_fault_kind wrong_mark(const struct tp_marks *marks,
                                     const struct tp_mark *mark, uint32_t used)
{
  if (mark->owner != marks || mark->used > used) return TP_FAULT_MARK;
  return mark->child != marks->child ? TP_FAULT_CHILD : TP_FAULT_ORDER;
}

void tp_bump_raise_mark(const struct tp_region *region,
                        const struct tp_marks *marks,
                        const struct tp_mark *mark, uint32_t used,
                        tp_site_t site)
{
  enum tp_fault_kind wrong = wrong_mark(marks, mark, used);
  bool names_child = wrong == TP_FAULT_CHILD && marks->child;
  const char *name = names_child ? *marks->child : region->name;
  bool order = wrong == TP_FAULT_ORDER;
  tp_raise_misuse(wrong, name, region->storage,
                  order ? mark->serial : mark->used,
                  order ? marks->newest : used, site);
}

void tp_bump_stats(const struct tp_bump *bump, struct tp_stats *stats)
{
  tp_clear_words(stats, sizeof *stats);
  stats->live = bump->used;
  stats->peak = bump->peak;
  stats->refused = bump->refused;
}
