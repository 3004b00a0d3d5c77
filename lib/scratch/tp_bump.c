// SPDX-License-Identifier: MIT
#include "scratch/tp_bump.h"

#include "check/tp_misuse.h"

#define DOES_NOT_FIT UINT32_MAX

bool tp_region_closed(const struct tp_region *region, const void *caller)
{
  if (!TP_MISUSE(region->bytes == 0)) return false;
  tp_blame_misuse(TP_FAULT_CLOSED, region->name, region, 0, 0, caller);
  return true;
}

// What is wrong with a request, whatever is free.
static enum tp_fault_kind wrong_request(const struct tp_region *region,
                                        size_t size, size_t align)
{
  if (size == 0 || align == 0 || (align & (align - 1))) return TP_FAULT_SIZE;
  return size > region->bytes ? TP_FAULT_LARGE : TP_FAULT_NONE;
}

static uint32_t free_bytes(const struct tp_side *side)
{
  uint32_t other = side->other ? side->other->used : 0;
  return side->region->bytes - side->bump->used - other;
}

// Where a word at [offset], seen from the end of [side], begins.
static uint32_t from_low(const struct tp_side *side, uint32_t offset)
{
  return side->end == TP_LOW ? offset : side->region->bytes - offset;
}

// The address up to which [side] has grown.
static uintptr_t top_of(const struct tp_side *side)
{
  return (uintptr_t)side->storage + from_low(side, side->bump->used);
}

// The address of [size] bytes that end [taken] bytes beyond the top.
static void *object_at(const struct tp_side *side, uint32_t taken,
                       uint32_t size)
{
  uintptr_t top = top_of(side);
  return (void *)(side->end == TP_LOW ? top + taken - size : top - taken);
}

static uint32_t whole_words(uint32_t size)
{
  return (size + 3) & ~UINT32_C(3);
}

// Bytes that [size] bytes at a multiple of [align] take, with what has to be
// skipped. Compares before it adds, so that nothing wraps.
static uint32_t taken_by(const struct tp_side *side, size_t size, size_t align)
{
  uint32_t room = free_bytes(side);
  if (size > room) return DOES_NOT_FIT;
  uint32_t words = whole_words((uint32_t)size);
  uintptr_t top = top_of(side);
  uintptr_t mask = (align < 4 ? 4 : align) - 1;
  uintptr_t skipped = (side->end == TP_LOW ? -top : top - words) & mask;
  return skipped > room - words ? DOES_NOT_FIT : words + (uint32_t)skipped;
}

// Offsets [from] to [to] belonged to somebody, and since then to nobody.
static void verify_words(const struct tp_side *side, uint32_t from, uint32_t to,
                         const void *caller)
{
  const tp_word_t *words = side->storage + from / 4;
  if (from >= to) return;
  uint32_t intact = tp_misuse_intact(words, (to - from) / 4, TP_POISON);
  if (intact == (to - from) / 4) return;
  tp_blame_misuse(TP_FAULT_POISON, side->region->name, words + intact,
                  words[intact], TP_POISON, caller);
}

// Looks at the next [taken] bytes as far as either end ever reached.
static void verify(const struct tp_side *side, uint32_t taken,
                   const void *caller)
{
  uint32_t bytes = side->region->bytes;
  uint32_t top = from_low(side, side->bump->used);
  uint32_t from = side->end == TP_LOW ? top : top - taken;
  uint32_t own = from_low(side, side->bump->peak);
  uint32_t other = side->other ? side->other->peak : 0;
  uint32_t low = side->end == TP_LOW ? own : other;
  uint32_t high = side->end == TP_LOW ? bytes - other : own;
  verify_words(side, from, low < from + taken ? low : from + taken, caller);
  verify_words(side, high > from ? high : from, from + taken, caller);
}

static void *refuse(const struct tp_side *side, size_t size, const void *caller)
{
  const struct tp_region *region = side->region;
  side->bump->refused++;
  if (region->full == TP_FULL_REFUSE) return NULL;
  tp_blame_misuse(TP_FAULT_FULL, region->name, side->storage, (uint32_t)size,
                  free_bytes(side), caller);
  return NULL;
}

