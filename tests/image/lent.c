// SPDX-License-Identifier: MIT
// Sends and receives, by a device that is the CPU itself and the port of a core
// with a data cache: prints what was received, and the fault of who frees what
// a device still has.
#include "check/tp_check.h"
#include "semihost.h"
#include "tp_pools.h"

enum { LETTERS = 4 };

void tp_fault(const struct tp_fault_record *record)
{
  semihost_print(tp_fault_name(record->kind));
  semihost_print("\n");
  semihost_exit(0);
}

// The device is done.
static void receive(char *packet)
{
  for (uint32_t i = 0; i < LETTERS; i++) packet[i] = (char)('a' + i);
  packet[LETTERS] = '\0';
  packets_take(packet);
}

int main(void)
{
  char *sent = packets_alloc(), *received = packets_alloc();
  packets_lend(sent, TP_DMA_TX);
  packets_lend(received, TP_DMA_RX);
  receive(received);
  semihost_print(received);
  semihost_print((uintptr_t)received % 32 == 0 ? " aligned " : " astray ");
  packets_free(received);
  packets_free(sent);
  return 1;
}
