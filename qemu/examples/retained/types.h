// SPDX-License-Identifier: MIT
#include <stdint.h>

struct event {
  uint32_t boot;
  uint32_t what;
};
