// SPDX-License-Identifier: MIT
// Somebody's own firmware that gets into trouble in frame 130, of the kind that
// the scenario says: what a soak and `why` make of it.
#include "board.h"
#include "tp_pools.h"
#include "tp_soak.h"

enum { TROUBLE = 130 };
enum { SPIN = 1, SLEEP, FLOOD, CPU_FAULT, REPEND, BROKEN_HOPE };

static struct tp_soak soak = TP_SOAK;
static volatile uint32_t pending;

void tp_soak_put(uint8_t byte)
{
  board_put(byte);
}

void tp_fault(const struct tp_fault_record *record)
{
  tp_soak_fault(record);
}

// An interrupt that asks for the next one.
void board_handler(void)
{
  pending++;
  board_pend();
}

static void spin(void)
{
  while (!pending) {
  }
}

static void sleep_for_ever(void)
{
  while (!pending) board_sleep();
}

static void flood(void)
{
  for (;;) board_put('x');
}

static void touch(volatile uint32_t *device)
{
  *device = 1;
  pending++;
}

static void get_into(uint32_t trouble)
{
  if (trouble == SPIN) spin();
  if (trouble == SLEEP) sleep_for_ever();
  if (trouble == FLOOD) flood();
  if (trouble == CPU_FAULT) touch((uint32_t *)0x9fff0000u);
  if (trouble == REPEND) board_pend();
}

static void play_a_frame(uint32_t trouble)
{
  void *item = items_alloc();
  items_free(item);
  if (soak.frame == TROUBLE) get_into(trouble);
  bool broken = trouble == BROKEN_HOPE && soak.frame >= TROUBLE;
  tp_soak_expect("items are whole", !broken);
}

int main(void)
{
  tp_soak_begin(&soak);
  uint32_t trouble = tp_soak_setting("trouble", 0);
  for (uint32_t i = 0; i < soak.frames; i++) {
    play_a_frame(trouble);
    tp_soak_frame(&soak);
  }
  tp_soak_end(&soak);
}
