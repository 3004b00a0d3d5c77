// SPDX-License-Identifier: MIT
// tp_ends.h - a double-ended stack: two stacks that grow toward each other in
// one region. One end for what lives as long as the level, say, the other for
// what is temporary. Each end has marks of its own; neither moves the other.
#ifndef TP_ENDS_H
#define TP_ENDS_H

#include "allocator/tp_region.h"

#ifdef __cplusplus
extern "C" {
#endif

struct tp_ends_state {
  struct tp_bump bump[2];  // By enum tp_end.
  struct tp_marks marks[2];
};

// Zeroed state is empty: there is no init function.
struct tp_ends {
  struct tp_region region;
  struct tp_ends_state *state;
};

// [size] bytes at [end] of [ends], at a multiple of [align], a power of two.
//
// The bytes are what was there before (TP_POISON_NEW from poison up).
//
// Returns  the memory. NULL iff it does not fit between the two ends and the
//          region refuses.
// Faults   as tp_stack_alloc(). SIZE also for an end that is none.
// Time     O(1); O(size) from poison up. Nothing is locked.
// Context  One at a time, for both ends together.
void *tp_ends_alloc(const struct tp_ends *ends, enum tp_end end, size_t size,
                    size_t align);

// Remembers how far [end] has grown. Each mark is released once, the newest of
// its end first.
//
// Faults   SIZE, CLOSED.
// Time     O(1).
// Context  As tp_ends_alloc().
struct tp_mark tp_ends_mark(const struct tp_ends *ends, enum tp_end end);

// Gives back everything allocated at [end] since [mark].
//
// Faults   as tp_stack_release(). A mark of the other end is a foreign one.
// Time     O(1); O(bytes) from poison up.
// Context  As tp_ends_alloc().
void tp_ends_release(const struct tp_ends *ends, enum tp_end end,
                     struct tp_mark mark);

// Gives everything back that was allocated at [end].
//
// Faults   CHILD, SIZE, CLOSED.
// Time     O(1); O(bytes) from poison up.
// Context  As tp_ends_alloc().
void tp_ends_clear(const struct tp_ends *ends, enum tp_end end);

// Bytes between the two ends.
static inline uint32_t tp_ends_free_bytes(const struct tp_ends *ends)
{
  const struct tp_bump *bump = ends->state->bump;
  return ends->region.bytes - bump[TP_LOW].used - bump[TP_HIGH].used;
}

// As of a stack, for one end.
static inline uint32_t tp_ends_used(const struct tp_ends *ends, enum tp_end end)
{
  return ends->state->bump[end].used;
}

static inline uint32_t tp_ends_peak(const struct tp_ends *ends, enum tp_end end)
{
  return ends->state->bump[end].peak;
}

static inline uint32_t tp_ends_refused(const struct tp_ends *ends,
                                       enum tp_end end)
{
  return ends->state->bump[end].refused;
}

// Declares double-ended stack [name] and its calls.
#define TP_ENDS_DECLARE(name)                                            \
  extern const struct tp_ends name##_ends;                               \
  TP_CALL void *name##_alloc(enum tp_end end, size_t size, size_t align) \
  {                                                                      \
    return tp_ends_alloc(&name##_ends, end, size, align);                \
  }                                                                      \
  TP_CALL struct tp_mark name##_mark(enum tp_end end)                    \
  {                                                                      \
    return tp_ends_mark(&name##_ends, end);                              \
  }                                                                      \
  TP_CALL void name##_release(enum tp_end end, struct tp_mark mark)      \
  {                                                                      \
    tp_ends_release(&name##_ends, end, mark);                            \
  }                                                                      \
  TP_STATIC_ASSERT(1, "")

// Defines it: C only. As TP_STACK_DEFINE().
#define TP_ENDS_DEFINE(id, size_bytes, bank, ...)                       \
  TP_REGION_ASSERT(id, size_bytes);                                     \
  _Alignas(8) bank static tp_word_t id##_storage[(size_bytes) / 4];     \
  static struct tp_ends_state id##_state;                               \
  const struct tp_ends id##_ends = {.state = &id##_state,               \
                                    .region = {.storage = id##_storage, \
                                               .name = #id,             \
                                               .bytes = (size_bytes),   \
                                               __VA_ARGS__}}

#ifdef __cplusplus
}
#endif

#endif
