// SPDX-License-Identifier: MIT
#ifndef NET_H
#define NET_H

#include <stdint.h>

struct packet {
  uint32_t words[16];
};
struct conn {
  uint32_t peer, sent;
};

// Sends a packet on a new connection. Returns how many packets live.
uint32_t net_send(uint32_t peer);

#endif
