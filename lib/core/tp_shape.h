// SPDX-License-Identifier: MIT
// tp_shape.h - the arithmetic that makes a pool of its row, for
// constants in tp_define.h and for numbers in tp_build.c.
#ifndef TP_SHAPE_H
#define TP_SHAPE_H

#include <stdint.h>

#include "check/tp_level.h"

#define TP_LARGER(a, b) ((a) > (b) ? (a) : (b))

// Bytes of red zone after a slot, and before the first one: a multiple of the
// slot's alignment, so that the zone spoils nobody's.
#define TP_RED_ZONE(align) \
  (TP_CHECKS >= TP_CHECKS_FULL ? ((align) > 8 ? (align) : 8) : 0)

// Tags of a pool of [count] slots that needs none below fast: one spare there.
#define TP_TAGS(count) (TP_CHECKS >= TP_CHECKS_FAST ? (count) : 1)

// Bytes that [count] slots take of an arena whose parts are [part_align]ed.
#define TP_CUT(count, stride, align, part_align)                     \
  ((count) == 0 ? 0                                                  \
                : (TP_RED_ZONE(align) + (count) * (stride) +         \
                   (part_align)-1) / (part_align) * (part_align))

// Bytes from one slot to the next. [align] is a power of two.
#define TP_STRIDE(size, align) \
  ((((size) + (align)-1) & (0u - (align))) + TP_RED_ZONE(align))

// The power of two in a stride: how far tp_slot_of() rotates.
#define TP_SHIFT(stride)       \
  ((stride) & 1        ? 0     \
   : (stride) & 2      ? 1     \
   : (stride) & 4      ? 2     \
   : (stride) & 8      ? 3     \
   : (stride) & 16     ? 4     \
   : (stride) & 32     ? 5     \
   : (stride) & 64     ? 6     \
   : (stride) & 128    ? 7     \
   : (stride) & 256    ? 8     \
   : (stride) & 512    ? 9     \
   : (stride) & 1024   ? 10    \
   : (stride) & 2048   ? 11    \
   : (stride) & 4096   ? 12    \
   : (stride) & 8192   ? 13    \
   : (stride) & 16384  ? 14    \
                       : 15)

// The number that odd [n] times it makes 1, in the arithmetic of addresses:
// Newton's iteration from a guess that is right to 5 bits (Hacker's Delight,
// 10-16), which each step doubles.
#define TP_GUESS(n)      ((3 * (uintptr_t)(n)) ^ 2)
#define TP_NEWTON(n, x)  ((x) * (2 - (uintptr_t)(n) * (x)))
#define TP_INVERSE(n) \
  TP_NEWTON(n, TP_NEWTON(n, TP_NEWTON(n, TP_NEWTON(n, TP_GUESS(n)))))

// Bits that number the slots 1..count.
#define TP_HANDLE_BITS(count) \
  ((count) < 2 ? 1 : (count) < 4 ? 2 : (count) < 8 ? 3 : (count) < 16 ? 4 : \
   (count) < 32 ? 5 : (count) < 64 ? 6 : (count) < 128 ? 7 : \
   (count) < 256 ? 8 : (count) < 512 ? 9 : (count) < 1024 ? 10 : \
   (count) < 2048 ? 11 : (count) < 4096 ? 12 : (count) < 8192 ? 13 : \
   (count) < 16384 ? 14 : 15)

#endif
