// SPDX-License-Identifier: MIT
// startup.c - a vendor's start-up in few lines. What main() returns becomes
// the emulator's exit code.
#include <stdint.h>

extern uint32_t bss_start[], bss_end[], stack_top[];

int main(void);

void leave(int code);
void leave(int code)
{
  const uint32_t block[2] = {0x20026, (uint32_t)code};
  register uint32_t r0 __asm("r0") = 0x20;  // SYS_EXIT_EXTENDED
  register const void *r1 __asm("r1") = block;
  __asm volatile("bkpt 0xab" : : "r"(r0), "r"(r1) : "memory");
}

void reset(void)
{
  for (volatile uint32_t *word = bss_start; word < bss_end;) *word++ = 0;
  for (;;) leave(main());
}

void crash(void);
void crash(void)
{
  for (;;) leave(99);
}

__attribute__((weak, alias("crash"))) void hard_fault(void);
__attribute__((weak, alias("crash"))) void mem_manage(void);

__attribute__((section(".vectors"), used)) static void *const vectors[] = {
    stack_top, reset, crash, hard_fault, mem_manage};
