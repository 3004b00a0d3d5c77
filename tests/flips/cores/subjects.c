// SPDX-License-Identifier: MIT
// What only a library with a port of two cores has.
#include "flips.h"

#define ALL(X) \
  X(shared)    \
  X(magazine)
#define DECLARE(name) extern const struct subject name##_subject;
#define NAME(name)    &name##_subject,

ALL(DECLARE)
const struct subject *const flips_subjects[] = {ALL(NAME)};
const uint32_t flips_count = sizeof flips_subjects / sizeof flips_subjects[0];
