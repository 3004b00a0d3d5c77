// SPDX-License-Identifier: MIT
// tp_shape.h - internal: the arithmetic that makes a pool of its row, for the
// constants of tp_pools.c and tp_define.h and the numbers of tp_build.c.
#ifndef TP_SHAPE_H
#define TP_SHAPE_H

#include <stdint.h>

#include "check/tp_alike.h"
#include "check/tp_level.h"

#define TP_LARGER(a, b) ((a) > (b) ? (a) : (b))

// Bytes of red zone after a slot, and before the first one: a multiple of the
// slot's alignment, so that the zone spoils nobody's.
#define TP_RED_ZONE(align) \
  (TP_CHECKS >= TP_CHECKS_FULL ? ((align) > 8 ? (align) : 8) : 0)

// The tags of live slots begin here, the others are below: tp_tag.h.
#define TP_LIVE 0x80000000u

// Tags of a pool of [count] slots that needs none below fast: one spare there.
#define TP_TAGS(count) (TP_CHECKS >= TP_CHECKS_FAST ? (count) : 1)

// The slots that quick calls see of a pool with tags at every level.
#define TP_TAGGED(count) (TP_CHECKS >= TP_CHECKS_FAST ? (count) : 0)

// Bytes that [count] slots take of an arena whose parts are [part_align]ed.
#define TP_CUT(count, stride, align, part_align)                        \
  ((count) == 0                                                         \
       ? 0                                                              \
       : (TP_RED_ZONE(align) + (count) * (stride) + (part_align) - 1) / \
             (part_align) * (part_align))

// Bytes from one slot to the next. [align] is a power of two.
#define TP_STRIDE(size, align) \
  ((((size) + (align) - 1) & (0u - (align))) + TP_RED_ZONE(align))

// The power of two in a stride: how far tp_slot_of() rotates.
#define TP_SHIFT(stride)                                                      \
  (((stride) % 2 == 0) + ((stride) % 4 == 0) + ((stride) % 8 == 0) +          \
   ((stride) % 16 == 0) + ((stride) % 32 == 0) + ((stride) % 64 == 0) +       \
   ((stride) % 128 == 0) + ((stride) % 256 == 0) + ((stride) % 512 == 0) +    \
   ((stride) % 1024 == 0) + ((stride) % 2048 == 0) + ((stride) % 4096 == 0) + \
   ((stride) % 8192 == 0) + ((stride) % 16384 == 0) + ((stride) % 32768 == 0))

// What tp_slot_of() rotates by, and the highest slot of a pool without a ring.
#define TP_GATE(stride, count) \
  ((uint32_t)TP_SHIFT(stride) | (uint32_t)(count) << 16)

// The number that odd [n] times it makes 1, in the arithmetic of addresses:
// Newton's iteration from a guess that is right to 5 bits (Hacker's Delight,
// 10-16), which each step doubles.
#define TP_GUESS(n)     ((3 * (uintptr_t)(n)) ^ 2)
#define TP_NEWTON(n, x) ((x) * (2 - (uintptr_t)(n) * (x)))
#define TP_INVERSE(n) \
  TP_NEWTON(n, TP_NEWTON(n, TP_NEWTON(n, TP_NEWTON(n, TP_GUESS(n)))))

// Bits that number the slots 1..count.
#define TP_HANDLE_BITS(count)                                                \
  (1 + ((count) >= 2) + ((count) >= 4) + ((count) >= 8) + ((count) >= 16) +  \
   ((count) >= 32) + ((count) >= 64) + ((count) >= 128) + ((count) >= 256) + \
   ((count) >= 512) + ((count) >= 1024) + ((count) >= 2048) +                \
   ((count) >= 4096) + ((count) >= 8192) + ((count) >= 16384) +              \
   ((count) >= 32768))

// An attribute: a variable of a section stands there behind those defined
// before it. Clang does so anyway.
#ifdef __clang__
#define TP_IN_ORDER
#else
#define TP_IN_ORDER no_reorder
#endif

