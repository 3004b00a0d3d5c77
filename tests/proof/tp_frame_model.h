// SPDX-License-Identifier: MIT
// tp_frame_model.h - what the prover knows about a frame and its buffers and
// the compiler does not.
// clang-format off: macros that hold ACSL are no C.
#ifndef TP_FRAME_MODEL_H
#define TP_FRAME_MODEL_H

#include "allocator/tp_frame.h"
#include "tp_region_model.h"

// A buffer: where its bytes lie, and as the end that it is. The current one.
/*@ logic tp_word_t *frame_storage{L}(struct tp_frame *frame, integer i) =
      frame->region.storage + frame->region.bytes / 4 * i;
*/
#define TP_OF_BUFFER(frame, i)                                               \
  &frame->region, frame_storage(frame, i), &frame->bump[i],                  \
  (struct tp_bump *)\null, TP_LOW
#define TP_OF_FRAME(frame) TP_OF_BUFFER(frame, frame->state->current)

/*@
  predicate frame_memory{L}(struct tp_frame *frame) =
    \valid_read(frame) && \valid(frame->state) && 1 <= frame->buffers &&
    \valid(frame->bump + (0 .. frame->buffers - 1)) &&
    \separated(frame, frame->state, frame->bump + (0 .. frame->buffers - 1)) &&
    region_memory(&frame->region) &&
    region_flat(frame->region.storage, frame->region.bytes * frame->buffers);
  // Whose turn it is next: after the last, and after what is none, the first.
  logic integer frame_next{L}(struct tp_frame *frame) =
    frame->state->current + 1 < frame->buffers
      ? frame->state->current + 1 : 0;
  // Is there nothing wrong with ending a frame?
  predicate frame_ends{L}(struct tp_frame *frame) =
    frame->region.storage != \null &&
    bump_whole(&frame->region, &frame->bump[frame_next(frame)],
               frame->region.bytes);
*/

// Where buffer [i] lies: [at]. One line proves a step after the other: the
// products, its addresses within those of all buffers, and the cast back.
#define TP_BYTES(frame) frame->region.bytes
#define TP_BUFFER_BEGINS(frame, i)                                           \
  i < frame->buffers ==>                                                     \
  TP_THEN(TP_BYTES(frame) == 4 * (TP_BYTES(frame) / 4),                      \
  TP_THEN(0 <= TP_BYTES(frame) / 4 * i &&                                    \
      TP_BYTES(frame) / 4 * i + TP_BYTES(frame) / 4                          \
        <= TP_BYTES(frame) / 4 * frame->buffers,                             \
    TP_BYTES(frame) * i == 4 * (TP_BYTES(frame) / 4 * i) &&                  \
    TP_BYTES(frame) * frame->buffers ==                                      \
      4 * (TP_BYTES(frame) / 4 * frame->buffers)))
#define TP_BUFFER_FLAT(frame, i)                                             \
  i < frame->buffers ==>                                                     \
  TP_THEN((uintptr_t)frame_storage(frame, i) ==                              \
      (uintptr_t)frame->region.storage + 4 * (TP_BYTES(frame) / 4 * i),      \
    \forall integer k; 0 <= k <= TP_BYTES(frame) / 4 ==>                     \
      frame_storage(frame, i) + k ==                                         \
        frame->region.storage + (TP_BYTES(frame) / 4 * i + k) &&             \
      (uintptr_t)(frame->region.storage + (TP_BYTES(frame) / 4 * i + k)) ==  \
        (uintptr_t)frame_storage(frame, i) + 4 * k)
#define TP_BUFFER_LIES(frame, i, at)                                         \
  i < frame->buffers ==>                                                     \
  TP_THEN(at == (uintptr_t)frame->region.storage + TP_BYTES(frame) * i,      \
    at == (uintptr_t)frame_storage(frame, i) &&                              \
      at / 4 == (uintptr_t)frame->region.storage / 4 +                       \
        TP_BYTES(frame) / 4 * i)
