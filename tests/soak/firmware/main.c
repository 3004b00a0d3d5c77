// SPDX-License-Identifier: MIT
// Somebody's own firmware: clients who order and are served. With MISTAKE it
// serves one of them twice.
#include "board.h"
#include "tp_pools.h"
#include "tp_soak.h"

enum { ORDERS = 20 };

static struct tp_soak soak = TP_SOAK;
static void *orders[ORDERS];
static uint32_t state;

void tp_soak_put(uint8_t byte)
{
  board_put(byte);
}

void tp_fault(const struct tp_fault_record *record)
{
  tp_soak_fault(record);
}

static uint32_t chance(void)
{
  return state = state * 1664525u + 1013904223u;
}

static void serve(uint32_t number)
{
  if (!orders[number]) return;
  orders_free(orders[number]);
  if (soak.frame != MISTAKE) orders[number] = 0;
}

static void play_a_frame(void)
{
  uint32_t number = (chance() >> 16) % ORDERS;
  if (!orders[number]) orders[number] = orders_alloc();
  void *client = clients_alloc();
  clients_free(client);
  uint32_t served = soak.frame == MISTAKE ? number : (chance() >> 16) % ORDERS;
  serve(served);
  if (soak.frame == MISTAKE) serve(served);
  soak.hash = soak.hash * 31 + number;
}

int main(void)
{
  tp_soak_begin(&soak);
  state = (uint32_t)soak.seed;
  for (uint32_t i = 0; i < soak.frames; i++) {
    play_a_frame();
    tp_soak_frame(&soak);
  }
  tp_soak_end(&soak);
}
