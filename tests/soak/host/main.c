// SPDX-License-Identifier: MIT
// main.c - a program that makes one mistake, the one that [settings] mistake
// says, in a frame: in the line that ends with its name.
#include "board.h"
#include "tp_pools.h"
#include "tp_soak.h"

enum { CRATE_WORDS = 6, FRAME = 90 };

static struct tp_soak soak = TP_SOAK;

void tp_soak_put(uint8_t byte)
{
  board_put(byte);
}

void tp_fault(const struct tp_fault_record *record)
{
  tp_soak_fault(record);
}

void board_handler(void)
{
}

static void nothing(void)
{
}

static void read_after_free(void)
{
  uint32_t *crate = crates_alloc();
  crates_free(crate);
  soak.hash += crate[1];  // read_after_free
}

static void write_after_free(void)
{
  uint32_t *crate = crates_alloc();
  crates_free(crate);
  *crate = 7;  // write_after_free
}

static void overrun(void)
{
  uint32_t *crate = crates_alloc();
  crate[CRATE_WORDS] = 7;  // overrun
}

static void underrun(void)
{
  uint32_t *crate = crates_alloc();
  crate[-1] = 7;  // underrun
}

static void never_issued(void)
{
  uint32_t *crate = crates_alloc();
  crate[4 * CRATE_WORDS] = 7;  // never_issued
}

static void last_frame(void)
{
  uint32_t *order = orders_alloc(16, 4);
  orders_end();
  *order = 7;  // last_frame
}

static void beyond_top(void)
{
  uint32_t *order = orders_alloc(16, 4);
  order[4] = 7;  // beyond_top
}

static void never_a_bird(void)
{
  birds_handle_t handle;
  uint32_t *bird = birds_alloc(&handle);
  bird[4] = 7;  // never_a_bird
}

static void gone_bird(void)
{
  birds_handle_t handle;
  uint32_t *bird = birds_alloc(&handle);
  birds_free(handle);
  *bird = 7;  // gone_bird
}

static void moved_map(void)
{
  maps_handle_t first = maps_alloc(64);
  maps_handle_t second = maps_alloc(64);
  uint32_t *map = maps_lock(second);
  maps_unlock(second);
  maps_free(first);
  maps_step();
  map[15] = 7;  // moved_map
}

static void overflow(void)
{
  int32_t most = INT32_MAX - (int32_t)soak.frame;
  soak.hash += (uint32_t)(most + FRAME + 1);  // overflow
}

static void freed_twice(void)
{
  uint32_t *crate = crates_alloc();
  crates_free(crate);
  crates_free(crate);  // freed_twice
}

static void hang(void)
{
  volatile uint32_t waiting = 1;
  while (waiting) continue;  // hang
}

static void (*const mistakes[])(void) = {
    nothing,      read_after_free, write_after_free, overrun,      underrun,
    never_issued, last_frame,      beyond_top,       never_a_bird, gone_bird,
    moved_map,    overflow,        freed_twice,      hang,
};

static void play_a_frame(void)
{
  static void *crate;  // In every second frame.
  if (crate) crates_free(crate);
  crate = crate ? NULL : crates_alloc();
  void *order = orders_alloc(8, 4);
  soak.hash = soak.hash * 31 + (order != NULL);
  orders_end();
}

int main(void)
{
  tp_soak_begin(&soak);
  uint32_t mistake = tp_soak_setting("mistake", 0);
  for (uint32_t i = 0; i < soak.frames; i++) {
    play_a_frame();
    if (i == FRAME) mistakes[mistake]();
    tp_soak_frame(&soak);
  }
  tp_soak_end(&soak);
}
