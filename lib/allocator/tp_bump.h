// SPDX-License-Identifier: MIT
// tp_bump.h - internal: one end of a region, written once for stacks,
// double-ended stacks, frames and what a nest carves.
//
// The same lines against constant parts of a side, which fold away. What is
// rare is out of line and gets no side, so that a side stays in registers.
#ifndef TP_BUMP_H
#define TP_BUMP_H

#include "check/tp_check.h"
#include "core/tp_words.h"
#include "allocator/tp_dstack.h"
#include "allocator/tp_stack.h"

// The end that a call is about.
struct tp_side {
  const struct tp_region *region;
  tp_word_t *storage;  // Where the region's bytes lie.
  struct tp_bump *bump;
  const struct tp_bump *other;  // Of the end it grows toward. NULL: none.
  struct tp_marks *marks;       // NULL: it has none.
  enum tp_end end;
};

#ifdef __cplusplus
extern "C" {
#endif

// A request that does not fit: one too large for the region, or closed, faults;
// any other is counted, and faults where the region must never be full. NULL.
//@ TP_REFUSES(region, bump, size);
void *tp_bump_refuse(const struct tp_region *region, struct tp_bump *bump,
                     size_t size, tp_site_t site);

// Faults with what is wrong with a request or a mark.
//@ TP_RAISES_OF(region);
TP_NORETURN void tp_bump_raise_size(const struct tp_region *region, size_t size,
                                    size_t align, tp_site_t site);
//@ TP_RAISES;
TP_NORETURN void tp_bump_raise_mark(const struct tp_region *region,
                                    const struct tp_marks *marks,
                                    const struct tp_mark *mark, uint32_t used,
                                    tp_site_t site);
//@ TP_RAISES_OF(region);
TP_NORETURN void tp_bump_raise_closed(const struct tp_region *region,
                                      tp_site_t site);

// [word], which says how full an end is, was written over: it holds [found].
//@ TP_RAISES_OF(region);
TP_NORETURN void tp_bump_raise_top(const struct tp_region *region,
                                   const void *word, uint32_t found,
                                   tp_site_t site);

// What marks say of a child whose name stands at [name], a whole word; and
// where that of the newest stands, NULL if there is none. Faults if it was
// written over.
uintptr_t tp_bump_child(const char *const *name);
const char *const *tp_bump_newest(const struct tp_region *region,
                                  const struct tp_marks *marks, tp_site_t site);

// Faults if [nest] was written over.
struct tp_nest;
void tp_nest_check(const struct tp_nest *nest, tp_site_t site);

// tp_stack_alloc_block() and tp_stack_free(), at any end. In front of a block
// stands what tp_bump_free() goes back to.
void *tp_bump_alloc_block(const struct tp_side *side, size_t size, size_t align,
                          tp_site_t site);
void tp_bump_free(const struct tp_side *side, void *block, tp_site_t site);

void tp_bump_stats(const struct tp_bump *bump, struct tp_stats *stats);

// 1 iff [word] has an odd number of ones, else 0.
uint32_t tp_bump_is_odd(uintptr_t word);

#ifdef __cplusplus
}
#endif

//@ TP_IS_OF_STACK(stack);
TP_INLINE struct tp_side tp_side_of_stack(const struct tp_stack *stack)
{
  struct tp_stack_state *state = stack->state;
  return (struct tp_side){
      .region = &stack->region,
      .storage = stack->region.storage,
      .bump = &state->bump,
      .other = NULL,
      .marks = &state->marks,
      .end = TP_LOW,
  };
}

//@ TP_IS_OF_DSTACK(dstack, end);
TP_INLINE struct tp_side tp_side_of_dstack(const struct tp_dstack *dstack,
                                           enum tp_end end)
{
  struct tp_dstack_state *state = dstack->state;
  return (struct tp_side){
      .region = &dstack->region,
      .storage = dstack->region.storage,
      .bump = &state->bump[end],
      .other = &state->bump[1 - end],
      .marks = &state->marks[end],
      .end = end,
  };
}

// Faults iff [region] is closed.
//@ TP_LOOKS(region->storage != \null, \valid_read(region));
TP_INLINE void tp_region_check(const struct tp_region *region, tp_site_t site)
{
  if (TP_MISUSE(!region->storage)) tp_bump_raise_closed(region, site);
}

