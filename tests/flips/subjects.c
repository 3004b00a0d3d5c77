// SPDX-License-Identifier: MIT
#include "flips.h"

#define ALL(X)          \
  X(drop)               \
  X(own)                \
  X(exclusive)          \
  X(asserting)          \
  X(handles)            \
  X(wide)               \
  X(thief)              \
  X(own_thief)          \
  X(handle_thief)       \
  X(turning)            \
  X(least)              \
  X(marked)             \
  X(hardened)           \
  X(hardened_keyed)     \
  X(hardened_thief)     \
  X(hardened_exclusive) \
  X(outside)            \
  X(spilling)           \
  X(lending)            \
  X(devices)            \
  X(guests)             \
  X(cut)                \
  X(blocks)             \
  X(dense)              \
  X(dense64)            \
  X(stack)              \
  X(dstack)             \
  X(frame)              \
  X(reloc)              \
  X(nest)

FLIPS_SUBJECTS(ALL)
