// SPDX-License-Identifier: MIT
#include <stdint.h>

struct message {
  uint32_t number;
  uint32_t ticks;  // After so many it is answered.
  uint8_t bytes[24];
};