// Bytes that [bump] peaked at.
//@ TP_SAYS(\valid_read(bump), bump->peak);
TP_INLINE uint32_t tp_bump_peak(const struct tp_bump *bump)
{
  return TP_AUDITED ? bump->peak & ~UINT32_C(1) : bump->peak;
}

// What is used has changed.
//@ assigns \nothing;
TP_INLINE void tp_bump_note_used(struct tp_bump *bump)
{
  if (!TP_AUDITED) return;
  bump->peak = tp_bump_peak(bump) | tp_bump_is_odd(bump->used);
}

// Was neither word written over, as far as bit 0 tells?
//@ assigns \nothing; ensures \result;
TP_INLINE bool tp_bump_agrees(const struct tp_bump *bump)
{
  return TP_AUDITED ? tp_bump_is_odd(bump->used) == (bump->peak & 1) : true;
}

// Are what [bump] says whole words within [room], and its peak in the region?
//@ TP_TELLS(TP_READS(region, bump), bump_whole(region, bump, room));
TP_INLINE bool tp_bump_is_whole(const struct tp_region *region,
                                const struct tp_bump *bump, uint32_t room)
{
  return bump->used % 4 == 0 && bump->used <= room &&
         bump->used <= bump->peak && tp_bump_peak(bump) <= region->bytes &&
         tp_bump_agrees(bump);
}

//@ TP_LOOKS(bump_whole(region, bump, room), TP_READS(region, bump));
TP_INLINE void tp_bump_check_one(const struct tp_region *region,
                                 const struct tp_bump *bump, uint32_t room,
                                 tp_site_t site)
{
  if (!TP_MISUSE(!tp_bump_is_whole(region, bump, room))) return;
  tp_bump_raise_top(region, &bump->used, bump->used, site);
}

//@ TP_SAYS_OF_WHOLE(side, end_room(side->region, side->bump, side->other));
TP_INLINE uint32_t tp_bump_free_bytes(const struct tp_side *side)
{
  uint32_t other = side->other ? side->other->used : 0;
  return side->region->bytes - side->bump->used - other;
}

// What lies [offset] bytes from the end, seen from the low one.
//@ TP_SAYS_FROM_LOW(side, offset);
TP_INLINE uint32_t tp_bump_from_low(const struct tp_side *side, uint32_t offset)
{
  return side->end == TP_LOW ? offset : side->region->bytes - offset;
}

#define TP_DOES_NOT_FIT UINT32_MAX

// Bytes that [size] bytes at a multiple of [align] take from [top] on, with
// what has to be skipped. Compares before it adds, so that nothing wraps.
//@ TP_TAKES(side, top, size, align);
TP_INLINE uint32_t tp_bump_taken(const struct tp_side *side, uintptr_t top,
                                 size_t size, size_t align)
{
  uint32_t room = tp_bump_free_bytes(side);
  if (size > room) return TP_DOES_NOT_FIT;
  uint32_t words = ((uint32_t)size + 3) & ~UINT32_C(3);
  //@ assert words: TP_IN_WORDS(side, size, words, room);
  uintptr_t mask = align - 1;
  uintptr_t skipped = (side->end == TP_LOW ? -top : top - words) & mask;
  //@ assert up: TP_SKIPS_UP(side, top, align, mask, skipped);
  //@ assert down: TP_SKIPS_DOWN(side, top, words, align, mask, skipped);
  //@ assert TP_TAKES_BOTH(side, top, size, align, room, words, skipped);
  if (skipped > room - words) return TP_DOES_NOT_FIT;
  return words + (uint32_t)skipped;
}

// Offsets [from] to [to] belonged to somebody, and since then to nobody.
//@ requires TP_SIDE_MEMORY(side); assigns \nothing;
TP_INLINE void tp_bump_verify_words(const struct tp_side *side, uint32_t from,
                                    uint32_t to, tp_site_t site)
{
  const tp_word_t *words = side->storage + from / 4;
  if (from >= to) return;
  uint32_t intact = tp_intact_words(words, (to - from) / 4, TP_POISON);
  if (intact == (to - from) / 4) return;
  tp_raise_misuse(TP_FAULT_POISON, side->region->name, words + intact,
                  words[intact], TP_POISON, site);
}

