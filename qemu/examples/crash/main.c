// SPDX-License-Identifier: MIT
// crash - a radio dies, and tells at its next boot of what: an acknowledgement
// that came twice frees its packet twice.
#include "check/tp_crash.h"
#include "print.h"
#include "tp_pools.h"

extern uint32_t stack_top[];
static struct packet *sent;
static uint32_t awaited;  // From whom an acknowledgement is to come.

__attribute__((noreturn)) static void reset_the_system(void)
{
  *(volatile uint32_t *)0xe000ed0c = 0x05fa0004;  // AIRCR: SYSRESETREQ
  for (;;) __asm__ volatile("dsb");
}

void tp_fault(const struct tp_fault_record *record)
{
  const struct tp_owner *owner = tp_fault_owner_of(record);
  tp_crash_save(record, stack_top);
  if (owner) tp_crash_note(owner, sizeof *owner / 4);
  reset_the_system();
}

static void put(char character)
{
  print((const char[]){character, 0});
}

static void send(uint32_t to)
{
  sent = packets_alloc();
  if (sent) sent->to = awaited = to;
}

static void acknowledge(uint32_t from)
{
  if (from == awaited) packets_free(sent);
  tp_clock_now++;
}

int main(void)
{
  const struct tp_crash *crash = tp_crash_validate();
  if (crash) {
    print("dead, of:\n");
    tp_crash_print(crash, put);
    tp_crash_forget();
    return 0;
  }
  print("boot\n");
  send(7);
  for (uint32_t i = 0; i < 2; i++) acknowledge(7);
  return 1;
}
