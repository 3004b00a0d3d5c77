// SPDX-License-Identifier: MIT
// What only a library with a port of two cores has.
#include "flips.h"

#define ALL(X) \
  X(shared)    \
  X(magazine)

FLIPS_SUBJECTS(ALL)