// Looks at the next [taken] bytes as far as either end ever reached.
//@ requires TP_SIDE_MEMORY(side); assigns \nothing;
TP_INLINE void tp_bump_verify(const struct tp_side *side, uint32_t taken,
                              tp_site_t site)
{
  uint32_t bytes = side->region->bytes;
  uint32_t top = tp_bump_from_low(side, side->bump->used);
  uint32_t from = side->end == TP_LOW ? top : top - taken;
  uint32_t to = from + taken;
  uint32_t own = tp_bump_from_low(side, tp_bump_peak(side->bump));
  uint32_t other = side->other ? tp_bump_peak(side->other) : 0;
  uint32_t low = side->end == TP_LOW ? own : other;
  uint32_t high = side->end == TP_LOW ? bytes - other : own;
  tp_bump_verify_words(side, from, low < to ? low : to, site);
  tp_bump_verify_words(side, high > from ? high : from, to, site);
}

//@ TP_CHECKS_END(side);
TP_INLINE void tp_bump_check_words(const struct tp_side *side, tp_site_t site)
{
  const struct tp_region *region = side->region;
  uint32_t bytes = region->bytes;
  tp_bump_check_one(region, side->bump, bytes, site);
  if (!side->other) return;
  tp_bump_check_one(region, side->other, bytes - side->bump->used, site);
}

// Faults iff the words that say how full the region is were written over: then
// nothing is given out, taken back or filled by them. At full, unless TP_AUDIT
// is 0, also iff what was in use and no longer is was written to.
//@ TP_CHECKS_END(side);
TP_INLINE void tp_bump_check(const struct tp_side *side, tp_site_t site)
{
  tp_bump_check_words(side, site);
  if (TP_AUDITED) tp_bump_verify(side, tp_bump_free_bytes(side), site);
}

// tp_bump_alloc() where TP_AS_IT_LIES makes it short: at a low end with no
// other. False: it does not fit or something is wrong; tp_bump_alloc() tells.
// The sum of -[size] and the bytes wraps iff the words are not 0 and not more.
// What is used, rotated, is above any peak where it is no whole words; else it
// is a quarter of itself, and nothing below wraps; if too much, so is the top.
//@ TP_PUSHES(side, size, align, object);
TP_INLINE bool tp_bump_push(const struct tp_side *side, size_t size,
                            size_t align, void **object)
{
  struct tp_bump *bump = side->bump;
  uintptr_t storage = (uintptr_t)side->storage;
  uintptr_t bytes = side->region->bytes;
  uint32_t used = bump->used;
  uintptr_t peak = bump->peak;
  uintptr_t less = -(uintptr_t)size & ~(uintptr_t)3;
  uintptr_t mask = align - 1;
  //@ assert bits: TP_PUSH_BITS(size, align, used, less);
  TP_LOADED(used, peak);
  TP_KEEP(storage);
  TP_KEEP(mask);
  if (!TP_LIKELY(bytes + less < bytes)) return false;
  if (TP_MISUSE(peak > bytes)) return false;
  if (TP_MISUSE((used >> 2 | used << 30) > peak)) return false;
  if (TP_MISUSE(align == 0)) return false;
  if (TP_MISUSE(align & mask)) return false;
  uintptr_t at = (storage + used + mask) & ~mask;
  uintptr_t top = at - less - storage;
  //@ assert pushed: TP_PUSHED(side, size, align, used, less, mask, at, top);
  //@ assert lies: TP_PUSHED_AT(side, size, align, used, at, top);
  if (!TP_LIKELY(top <= peak)) {
    if (top > bytes) return false;
    if (TP_MISUSE(used > peak)) return false;
    bump->peak = (uint32_t)top;
  }
  bump->used = (uint32_t)top;
  *object = (void *)at;
  return true;
}

