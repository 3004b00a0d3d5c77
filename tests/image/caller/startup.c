// SPDX-License-Identifier: MIT
// startup.c - makes each mistake, comes back from its fault and prints where
// the record says that the call was. RAM is zero in the emulator.
#include "mistakes.h"
#include "tidepool.h"

extern char stack_top[];

// Ten registers; jump_back() returns once more from jump_set(), with 1.
static uint32_t place[10];
__attribute__((returns_twice)) int jump_set(uint32_t *to);
__attribute__((noreturn)) void jump_back(uint32_t *to);
__asm(
    ".syntax unified\n.thumb\n"
    ".global jump_set\n.thumb_func\njump_set:\n"
    "stmia r0!, {r4-r7}\nmov r1, r8\nmov r2, r9\nmov r3, r10\n"
    "stmia r0!, {r1-r3}\nmov r1, r11\nmov r2, sp\nmov r3, lr\n"
    "stmia r0!, {r1-r3}\nmovs r0, #0\nbx lr\n"
    ".global jump_back\n.thumb_func\njump_back:\n"
    "adds r0, #16\nldmia r0!, {r1-r3}\nmov r8, r1\nmov r9, r2\nmov r10, r3\n"
    "ldmia r0!, {r1-r3}\nmov r11, r1\nmov sp, r2\nmov lr, r3\n"
    "subs r0, #40\nldmia r0!, {r4-r7}\nmovs r0, #1\nbx lr\n");

static void semihost(uint32_t call, const void *block)
{
  register uint32_t r0 __asm("r0") = call;
  register const void *r1 __asm("r1") = block;
  __asm volatile("bkpt 0xab" : "+r"(r0) : "r"(r1) : "memory");
}

static void print(const char *text)
{
  semihost(0x04, text);
}

static void print_hex(uint32_t value)
{
  char text[9];
  for (int i = 7; i >= 0; i--, value >>= 4) {
    text[i] = "0123456789abcdef"[value & 15];
  }
  text[8] = 0;
  print(text);
}

void tp_fault(const struct tp_fault_record *record)
{
  (void)record;
  jump_back(place);
}

static void try_out(const struct mistake *mistake)
{
  print(mistake->name);
  print(" ");
  if (!jump_set(place)) {
    mistake->make();
    print("nothing noticed\n");
    return;
  }
  print_hex((uint32_t)(uintptr_t)tp_fault_record.caller);
  print("\n");
}

void reset(void)
{
  for (const struct mistake *mistake = mistakes; mistake->name; mistake++) {
    try_out(mistake);
  }
  semihost(0x18, (const void *)0x20026);
}

static void crash(void)
{
  print("crashed\n");
  semihost(0x18, (const void *)0x20023);
}

__attribute__((section(".vectors"), used)) static void *const vectors[] = {
    stack_top, reset, crash, crash};
