// SPDX-License-Identifier: MIT
// tp_dstack.h - a double-ended stack: two stacks that grow toward each other in
// one region. One end for what lives as long as the level, say, the other for
// what is temporary. Each end has marks of its own; neither moves the other.
#ifndef TP_DSTACK_H
#define TP_DSTACK_H

#include "allocator/tp_region.h"

#ifdef __cplusplus
extern "C" {
#endif

struct tp_dstack_state {
  struct tp_bump bump[2];  // By enum tp_end.
  struct tp_marks marks[2];
};

// Zeroed state is empty: there is no init function.
struct tp_dstack {
  struct tp_region region;
  struct tp_dstack_state *state;
};

// [size] bytes at [end] of [dstack], at a multiple of [align], a power of two.
//
// The bytes are what was there before (TP_POISON_NEW from poison up).
//
// Returns  the memory. NULL iff it does not fit between the two ends and the
//          region refuses.
// Faults   as tp_stack_alloc(). SIZE also for an end that is none.
// Time     O(1); O(size) from poison up. Nothing is locked.
// Context  One at a time, for both ends together.
void *tp_dstack_alloc(const struct tp_dstack *dstack, enum tp_end end,
                      size_t size, size_t align);

// Remembers how far [end] has grown. Each mark is released once, the newest of
// its end first.
//
// Faults   SIZE, CLOSED.
// Time     O(1).
// Context  As tp_dstack_alloc().
struct tp_mark tp_dstack_mark(const struct tp_dstack *dstack, enum tp_end end);

// Internal: tp_dstack_release(), as tp_stack_release_mark().
void tp_dstack_release_mark(const struct tp_dstack *dstack, enum tp_end end,
                            const struct tp_mark *mark);

// Gives back everything allocated at [end] since [mark].
//
// Faults   as tp_stack_release(). A mark of the other end is a foreign one.
// Time     O(1); O(bytes) from poison up.
// Context  As tp_dstack_alloc().
static inline TP_CALL void tp_dstack_release(const struct tp_dstack *dstack,
                                             enum tp_end end,
                                             struct tp_mark mark)
{
  tp_dstack_release_mark(dstack, end, &mark);
}

// Gives everything back that was allocated at [end].
//
// Faults   CHILD, SIZE, CLOSED.
// Time     O(1); O(bytes) from poison up.
// Context  As tp_dstack_alloc().
void tp_dstack_reset(const struct tp_dstack *dstack, enum tp_end end);

// As tp_dstack_alloc(), of a block that tp_dstack_free() takes back without a
// mark: tp_stack_alloc_block().
//
// Returns, Faults, Time, Context  as tp_dstack_alloc().
void *tp_dstack_alloc_block(const struct tp_dstack *dstack, enum tp_end end,
                            size_t size, size_t align);

// Takes back [block], the last of its [end].
//
// Faults   as tp_stack_free(). SIZE. A block of the other end is a foreign one.
// Time     O(1); O(bytes) from poison up.
// Context  As tp_dstack_alloc().
void tp_dstack_free(const struct tp_dstack *dstack, enum tp_end end,
                    void *block);

// Bytes between the two ends.
static inline uint32_t tp_dstack_room(const struct tp_dstack *dstack)
{
  const struct tp_bump *bump = dstack->state->bump;
  return dstack->region.bytes - bump[TP_LOW].used - bump[TP_HIGH].used;
}

// Writes the figures of [end] to [stats], as tp_stack_stats(). Their peaks need
// not have been at the same time.
//
// Faults   SIZE: there is no such end.
// Time     O(1).
// Context  As tp_dstack_alloc().
void tp_dstack_stats(const struct tp_dstack *dstack, enum tp_end end,
                     struct tp_stats *stats);

#ifdef __cplusplus
}
#endif

#endif
