// SPDX-License-Identifier: MIT
// tp_stack.h - objects of any size, given back in reverse order: to a mark, or
// the last alone.
//
//   struct tp_mark before = level_mark();
//   struct cell *cells = level_alloc(sizeof(struct cell) * count, 8);
//   ...
//   level_release(before);
#ifndef TP_STACK_H
#define TP_STACK_H

#include "allocator/tp_region.h"

#ifdef __cplusplus
extern "C" {
#endif

struct tp_stack_state {
  struct tp_bump bump;
  struct tp_marks marks;
};

// Zeroed state is an empty stack: there is no init function.
struct tp_stack {
  struct tp_region region;
  struct tp_stack_state *state;
};

// [size] bytes of [stack], at a multiple of [align], a power of two.
//
// The bytes are what was there before (TP_POISON_NEW from poison up), so
// initialise every field.
//
// Returns  the memory. NULL iff it does not fit and the stack refuses.
// Faults   SIZE: [size] is 0, or [align] is no power of two. LARGE: more bytes
//          than the stack has in all, unless a scene gives it none. FULL: it
//          does not fit, and .full is TP_FULL_ASSERT. CLOSED: a nest had it,
//          and closed it (all fast, but for FULL). POISON (poison): memory was
//          written to after it was given back; address is the word that was.
// Time     O(1); O(size) from poison up. Nothing is locked.
// Context  One at a time.
void *tp_stack_alloc(const struct tp_stack *stack, size_t size, size_t align);

// Remembers how full [stack] is.
//
// Every mark is released once, the newest first: until then no older one can
// be, so a release that was forgotten is found.
//
// Faults   CLOSED.
// Time     O(1).
// Context  As tp_stack_alloc().
struct tp_mark tp_stack_mark(const struct tp_stack *stack);

// Internal: tp_stack_release(), for a mark that is handed over by value lies
// where a fault looks for who called.
void tp_stack_release_mark(const struct tp_stack *stack,
                           const struct tp_mark *mark);

// Gives back everything allocated since [mark]. It becomes TP_POISON from
// poison up.
//
// Faults   MARK: it is of another allocator, or of a stack that was fuller than
//          it is. ORDER: it was released before, or is not the newest. CHILD:
//          a nest opened a child since; the record has its name. CLOSED. At
//          off nothing is checked.
// Time     O(1); O(bytes) from poison up.
// Context  As tp_stack_alloc().
static inline TP_CALL void tp_stack_release(const struct tp_stack *stack,
                                            struct tp_mark mark)
{
  tp_stack_release_mark(stack, &mark);
}

// Gives everything back; no mark made before may be released any more.
//
// Faults   CHILD, CLOSED.
// Time     O(1); O(bytes) from poison up.
// Context  As tp_stack_alloc().
void tp_stack_reset(const struct tp_stack *stack);

// tp_stack_alloc() of a block that tp_stack_free() takes back without a mark.
// It takes 16 bytes more, or [align] if that is more.
//
// Returns, Faults, Time, Context  as tp_stack_alloc().
void *tp_stack_alloc_block(const struct tp_stack *stack, size_t size,
                           size_t align);

// Takes back [block] of tp_stack_alloc_block(), which must be what was
// allocated last, with no mark since: then the one before it can be.
//
// Faults   FOREIGN: no block of this stack lies there. ORDER: it is none of
//          tp_stack_alloc_block(), or not the last, or was taken back before,
//          or a mark was made since or released that is older. CLOSED (all
//          fast). At off nothing is checked.
// Time     O(1); O(bytes) from poison up.
// Context  As tp_stack_alloc().
void tp_stack_free(const struct tp_stack *stack, void *block);

// Writes the figures of [stack] to [stats], in bytes with what alignments
// skipped; refused are requests. Allocs and frees are not counted.
//
// Time     O(1).
// Context  As tp_stack_alloc().
void tp_stack_stats(const struct tp_stack *stack, struct tp_stats *stats);

// A mark that is released where the block around it ends, however it is left
// (but for longjmp() and C++ exceptions, which C code does not see).
struct tp_stack_scope {
  const struct tp_stack *stack;
  struct tp_mark mark;
};

static inline void tp_stack_leave(struct tp_stack_scope *scope)
{
  tp_stack_release_mark(scope->stack, &scope->mark);
}

// As in  TP_STACK_SCOPE scope = {&level_stack, level_mark()};
#define TP_STACK_SCOPE \
  __attribute__((unused, cleanup(tp_stack_leave))) struct tp_stack_scope

#ifdef __cplusplus
}
#endif

#endif
