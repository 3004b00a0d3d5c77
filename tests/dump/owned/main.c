// SPDX-License-Identifier: MIT
// owned - a firmware without TIDEPOOL_SOAK whose pools say who holds what:
// music from the main loop, alarms from an interrupt, and a packet that is
// acknowledged twice.
#include "board.h"
#include "tp_pools.h"

enum { MUSIC = 17, FRAME = 1200 };

static sounds_handle_t siren;
static void *sent;

static __attribute__((noinline)) void play_music(void)
{
  sounds_handle_t sound;
  sounds_alloc_handle(&sound);  // Music.
  tp_clock_now++;
}

void board_handler(void)
{
  if (sounds_get(siren)) {
    sounds_free_handle(siren);  // The alarm ends.
    return;
  }
  sounds_alloc_handle(&siren);  // An alarm.
}

static __attribute__((noinline)) void acknowledge(void)
{
  packets_free(sent);  // It came.
  tp_clock_now++;
}

// Where a debugger stops.
__attribute__((noinline)) void all_is_held(void)
{
  __asm volatile("" : : : "memory");
}

int main(void)
{
  tp_clock_now = FRAME;
  for (int i = 0; i < MUSIC; i++) play_music();
  for (int i = 0; i < 3; i++) board_pend();  // Begins, ends, begins.
  sent = packets_alloc();                    // What is sent.
  acknowledge();
  sparks_alloc();
  (void)tp_pool_alloc(&packets_pool);
  for (int i = 0; i < 3; i++) seats_alloc_urgent();  // A seat.
  tp_pool_reset(&seats_pool);
  void *order = orders_alloc();  // An order.
  orders_free(order);            // It is done.
  all_is_held();
  sent = packets_alloc();  // What is sent last.
  for (int i = 0; i < 2; i++) acknowledge();
  return 0;
}
