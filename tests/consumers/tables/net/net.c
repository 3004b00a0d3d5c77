// SPDX-License-Identifier: MIT
#include "net.h"

#include "net_pools.h"

uint32_t net_send(uint32_t peer)
{
  struct conn *conn = conns_alloc();
  struct packet *packet = packets_alloc();
  conn->peer = peer;
  conn->sent = packet != NULL;
  conns_free(conn);
  return tp_pool_live(&packets_pool);
}
