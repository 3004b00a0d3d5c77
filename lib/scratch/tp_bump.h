// SPDX-License-Identifier: MIT
// tp_bump.h - internal: one end of a region, written once for stacks,
// double-ended stacks, frames and what a nest carves.
#ifndef TP_BUMP_H
#define TP_BUMP_H

#include "scratch/tp_ends.h"
#include "scratch/tp_stack.h"

#ifdef __cplusplus
extern "C" {
#endif

// The end that a call is about.
struct tp_side {
  const struct tp_region *region;
  tp_word_t *storage;  // Where the region's bytes lie.
  struct tp_bump *bump;
  const struct tp_bump *other;  // Of the end it grows toward. NULL: none.
  struct tp_marks *marks;       // NULL: it has none.
  enum tp_end end;
};

static inline struct tp_side tp_side_of_stack(const struct tp_stack *stack)
{
  struct tp_stack_state *state = stack->state;
  return (struct tp_side){.region = &stack->region,
                          .storage = stack->region.storage,
                          .bump = &state->bump,
                          .other = NULL,
                          .marks = &state->marks,
                          .end = TP_LOW};
}

static inline struct tp_side tp_side_of_ends(const struct tp_ends *ends,
                                             enum tp_end end)
{
  struct tp_ends_state *state = ends->state;
  return (struct tp_side){.region = &ends->region,
                          .storage = ends->region.storage,
                          .bump = &state->bump[end],
                          .other = &state->bump[1 - end],
                          .marks = &state->marks[end],
                          .end = end};
}

// The calls of tp_stack.h, for any side. [caller] goes into the fault record.
void *tp_bump_alloc(const struct tp_side *side, size_t size, size_t align,
                    const void *caller);
struct tp_mark tp_bump_mark(const struct tp_side *side, const void *caller);
void tp_bump_release(const struct tp_side *side, const struct tp_mark *mark,
                     const void *caller);
void tp_bump_clear(const struct tp_side *side, const void *caller);

// Gives back what lies above [used] bytes. Checks nothing.
void tp_bump_shrink(const struct tp_side *side, uint32_t used);

// The mark under a child of a nest, of name [child], that lies above [used]
// bytes; and going back to it, or to any other. They check nothing.
struct tp_mark tp_bump_adopt(const struct tp_side *side, uint32_t used,
                             const char *const *child);
void tp_bump_go_back(const struct tp_side *side, const struct tp_mark *mark);

// Is [region] closed? Then it was blamed.
bool tp_region_closed(const struct tp_region *region, const void *caller);

#ifdef __cplusplus
}
#endif

#endif
