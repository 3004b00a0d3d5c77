// SPDX-License-Identifier: MIT
// startup.c - from reset to main() on any Cortex-M board.
#include <stdint.h>

#include "board.h"
#include "semihost.h"

extern uint32_t data_start[], data_end[], data_image[];
extern uint32_t bss_start[], bss_end[], stack_top[];

int main(void);

// Where the image begins to execute.
__attribute__((noreturn)) void reset(void)
{
  for (uint32_t *to = data_start, *from = data_image; to < data_end;) {
    *to++ = *from++;
  }
  for (uint32_t *word = bss_start; word < bss_end;) *word++ = 0;
  board_init();
  semihost_exit(main());
}

// An exception nobody expects ends the run: a CPU fault is never a diagnosis.
__attribute__((noreturn)) static void unexpected(void)
{
  semihost_exit(SEMIHOST_CPU_FAULT);
}

// What the processor itself complains of, for who can tell more of it.
#define UNLESS_DEFINED __attribute__((noreturn, weak, alias("unexpected")))
UNLESS_DEFINED void board_nmi(void);
UNLESS_DEFINED void board_hard_fault(void);
UNLESS_DEFINED void board_mem_manage(void);

// What board_pend() pends and board_timer_after() fires.
__attribute__((weak)) void board_handler(void)
{
  unexpected();
}

// What a kernel has of its own, by the names that CMSIS has for them.
__attribute__((weak)) void SVC_Handler(void)
{
  unexpected();
}

__attribute__((weak)) void PendSV_Handler(void)
{
  unexpected();
}

void board_sleep(void)
{
  __asm volatile("wfi");
}

void board_reset(void)
{
  *(volatile uint32_t *)(uintptr_t)0xe000ed0c = 0x05fa0004;  // AIRCR.
  for (;;) __asm volatile("dsb");
}

typedef void (*vector)(void);

__attribute__((section(".vectors"), used)) static const vector vectors[] = {
    [0] = (vector)stack_top, [1] = reset,
    [2] = board_nmi,         [3] = board_hard_fault,
    [4] = board_mem_manage,  [5 ... 10] = unexpected,
    [11] = SVC_Handler,      [12 ... 13] = unexpected,
    [14] = PendSV_Handler,   [15 ... 47] = board_handler,
};
