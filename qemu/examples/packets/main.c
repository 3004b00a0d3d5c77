// SPDX-License-Identifier: MIT
// packets - a radio receives more than the node can send on. Data is dropped;
// every acknowledgement still finds a buffer, from the reserve.
#include "board.h"
#include "print.h"
#include "soaked.h"
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
static uint32_t send_all(void)
{
  uint32_t sent = 0;
  for (struct packet *next; queue; queue = next, sent++) {
    next = queue->next;
    packets_free(queue);
  }
  return sent;
}

static void receive(uint32_t packets)
{
  while (packets--) board_pend();
}

#if TIDEPOOL_SOAK
// A few packets a frame, at times more than there is room for.
int main(void)
{
  tp_soak_begin(&soak);
  uint32_t chance = (uint32_t)soak.seed;
  while (soak.frame < soak.frames) {
    chance = chance * 1664525u + 1013904223u;
    receive((chance >> 24) * (chance >> 24) * 10 >> 16);
    soak.hash = soak.hash * 31 + send_all();
    soak.interrupts = sequence;
    tp_soak_frame(&soak);
  }
  tp_soak_end(&soak);
}
#else
static void tell(uint32_t packets)
{
  receive(packets);
  print_number("data dropped: ", dropped, ", ");
  print_number("unanswered: ", unanswered, "\n");
  print_number("sent ", send_all(), " packets\n");
}

int main(void)
{
  tell(3);
  tell(5);
  tell(9);
  return 0;
}
#endif
