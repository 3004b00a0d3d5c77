// SPDX-License-Identifier: MIT
// kept - a firmware that keeps its last events: a call of each kind, each in a
// function of its own, then a theft, and a packet that is given back twice.
#include "board.h"
#include "check/tp_crash.h"
#include "check/tp_events.h"
#include "semihost.h"
#include "tp_pools.h"

enum { FRAME = 5000, LATER = 9000 };
#define OWN __attribute__((noinline))

static void *packet;
static sounds_handle_t sound;
extern uint32_t stack_top[];

OWN static void send(void)
{
  packet = packets_alloc();  // A packet.
  tp_clock_now++;
}

OWN static void acknowledge(void)
{
  packets_free(packet);  // It came.
  tp_clock_now++;
}

OWN static void play(void)
{
  sounds_alloc_handle(&sound);  // A sound.
  tp_clock_now++;
}

OWN static void stop(void)
{
  sounds_free_handle(sound);  // Its end.
  tp_clock_now++;
}

OWN static void shout(void)
{
  sparks_free(sparks_alloc());  // A spark.
  tp_clock_now++;
}

OWN static void order(void)
{
  orders_free(orders_alloc());  // An order.
  tp_clock_now++;
}

OWN static void build(void)
{
  heap_free(heap_alloc(20));  // A block.
  tp_clock_now++;
}

void board_handler(void)
{
  notes_free(notes_alloc());  // A note.
  tp_clock_now++;
}

// Where a debugger stops.
OWN void all_is_noted(void)
{
  __asm volatile("" : : : "memory");
}

static void put(char character)
{
  semihost_print((const char[]){character, 0});
}

void tp_fault(const struct tp_fault_record *record)
{
  tp_crash_save(record, stack_top);
  tp_crash_print(tp_crash_validate(), put);
  semihost_exit(1);
}

int main(void)
{
  tp_clock_now = FRAME;
  send();
  acknowledge();
  for (int i = 0; i < 3; i++) play();  // The third is the first's.
  stop();
  shout();
  order();
  build();
  board_pend();
  tp_clock_now = LATER;
  send();
  all_is_noted();
  for (int i = 0; i < 2; i++) acknowledge();
  return 1;
}
