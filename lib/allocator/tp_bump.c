// SPDX-License-Identifier: MIT
#include "allocator/tp_bump.h"

TP_NORETURN void tp_bump_raise_closed(const struct tp_region *region,
                                      tp_site_t site)
{
  tp_raise_misuse(TP_FAULT_CLOSED, region->name, region, 0, 0, site);
}

TP_NORETURN void tp_bump_raise_size(const struct tp_region *region, size_t size,
                                    size_t align, tp_site_t site)
{
  tp_raise_misuse(TP_FAULT_SIZE, region->name, region->storage, (uint32_t)size,
                  (uint32_t)align, site);
}

void *tp_bump_refuse(const struct tp_region *region, struct tp_bump *bump,
                     size_t size, tp_site_t site)
{
  enum tp_fault_kind kind = TP_FAULT_FULL;
  tp_region_check(region, site);
  if (TP_MISUSE(size > region->bytes && region->bytes != 0)) {
    kind = TP_FAULT_LARGE;
  } else {
    bump->refused++;
    tp_hook_full(region->name, site);
    if (region->full == TP_FULL_DROP) return NULL;
  }
  tp_raise_misuse(kind, region->name, region->storage, (uint32_t)size,
                  region->bytes, site);
  //@ assert raised: tp_raised > \at(tp_raised, Pre);
  //@ admit returned: \false;  // A fault does not come back.
}

TP_NORETURN void tp_bump_raise_top(const struct tp_region *region,
                                   const void *word, uint32_t found,
                                   tp_site_t site)
{
  tp_raise_misuse(TP_FAULT_INVARIANT, region->name, word, found, region->bytes,
                  site);
}

static enum tp_fault_kind wrong_mark(const struct tp_marks *marks,
                                     const struct tp_mark *mark, uint32_t used)
{
  if (mark->owner != marks || mark->used > used) return TP_FAULT_MARK;
  return mark->child != marks->child ? TP_FAULT_CHILD : TP_FAULT_ORDER;
}

uint32_t tp_bump_is_odd(uintptr_t word)
{
  uint32_t ones = 0;
  for (; word; word >>= 1) ones ^= word & 1u;
  return ones;
}

uintptr_t tp_bump_child(const char *const *name)
{
  uintptr_t place = (uintptr_t)name;
  return place | tp_bump_is_odd(place);
}

const char *const *tp_bump_newest(const struct tp_region *region,
                                  const struct tp_marks *marks, tp_site_t site)
{
  if (TP_MISUSE(tp_bump_is_odd(marks->child))) {
    tp_raise_misuse(TP_FAULT_INVARIANT, region->name, &marks->child,
                    (uint32_t)marks->child, 0, site);
  }
  return (const char *const *)(marks->child & ~(uintptr_t)1);
}

TP_NORETURN void tp_bump_raise_mark(const struct tp_region *region,
                                    const struct tp_marks *marks,
                                    const struct tp_mark *mark, uint32_t used,
                                    tp_site_t site)
{
  enum tp_fault_kind wrong = wrong_mark(marks, mark, used);
  const char *const *child = tp_bump_newest(region, marks, site);
  bool names_child = wrong == TP_FAULT_CHILD && child;
  const char *name = names_child ? *child : region->name;
  bool order = wrong == TP_FAULT_ORDER;
  tp_raise_misuse(wrong, name, region->storage,
                  order ? mark->serial : mark->used,
                  order ? marks->newest : used, site);
}

// What stands in front of a block.
struct front {
  uint32_t used;    // Before it was allocated,
  uint32_t top;     // and after.
  uint32_t newest;  // The newest mark then.
  uint32_t seal;    // Of its address and of what it goes back to: so it is one
                    // of a block, and as it was written.
};

static uint32_t seal_of(const void *block, uint32_t used)
{
  return (uint32_t)(uintptr_t)block + used * 5;
}

// From the front's own bytes on, or the alignment would move the block: as many
// as keep that.
static size_t front_bytes(size_t align)
{
  return align > sizeof(struct front) ? align : sizeof(struct front);
}

static struct front *front_of(void *block)
{
  return (struct front *)block - 1;
}

void *tp_bump_alloc_block(const struct tp_side *side, size_t size, size_t align,
                          tp_site_t site)
{
  size_t front = front_bytes(align);
  uint32_t used = side->bump->used;
  bool wraps = size > SIZE_MAX - front;
  if (TP_MISUSE(size == 0)) {
    tp_bump_raise_size(side->region, size, align, site);
  }
  size_t bytes = wraps ? SIZE_MAX : size + front;
  char *memory = (char *)tp_bump_alloc(side, bytes, align, site);
  if (!memory) return NULL;
  void *block = memory + front;
  *front_of(block) = (struct front){used, side->bump->used, side->marks->newest,
                                    seal_of(block, used)};
  return block;
}

// Does [block] lie where this end has one, as far as its address tells?
static bool may_be_block(const struct tp_side *side, const void *block)
{
  uint32_t used = side->bump->used;
  uint32_t low = side->end == TP_LOW ? 0 : side->region->bytes - used;
  uintptr_t offset = (uintptr_t)block - (uintptr_t)side->storage - low;
  return offset >= sizeof(struct front) && offset < used && offset % 4 == 0;
}

static bool is_last(const struct tp_side *side, void *block)
{
  const struct front *front = front_of(block);
  return front->seal == seal_of(block, front->used) &&
         front->top == side->bump->used && front->newest == side->marks->newest;
}

void tp_bump_free(const struct tp_side *side, void *block, tp_site_t site)
{
  const struct tp_region *region = side->region;
  tp_hook_frees(region->name, site);
  tp_region_check(region, site);
  tp_bump_check(side, site);
  if (TP_MISUSE(!may_be_block(side, block))) {
    tp_raise_misuse(TP_FAULT_FOREIGN, region->name, block, 0, 0, site);
  }
  if (TP_MISUSE(!is_last(side, block))) {
    tp_raise_misuse(TP_FAULT_ORDER, region->name, block, front_of(block)->top,
                    side->bump->used, site);
  }
  front_of(block)->top = 0;  // No block any more, whoever gets the bytes.
  tp_bump_shrink(side, front_of(block)->used);
}

void tp_bump_stats(const struct tp_bump *bump, struct tp_stats *stats)
{
  tp_clear_words(stats, sizeof *stats);
  stats->live = bump->used;
  stats->peak = tp_bump_peak(bump);
  stats->refused = bump->refused;
}
