// SPDX-License-Identifier: MIT
#ifndef UNIT_TYPES_H
#define UNIT_TYPES_H

#include <stdint.h>

struct crate {
  uint32_t word[3];
};

struct note {
  uint32_t pitch;
  uint32_t words[3];
};

#endif
