// SPDX-License-Identifier: MIT
#include <stdint.h>

struct voice {
  uint32_t step, phase;  // Of a saw tooth.
  uint32_t samples_left;
};
