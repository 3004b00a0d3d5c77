// SPDX-License-Identifier: MIT
// Somebody's own firmware that gets into trouble in frame 130, of the kind that
// the scenario says: what a soak and `why` make of it.
#include <string.h>

#include "board.h"
#include "semihost.h"
#include "tidy.h"
#include "tp_pools.h"
#include "tp_soak.h"

enum { TROUBLE = 130 };
enum { SPIN = 1, SLEEP, FLOOD, CPU_FAULT, REPEND, BROKEN_HOPE };
enum { COMMAND = 7, READ, WRITE, REMOVE, RENAME, PRINT };  // Semihosting.
enum { TAKEN_AWAY = 13, GIVEN_UP, ABOVE_BUDGET, RESET, AGAIN };
enum { BUDGET = 20000, TURNS = 10000 };

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

static uint32_t ask_host(uint32_t operation, const void *argument)
{
  register uint32_t r0 __asm("r0") = operation;
  register const void *r1 __asm("r1") = argument;
  __asm volatile("bkpt 0xab" : "+r"(r0) : "r"(r1) : "memory");
  return r0;
}

static uint32_t address(const char *text)
{
  return (uint32_t)(uintptr_t)text;
}

static void open_file(const char *name, uint32_t mode)
{
  const uint32_t block[] = {address(name), mode, strlen(name)};
  pending += ask_host(0x01, block);
}

static void name_files(uint32_t operation, const char *one, const char *other)
{
  const uint32_t block[] = {address(one), strlen(one), address(other),
                            strlen(other)};
  pending += ask_host(operation, block);
}

static void attack(uint32_t trouble)
{
  if (trouble == COMMAND) name_files(0x12, "touch ../made", "");
  if (trouble == READ) open_file("/etc/hostname", 0);
  if (trouble == WRITE) open_file("../made", 4);
  if (trouble == REMOVE) name_files(0x0e, "../victim", "");
  if (trouble == RENAME) name_files(0x0f, "../victim", "../made");
}

static void burn(void)
{
  for (volatile uint32_t i = 0; i < TURNS; i++) {
  }
}

__attribute__((noreturn)) static void reset_the_system(void)
{
  *(volatile uint32_t *)0xe000ed0c = 0x05fa0004;  // AIRCR: SYSRESETREQ
  for (;;) __asm volatile("dsb");
}

static void get_into(uint32_t trouble)
{
  if (trouble == RESET) reset_the_system();
  if (trouble == AGAIN) tp_soak_begin(&soak);
  if (trouble == ABOVE_BUDGET) burn();
  if (trouble == SPIN) spin();
  if (trouble == SLEEP) sleep_for_ever();
  if (trouble == FLOOD) flood();
  if (trouble == CPU_FAULT) touch((uint32_t *)0x9fff0000u);
  if (trouble == REPEND) board_pend();
}

// Whoever writes to an item that was taken away is right; to one that he gave
// up, he is not.
static void keep_writing(uint32_t trouble)
{
  static uint32_t *kept;
  if (soak.frame == TROUBLE) kept = (uint32_t *)items_alloc();
  if (soak.frame == TROUBLE + 1 && trouble == TAKEN_AWAY) tidy_up(kept);
  if (soak.frame == TROUBLE + 1 && trouble == GIVEN_UP) items_free(kept);
  if (kept) kept[1] = soak.frame;
}

static void play_a_frame(uint32_t trouble)
{
  void *item = items_alloc();
  items_free(item);
  if (soak.frame == TROUBLE) get_into(trouble);
  if (soak.frame == TROUBLE) attack(trouble);
  if (trouble == TAKEN_AWAY || trouble == GIVEN_UP) keep_writing(trouble);
  if (trouble == PRINT) semihost_print("a frame\n");
  bool broken = trouble == BROKEN_HOPE && soak.frame >= TROUBLE;
  tp_soak_expect("items are whole", !broken);
}

int main(void)
{
  tp_soak_begin(&soak);
  uint32_t trouble = tp_soak_setting("trouble", 0);
  tp_soak_budget(BUDGET);
  for (uint32_t i = 0; i < soak.frames; i++) {
    play_a_frame(trouble);
    tp_soak_frame(&soak);
  }
  tp_soak_end(&soak);
}
