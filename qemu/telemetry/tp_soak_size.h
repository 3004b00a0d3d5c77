// SPDX-License-Identifier: MIT
// tp_soak_size.h - internal: how much a soak keeps account of, in about 28 KiB
// of RAM. A firmware that has less is compiled with TP_SOAK_SMALL=1: 3 KiB, and
// without the questions of --ask, and
// generations are not looked at.
#ifndef TP_SOAK_SIZE_H
#define TP_SOAK_SIZE_H

#ifndef TP_SOAK_SMALL
#define TP_SOAK_SMALL 0
#endif

enum {
  TP_SOAK_ALLOCATORS = TP_SOAK_SMALL ? 20 : 255,
  TP_SOAK_PLACES = TP_SOAK_SMALL ? 32 : 128,   // Powers of two.
  TP_SOAK_SLOTS = TP_SOAK_SMALL ? 192 : 4096,  // Of all pools together.
  TP_SOAK_SEALS = TP_SOAK_SMALL ? 1 : 4096,    // Of their generations.
  TP_SOAK_LIVES = TP_SOAK_SMALL ? 24 : 2048,   // Of those that say a life.
  TP_SOAK_FIGURES = TP_SOAK_SMALL ? 12 : 32,
  TP_SOAK_EXPECTATIONS = TP_SOAK_SMALL ? 4 : 32,
  TP_SOAK_STRANGERS = TP_SOAK_SMALL ? 2 : 8,  // Who call against their row.
  TP_SOAK_COSTS = TP_SOAK_SMALL ? 18 : 32,
  // Of a cost; the last also counts what cost more.
  TP_SOAK_BUCKETS = TP_SOAK_SMALL ? 8 : 12,
  TP_SOAK_ARGUMENTS = TP_SOAK_SMALL ? 640 : 1024  // Characters.
};

#endif
