// SPDX-License-Identifier: MIT
#ifndef TYPES_H
#define TYPES_H

#include <stdint.h>

struct packet {
  uint32_t length;
  uint32_t to;
  uint32_t bytes[4];
};

#endif
