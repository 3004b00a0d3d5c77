// SPDX-License-Identifier: MIT
#ifndef SWEEP_TYPES_H
#define SWEEP_TYPES_H

#include <stdint.h>

enum { ITEM_WORDS = 4 };

struct item {
  uint32_t words[ITEM_WORDS];
};

#endif
