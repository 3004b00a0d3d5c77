// SPDX-License-Identifier: MIT
#ifndef GUARD_H
#define GUARD_H

#include <stdint.h>

struct spark {
  uint32_t words[6];
};

struct voice {
  uint32_t words[11];
};

#endif