// tp_stack_alloc(), at any end. [site] goes into the fault record.
//@ TP_ALLOCATES_SIDE(side, size, align);
TP_INLINE void *tp_bump_alloc(const struct tp_side *side, size_t size,
                              size_t align, tp_site_t site)
{
  struct tp_bump *bump = side->bump;
  //@ assert power: align != 0 ==> TP_TESTS_POWER(align);
  if (TP_MISUSE(size == 0 || align == 0 || (align & (align - 1)))) {
    tp_bump_raise_size(side->region, size, align, site);
  }
  if (tp_hook_refuses(side->region->name, site)) return NULL;
  tp_bump_check(side, site);
  uintptr_t top = (uintptr_t)side->storage + tp_bump_from_low(side, bump->used);
  uint32_t taken = tp_bump_taken(side, top, size, align);
  if (!TP_LIKELY(taken != TP_DOES_NOT_FIT)) {
    return tp_bump_refuse(side->region, bump, size, site);
  }
  uint32_t words = ((uint32_t)size + 3) / 4;
  //@ assert lies: TP_LIES(side, size, align, top, taken, words);
  void *object =
      (void *)(side->end == TP_LOW ? top + taken - words * 4 : top - taken);
  //@ assert given: TP_GIVEN(side, size, align, taken, object);
  tp_bump_verify(side, taken, site);
  tp_fill_words(object, words, TP_POISON_NEW);
  bump->used += taken;
  if (bump->peak < bump->used) bump->peak = bump->used;
  tp_bump_note_used(bump);
  return object;
}

// Gives back what lies above [used] bytes. Checks nothing.
//@ TP_SHRINKS(side, used);
TP_INLINE void tp_bump_shrink(const struct tp_side *side, uint32_t used)
{
  uint32_t gone = side->bump->used - used;
  uint32_t top = tp_bump_from_low(side, side->bump->used);
  uint32_t from = side->end == TP_LOW ? top - gone : top;
  tp_fill_words(side->storage + from / 4, gone / 4, TP_POISON);
  side->bump->used = used;
  tp_bump_note_used(side->bump);
}

// A mark of what lies below [used] bytes, from now on the newest.
//@ TP_MARKS(side, used);
TP_INLINE struct tp_mark tp_bump_mark(const struct tp_side *side, uint32_t used)
{
  struct tp_marks *marks = side->marks;
  struct tp_mark mark = {
      .owner = marks,
      .used = used,
      .serial = marks->serial + 1,
      .older = marks->newest,
      .child = marks->child,
  };
  marks->serial = mark.serial;
  marks->newest = mark.serial;
  return mark;
}

// What was made so far is gone: no mark of it is the newest, nor the one that
// was when a block of it was made.
//@ TP_OUTDATES(marks);
TP_INLINE void tp_bump_outdate(struct tp_marks *marks)
{
  marks->serial++;
  marks->newest = marks->serial;
}

// Goes back to [mark]. Checks nothing.
//@ TP_GOES_BACK(side, mark);
TP_INLINE void tp_bump_go_back(const struct tp_side *side,
                               const struct tp_mark *mark)
{
  tp_bump_shrink(side, mark->used);
  side->marks->newest = mark->older;
  side->marks->child = mark->child;
}

// Is [mark] of this end, the newest, and not above the top? Then no child of a
// nest lies above it: that would have a newer one.
//@ TP_TELLS_NEWEST(side, mark);
TP_INLINE bool tp_bump_is_newest(const struct tp_side *side,
                                 const struct tp_mark *mark)
{
  const struct tp_marks *marks = side->marks;
  return mark->owner == marks && mark->serial == marks->newest &&
         mark->used <= side->bump->used;
}

//@ TP_RELEASES(side, mark);
TP_INLINE void tp_bump_release(const struct tp_side *side,
                               const struct tp_mark *mark, tp_site_t site)
{
  tp_hook_frees(side->region->name, site);
  tp_region_check(side->region, site);
  tp_bump_check(side, site);
  if (TP_MISUSE(!tp_bump_is_newest(side, mark))) {
    tp_bump_raise_mark(side->region, side->marks, mark, side->bump->used, site);
  }
  tp_bump_go_back(side, mark);
}

//@ TP_RESETS(side);
TP_INLINE void tp_bump_reset(const struct tp_side *side, tp_site_t site)
{
  struct tp_marks *marks = side->marks;
  tp_hook_frees(side->region->name, site);
  tp_region_check(side->region, site);
  tp_bump_check(side, site);
  if (TP_MISUSE(marks->child)) {
    struct tp_mark bottom;
    tp_clear_words(&bottom, sizeof bottom);
    bottom.owner = marks;
    tp_bump_raise_mark(side->region, marks, &bottom, side->bump->used, site);
  }
  tp_bump_shrink(side, 0);
  tp_bump_outdate(marks);
}

#endif
