// SPDX-License-Identifier: MIT
// tp_union.h - a pool for objects of several types: its slots fit the largest.
//
//   TP_POOL_DEFINE(actors, TP_UNION_SIZE(struct orc, struct elf), 32,
//                  TP_UNION_ALIGN(struct orc, struct elf), TP_NO_BANK,
//                  TP_TAGS_IF_CHECKED, .policy = &tp_drop);
//   TP_POOL_DECLARE(actors, void);
#ifndef TP_UNION_H
#define TP_UNION_H

#include "core/tp_pool.h"

#define TP_LARGER(a, b) ((a) > (b) ? (a) : (b))

// The largest of [measure] over the first eight types. The ninth must be what
// the list was filled up with, or there were more than eight.
#define TP_UNION_MOST(measure, a, b, c, d, e, f, g, h, ninth, ...) \
  (TP_LARGER(TP_LARGER(TP_LARGER(measure(a), measure(b)),          \
                       TP_LARGER(measure(c), measure(d))),         \
             TP_LARGER(TP_LARGER(measure(e), measure(f)),          \
                       TP_LARGER(measure(g), measure(h)))) +       \
   0 * sizeof(char[sizeof(ninth) == 1 ? 1 : -1]))

// Bytes of a slot for any of up to eight types; at least a link.
#define TP_UNION_SIZE(...)                                                  \
  TP_LARGER((size_t)4, TP_UNION_MOST(sizeof, __VA_ARGS__, char, char, char, \
                                     char, char, char, char, char, ))

// Its alignment; at least that of a link.
#define TP_UNION_ALIGN(...)                                               \
  TP_LARGER((size_t)4, TP_UNION_MOST(TP_ALIGNOF, __VA_ARGS__, char, char, \
                                     char, char, char, char, char, char, ))

// Ends the compilation unless slots of [size] bytes, [align]ed, fit them all.
#define TP_UNION_FITS(size, align, ...)                              \
  TP_STATIC_ASSERT(TP_UNION_SIZE(__VA_ARGS__) <= (size),             \
                   "a slot must fit the largest type of its union"); \
  TP_STATIC_ASSERT(TP_UNION_ALIGN(__VA_ARGS__) <= (align),           \
                   "a slot must be aligned for each type of its union")

#endif
