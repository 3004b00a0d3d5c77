// SPDX-License-Identifier: MIT
#include <stdint.h>

struct spark {
  int16_t x, y;
  uint32_t colour;
};

struct voice {
  uint32_t note[8];
};
