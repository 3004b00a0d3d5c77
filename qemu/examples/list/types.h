// SPDX-License-Identifier: MIT
#ifndef TYPES_H
#define TYPES_H

#include <stdint.h>

struct packet {
  uint8_t bytes[20];
};

struct timer {
  uint32_t due, period;
};

#endif
