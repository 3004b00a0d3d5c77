// SPDX-License-Identifier: MIT
// packets - a radio receives more than the node can send on. Data is dropped;
// every acknowledgement still finds a buffer, from the reserve.
#include "board.h"
#include "print.h"
#include "tp_pools.h"

static struct packet *queue;  // To be sent, the newest first.
static uint32_t sequence, dropped, unanswered;

static void enqueue(struct packet *packet)
{
  packet->sequence = sequence;
  packet->next = queue;
  queue = packet;
}

// The radio's interrupt: a packet has come, and wants its answer.
void board_handler(void)
{
  sequence++;
  struct packet *data = packets_alloc();
  if (data)
    enqueue(data);
  else
    dropped++;
  struct packet *answer = packets_alloc_urgent();
  if (answer)
    enqueue(answer);
  else
    unanswered++;
}

// The main loop, whenever the radio is free to send. No packet comes meanwhile.
static void send_all(void)
{
  uint32_t sent = 0;
  for (struct packet *next; queue; queue = next, sent++) {
    next = queue->next;
    packets_free(queue);
  }
  print_number("sent ", sent, " packets\n");
}

static void receive(uint32_t packets)
{
  while (packets--) board_pend();
  print_number("data dropped: ", dropped, ", ");
  print_number("unanswered: ", unanswered, "\n");
  send_all();
}

int main(void)
{
  receive(3);
  receive(5);
  receive(9);
  return 0;
}