// What the definitions of tp_define.h share: the memory of a pool, which is
// checked here as the generator checks its rows, and the descriptor.
#define TP_POOL_BY_HAND(name_, bytes, count, align, tags, quick, ...)          \
  enum {                                                                       \
    name_##_stride = TP_STRIDE(bytes, align),                                  \
    name_##_shift = TP_SHIFT(name_##_stride),                                  \
    name_##_odd = name_##_stride >> name_##_shift                              \
  };                                                                           \
  _Static_assert((count) >= 1 && (count) <= TP_CAPACITY_MAX,                   \
                 #name_ ": a pool has 1 to 32767 slots");                      \
  _Static_assert((bytes) >= 4, #name_ ": a free slot holds its link");         \
  _Static_assert((align) >= 4 && (align) <= 64 && !((align) & ((align) - 1)),  \
                 #name_ ": alignments are powers of two, 4 to 64");            \
  _Static_assert(name_##_stride <= UINT16_MAX, #name_ ": slots are < 64 KiB"); \
  static uint32_t name_##_tag[(tags) + 1];                                     \
  static struct tp_pool_state name_##_state;                                   \
  _Alignas(align) static tp_word_t name_##_storage                             \
      [(TP_RED_ZONE(align) + (count) * (size_t)name_##_stride) / 4];           \
  const struct tp_pool name_##_pool = {                                        \
      TP_POOL_FIELDS(name_, bytes, count, align, quick),                       \
      TP_OBJECT(bytes, 0, NULL) __VA_ARGS__}
#define TP_POOL_FIELDS(name_, bytes, count, align, quick_)       \
  TP_POOL_FORM(name_, bytes, count, align), .capacity = (count), \
      .gate = TP_GATE(name_##_stride, quick_),                   \
      .general = (quick_) ? NULL : &tp_general,                  \
      .storage = name_##_storage + TP_RED_ZONE(align) / 4,       \
      .origin =                                                  \
          (uintptr_t)name_##_storage + TP_RED_ZONE(align) - name_##_stride
#define TP_POOL_FORM(name_, bytes, count, align)                       \
  .tag = name_##_tag, .state = &name_##_state, .name = #name_,         \
  .link_check = TP_ALIKE, .size = name_##_stride - TP_RED_ZONE(align), \
  .stride = name_##_stride, .inverse = TP_INVERSE(name_##_odd),        \
  .zone = TP_RED_ZONE(align), .handle_bits = TP_HANDLE_BITS(count)

// Beside those, what a sanitizer wants to know: the bytes of an object, how
// many of them stand before its link, and what was written of it: for each slot
// the tag that it had then, and a bit for each word.
#define TP_WRITTEN(stride) (1u + ((stride) / 4u + 31u) / 32u)
#if TIDEPOOL_SANITIZE
#define TP_OBJECT(bytes, before_, written_) \
  .object = (bytes), .before = (before_), .written = (written_),
#define TP_OBJECT_LENT(lent_) .lent = (lent_),
#else
#define TP_OBJECT(bytes, before_, written_)
#define TP_OBJECT_LENT(lent_)
#endif

// What a device has, tp_dma.h: for each slot, of which generation it was lent,
// 14 bits, and what for, 2: an enum tp_dma_direction, which is 0 unless the
// slot still is of it.
#define TP_LENT_TO_READ       1u
#define TP_LENT(count)        (TP_CHECKS >= TP_CHECKS_FAST ? (count) : 1)
#define TP_LENT_AS(tag, what) ((uint16_t)((tag) << 2 | (what)))
#define TP_LENT_OF(lent, tag) ((uint16_t)((lent) ^ (tag) << 2))
#define TP_LENT_FOR(lent, tag) \
  (TP_LENT_OF(lent, tag) <= 3 ? TP_LENT_OF(lent, tag) : 0u)

// And the memory of what fills from an end.
#define TP_REGION_BY_HAND(name, bytes, words)                                  \
  _Static_assert((bytes) >= 8 && (bytes) % 8 == 0 && (bytes) <= TP_REGION_MAX, \
                 #name ": bytes are a multiple of 8, from 8");                 \
  _Alignas(8) static tp_word_t name##_storage[words]
#define TP_REGION_FIELDS(name_, bytes_)                          \
  .storage = name_##_storage, .name = #name_, .bytes = (bytes_), \
  .link_check = TP_ALIKE

#endif
