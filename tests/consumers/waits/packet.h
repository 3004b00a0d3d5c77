// SPDX-License-Identifier: MIT
#ifndef PACKET_H
#define PACKET_H

#include <stdint.h>

struct packet {
  uint32_t words[16];
};

#endif