// Issues the next [taken] bytes, the far [size] of them as an object.
static void *issue(const struct tp_side *side, uint32_t taken, uint32_t size,
                   const void *caller)
{
  struct tp_bump *bump = side->bump;
  void *object = object_at(side, taken, size);
  verify(side, taken, caller);
  tp_misuse_fill(object, size / 4, TP_POISON_NEW);
  bump->used += taken;
  if (bump->peak < bump->used) bump->peak = bump->used;
  return object;
}

void *tp_bump_alloc(const struct tp_side *side, size_t size, size_t align,
                    const void *caller)
{
  const struct tp_region *region = side->region;
  enum tp_fault_kind wrong = wrong_request(region, size, align);
  if (tp_region_closed(region, caller)) return NULL;
  if (TP_MISUSE(wrong)) {
    tp_blame_misuse(wrong, region->name, side->storage, (uint32_t)size,
                    wrong == TP_FAULT_SIZE ? (uint32_t)align : region->bytes,
                    caller);
    return NULL;
  }
  uint32_t taken = taken_by(side, size, align);
  if (taken == DOES_NOT_FIT) return refuse(side, size, caller);
  return issue(side, taken, whole_words((uint32_t)size), caller);
}

void tp_bump_shrink(const struct tp_side *side, uint32_t used)
{
  uint32_t gone = side->bump->used - used;
  uint32_t top = from_low(side, side->bump->used);
  uint32_t from = side->end == TP_LOW ? top - gone : top;
  tp_misuse_fill(side->storage + from / 4, gone / 4, TP_POISON);
  side->bump->used = used;
}

// A mark of what lies below [used] bytes, from now on the newest.
static struct tp_mark new_mark(const struct tp_side *side, uint32_t used)
{
  struct tp_marks *marks = side->marks;
  struct tp_mark mark = {.owner = marks,
                         .used = used,
                         .serial = marks->serial + 1,
                         .older = marks->newest,
                         .child = marks->child};
  marks->serial = mark.serial;
  marks->newest = mark.serial;
  return mark;
}

struct tp_mark tp_bump_mark(const struct tp_side *side, const void *caller)
{
  if (tp_region_closed(side->region, caller)) return (struct tp_mark){0};
  return new_mark(side, side->bump->used);
}

struct tp_mark tp_bump_adopt(const struct tp_side *side, uint32_t used,
                             const char *const *child)
{
  struct tp_mark mark = new_mark(side, used);
  side->marks->child = child;
  return mark;
}

void tp_bump_go_back(const struct tp_side *side, const struct tp_mark *mark)
{
  tp_bump_shrink(side, mark->used);
  side->marks->newest = mark->older;
  side->marks->child = mark->child;
}

// What is wrong with releasing [mark] now.
static enum tp_fault_kind wrong_mark(const struct tp_side *side,
                                     const struct tp_mark *mark)
{
  const struct tp_marks *marks = side->marks;
  if (mark->owner != marks) return TP_FAULT_MARK;
  if (mark->used > side->bump->used) return TP_FAULT_MARK;
  if (mark->child != marks->child) return TP_FAULT_CHILD;
  return mark->serial == marks->newest ? TP_FAULT_NONE : TP_FAULT_ORDER;
}

static void blame_mark(const struct tp_side *side, const struct tp_mark *mark,
                       enum tp_fault_kind wrong, const void *caller)
{
  const struct tp_marks *marks = side->marks;
  bool names_child = wrong == TP_FAULT_CHILD && marks->child;
  const char *name = names_child ? *marks->child : side->region->name;
  bool order = wrong == TP_FAULT_ORDER;
  tp_blame_misuse(wrong, name, side->storage, order ? mark->serial : mark->used,
                  order ? marks->newest : side->bump->used, caller);
}

void tp_bump_release(const struct tp_side *side, const struct tp_mark *mark,
                     const void *caller)
{
  if (tp_region_closed(side->region, caller)) return;
  enum tp_fault_kind wrong = wrong_mark(side, mark);
  if (TP_MISUSE(wrong)) {
    blame_mark(side, mark, wrong, caller);
    return;
  }
  tp_bump_go_back(side, mark);
}

void tp_bump_clear(const struct tp_side *side, const void *caller)
{
  struct tp_marks *marks = side->marks;
  struct tp_mark bottom = {.owner = marks};
  if (tp_region_closed(side->region, caller)) return;
  if (TP_MISUSE(marks->child)) {
    blame_mark(side, &bottom, TP_FAULT_CHILD, caller);
    return;
  }
  tp_bump_shrink(side, 0);
  marks->newest = 0;
}
