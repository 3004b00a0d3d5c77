// SPDX-License-Identifier: MIT
// tp_frame.h - objects of any size that last until the end of the frame, or of
// the N-th: nothing is given back one by one, one call wipes all.
//
// With 1 buffer what frame n allocated is gone in frame n + 1. With 2 it is
// intact throughout n + 1 and gone in n + 2: the buffer that is wiped is the
// one switched to, not the one being left. With N it is gone in n + N.
#ifndef TP_FRAME_H
#define TP_FRAME_H

#include "allocator/tp_region.h"

#ifdef __cplusplus
extern "C" {
#endif

// Buffers a frame allocator may have.
#define TP_FRAME_BUFFERS_MAX 255

struct tp_frame_state {
  uint32_t ended;    // How often tp_frame_end() was called. Wraps: at full to
                     // what it is the turn of, current.
  uint32_t current;  // The buffer that allocations come from. < buffers.
};

// Zeroed state is N empty buffers: there is no init function.
struct tp_frame {
  struct tp_region region;  // Of one buffer; the others lie behind it.
  struct tp_frame_state *state;
  struct tp_bump *bump;  // One a buffer.
  uint8_t buffers;
};

// [size] bytes of this frame, at a multiple of [align], a power of two.
//
// The bytes are what was there before (TP_POISON_NEW from poison up). A frame
// that is never ended fills up: then its policy answers.
//
// Returns  the memory. NULL iff it does not fit and the frame refuses.
// Faults   as tp_stack_alloc(). POISON (poison): somebody wrote to memory of a
//          frame that was over.
// Time     O(1); O(size) from poison up. Nothing is locked.
// Context  One at a time: the one that also ends the frame.
void *tp_frame_alloc(const struct tp_frame *frame, size_t size, size_t align);

// Ends the frame: switches to the next buffer and wipes that one. What was in
// it becomes TP_POISON from poison up. Two calls in a row are two frames.
//
// Faults   CLOSED.
// Time     O(1); O(bytes used in that buffer) from poison up.
// Context  As tp_frame_alloc().
void tp_frame_end(const struct tp_frame *frame);

// Writes the figures of [frame] to [stats], in bytes with what alignments
// skipped: live are those of this frame, peak the most that one frame ever
// took; refused are requests. Allocs and frees are not counted.
//
// Time     O(buffers).
// Context  As tp_frame_alloc().
void tp_frame_stats(const struct tp_frame *frame, struct tp_stats *stats);

#ifdef __cplusplus
}
#endif

#endif
