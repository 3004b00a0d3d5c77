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
#define DECLARE(name) extern const struct subject name##_subject;
#define NAME(name)    &name##_subject,

ALL(DECLARE)
const struct subject *const flips_subjects[] = {ALL(NAME)};
const uint32_t flips_count = sizeof flips_subjects / sizeof flips_subjects[0];
