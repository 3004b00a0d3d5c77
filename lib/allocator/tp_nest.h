// SPDX-License-Identifier: MIT
// tp_nest.h - allocators inside allocators, and the tree they make.
//
// The root is a double-ended stack: frames at one end, say, and at the other a
// stack that carries the pools of the scene. A child takes all its memory, its
// tags and other metadata too, from its parent when it is opened, and gives it
// back when it is closed, the newest child of an end first. So the bytes of a
// parent are those of its children, its own, and what is free.
//
//   static struct tp_nest level, sparks;
//
//   tp_nest_open_stack(&level, &root_nest, TP_HIGH, "level", 8192,
//                      TP_FULL_DROP);
//   tp_nest_open_pool(&sparks, &level, TP_LOW, "sparks", &row);
//   struct spark *spark = tp_pool_alloc(tp_nest_pool(&sparks));
//   ...
//   tp_nest_close(&sparks);
//   tp_nest_close(&level);
#ifndef TP_NEST_H
#define TP_NEST_H

#include "object/tp_build.h"
#include "allocator/tp_dstack.h"
#include "allocator/tp_frame.h"
#include "allocator/tp_stack.h"

#ifdef __cplusplus
extern "C" {
#endif

enum tp_nest_kind {
  TP_NEST_CLOSED = 0,  // Zeroed memory is a closed child.
  TP_NEST_DSTACK = 1,  // May have children at both ends.
  TP_NEST_STACK = 2,   // May have children, at TP_LOW.
  TP_NEST_FRAME = 3,
  TP_NEST_POOL = 4,
  TP_NEST_DENSE = 5,  // As rows only: dense and relocating pools.
  TP_NEST_RELOC = 6,
};

struct tp_nest;

// The newest child of each end. NULL: it has none.
struct tp_nest_state {
  const struct tp_nest *newest[2];
};

// A child that was laid out by the linker, not opened: it is always there. Of
// blocks, each class is one.
struct tp_nest_row {
  const char *name;
  const void *allocator;  // By kind: const struct tp_pool *, and so on.
  uint32_t bytes;         // With what the alignment of the next row skips.
  uint8_t kind;           // enum tp_nest_kind.
  uint8_t end;            // enum tp_end.
};

// A node of the tree. The root is const. A child is a variable of the
// application, which is zero at boot and only ever written to by the calls
// below: so a child that was closed is known. To ask it for memory, or to give
// an object back to it, is a fault; whatever else finds it empty, and every
// handle stale.
struct tp_nest {
  const char *name;
  const struct tp_nest *parent;    // NULL: the root.
  const struct tp_nest *older;     // The one opened before it, at the same end.
  struct tp_nest_state *state;     // In the parent's memory. NULL: no children.
  const struct tp_nest_row *rows;  // The root's; NULL: there are none.
  uint32_t row_count;
  uint32_t bytes;       // Taken from the parent. Of the root: all of
                        // its region, rows included.
  uint32_t padding;     // Of these, what its alignment skipped.
  struct tp_mark mark;  // How full the parent was before.
  uint32_t seal;        // Of an open child's other words.
  uint8_t kind;         // enum tp_nest_kind.
  uint8_t end;          // enum tp_end, of the parent.
  union {               // By kind.
    struct tp_dstack dstack;
    struct tp_stack stack;
    struct tp_frame frame;
    struct tp_pool pool;
  } as;
};

// Opens [child] at [end] of [parent] as a double-ended stack, a stack, a frame
// or a pool called [name]. A stack's only end is TP_LOW. [bytes] are a multiple
// of 8; of a frame, those of each of its [buffers]. Marks and blocks of a child
// that lay there before are none of its own; of a pool's handles nobody can
// tell: its generations begin anew.
//
// Returns  true. false iff the parent has no room and refuses: then nothing
//          changed, but that the parent counted it.
// Faults   CLOSED: the parent is. ORDER: the child is open already. CHILD: the
//          parent is a frame or a pool, or has no such end. SIZE: [bytes],
//          [buffers] or [row] are none that such an allocator may have. LARGE,
//          FULL, POISON as tp_stack_alloc(). INVARIANT: the parent was written
//          over, or what its region says of itself; the record has the address.
// Time     O(1) but for a pool, which clears its tags, O(count), and for
//          poison. Nothing is locked.
// Context  One at a time for a whole tree. A pool, once open, may be used from
//          any context that its lock allows.
bool tp_nest_open_dstack(struct tp_nest *child, const struct tp_nest *parent,
                         enum tp_end end, const char *name, size_t bytes,
                         enum tp_full full);
bool tp_nest_open_stack(struct tp_nest *child, const struct tp_nest *parent,
                        enum tp_end end, const char *name, size_t bytes,
                        enum tp_full full);
bool tp_nest_open_frame(struct tp_nest *child, const struct tp_nest *parent,
                        enum tp_end end, const char *name, size_t bytes,
                        uint8_t buffers, enum tp_full full);
bool tp_nest_open_pool(struct tp_nest *child, const struct tp_nest *parent,
                       enum tp_end end, const char *name,
                       const struct tp_build *row);

// Closes [child]: all its memory goes back to its parent, and with it what the
// parent itself gave out at that end since, as by tp_stack_release(). From then
// on to ask [child], or the stack, frame or pool that it was, for memory, or to
// give it some back, is a fault.
//
// Faults   CLOSED: it is not open. CHILD: it has a child of its own, or is a
//          pool with live objects; the record has the name of that child, or
//          of the pool. ORDER: it is not the newest at its end of the parent,
//          or a mark was made there since; or it is the root. INVARIANT: it
//          or its parent was written over, or how full the parent is. At off
//          nothing is checked.
// Time     O(1); of a pool O(slots ever issued), to count its live objects.
//          From poison up also O(bytes).
// Context  As tp_nest_open_stack(), while nobody uses the child.
void tp_nest_close(struct tp_nest *child);

// The stack, frame or pool that [nest] was opened as, for the calls of its own
// header. Among those, to release or to reset what a child of [nest] stands on
// is the fault CHILD, with the name of that child.
//
// Whoever keeps what is returned pays for its checks once; it is right until
// [nest] is closed.
//
// Faults   CLOSED: it is closed, or was opened as something else. INVARIANT: it
//          was written over.
// Time     O(1): from fast up it reads all words of [nest].
// Context  Any.
const struct tp_dstack *tp_nest_dstack(const struct tp_nest *nest);
const struct tp_stack *tp_nest_stack(const struct tp_nest *nest);
const struct tp_frame *tp_nest_frame(const struct tp_nest *nest);
const struct tp_pool *tp_nest_pool(const struct tp_nest *nest);

// Is [nest] as the calls above left it? Not what lies in its parent's memory,
// which those of the allocator it is verify.
//
// Returns  false iff it is an open child, of which a word was written over.
// Time     O(1).
// Context  As tp_nest_open_stack().
bool tp_nest_verify(const struct tp_nest *nest);

// The newest child of [nest] at the low end, else the newest at the high; its
// older siblings follow by ->older. NULL: none.
static inline const struct tp_nest *tp_nest_child(const struct tp_nest *nest)
{
  const struct tp_nest_state *state = nest->state;
  if (!state) return NULL;
  return state->newest[TP_LOW] ? state->newest[TP_LOW] : state->newest[TP_HIGH];
}

// What tp_nest_walk() tells of a node, or of a row.
//
// Invariants:  the sum of the bytes of all children == children <= used;
//   of the root, bytes == used + the bytes between its two ends.
struct tp_nest_item {
  const char *name;
  const struct tp_nest *nest;  // NULL: a row.
  uint32_t bytes;              // Taken from the parent, padding included.
  uint32_t padding;
  uint32_t used;      // Bytes that it gave out: those of live slots and
                      // objects, or all up to the top, children included.
  uint32_t peak;      // Most of them at a time; of two ends, the sum of
                      // their peaks.
  uint32_t children;  // Bytes that its children took.
  uint8_t kind;       // enum tp_nest_kind.
  uint8_t end;        // enum tp_end.
  uint8_t depth;      // 0: where the walk began.
};

typedef void tp_nest_visitor(const struct tp_nest_item *item, void *context);

// Calls [visit](item, [context]) for [nest] and then for all below it: first
// the rows, then the children at the low end, the newest first, and those at
// the high end. The children of a child follow it at once.
//
// Faults   CLOSED. INVARIANT: a node was written over.
// Time     O(nodes), and for a pool O(slots ever issued); no recursion.
// Context  As tp_nest_open_stack().
void tp_nest_walk(const struct tp_nest *nest, tp_nest_visitor *visit,
                  void *context);

#ifdef __cplusplus
}
#endif

#endif
