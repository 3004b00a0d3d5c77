// SPDX-License-Identifier: MIT
#include <stdint.h>

struct message {
  uint32_t to;
  uint8_t text[28];
};
