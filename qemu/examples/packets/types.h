// SPDX-License-Identifier: MIT
#include <stdint.h>

struct packet {
  struct packet *next;
  uint32_t sequence;
  uint8_t bytes[56];
};
