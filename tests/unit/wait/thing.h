// SPDX-License-Identifier: MIT
#ifndef THING_H
#define THING_H

#include <stdint.h>

struct thing {
  uint32_t number;
};

#endif