#define TP_BUFFER_WITHIN(frame, i, at)                                       \
  i < frame->buffers ==>                                                     \
  TP_THEN(at % 4 == 0 && at + TP_BYTES(frame) <= 0xffffffff &&               \
      (TP_BYTES(frame) > 0 ==> 0 < at),                                      \
    region_flat(frame_storage(frame, i), TP_BYTES(frame)) &&                 \
      (tp_word_t *)at == frame_storage(frame, i))

// The side that is the current buffer. A current that is none is a fault, and
// the rest wants one.
#define TP_HAS_CURRENT(frame) frame->state->current < frame->buffers
#define TP_IS_OF_FRAME(frame)                                                \
  TP_LOOKS(TP_HAS_CURRENT(frame), frame_memory(frame));                      \
  ensures region: \result.region == &frame->region;                          \
  ensures storage: TP_HAS_CURRENT(frame) ==>                                 \
    \result.storage == frame_storage(frame, frame->state->current);          \
  ensures flat: TP_HAS_CURRENT(frame) ==>                                    \
    region_flat(\result.storage, frame->region.bytes);                       \
  ensures bump: \result.bump == &frame->bump[frame->state->current];         \
  ensures low: \result.other == \null && \result.marks == \null &&           \
    \result.end == TP_LOW

#define TP_FRAME_ALLOCATES(frame, size, align)                               \
  requires frame_memory(frame) && TP_HAS_CURRENT(frame);                     \
  TP_ALLOCATES_AT(size, align, TP_OF_FRAME(frame))

#define TP_FRAME_ENDS(frame)                                                 \
  requires frame_memory(frame);                                              \
  assigns frame->state->ended, frame->state->current,                        \
    frame->bump[frame_next(frame)].used, tp_raised;                          \
  ensures next: frame->state->current == \old(frame_next(frame));            \
  ensures ended: frame->state->ended ==                                      \
    (uint32_t)(\old(frame->state->ended) + 1);                               \
  ensures emptied: frame->bump[frame->state->current].used == 0;             \
  ensures passes: \old(frame_ends(frame)) ==>                                \
    tp_raised == \old(tp_raised) &&                                          \
    end_whole(&frame->region, &frame->bump[frame->state->current],           \
              (struct tp_bump *)\null);                                      \
  ensures faults: !\old(frame_ends(frame)) ==> tp_raised > \old(tp_raised)

// The figures: [most] and [sum] are those of the first [i] buffers.
/*@ logic integer frame_refused{L}(struct tp_frame *frame, integer i) =
      i <= 0 ? 0 : frame_refused(frame, i - 1) + frame->bump[i - 1].refused;
    predicate frame_peak_is{L}(struct tp_frame *frame, integer i,
                               integer most) =
      (\forall integer k; 0 <= k < i ==> frame->bump[k].peak <= most) &&
      (most == 0 || \exists integer k; 0 <= k < i &&
        frame->bump[k].peak == most);
*/
#define TP_FRAME_SUMS(frame, i, most, sum)                                   \
  loop invariant within: 0 <= i <= frame->buffers;                           \
  loop invariant peaks: frame_peak_is(frame, i, most);                       \
  loop invariant sums: sum == (uint32_t)frame_refused(frame, i);             \
  loop assigns i, most, sum;                                                 \
  loop variant frame->buffers - i
#define TP_FRAME_TELLS(frame, stats)                                         \
  requires frame_memory(frame) && \valid(stats);                             \
  requires \separated(stats, frame, frame->state,                            \
    frame->bump + (0 .. frame->buffers - 1));                                \
  assigns *stats;                                                            \
  ensures peaks: frame_peak_is(frame, frame->buffers, stats->peak);          \
  ensures sums: stats->refused ==                                            \
    (uint32_t)\old(frame_refused(frame, frame->buffers));                    \
  ensures live: frame->state->current < frame->buffers ==>                   \
    stats->live == frame->bump[frame->state->current].used

#endif
