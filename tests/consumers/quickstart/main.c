// SPDX-License-Identifier: MIT
#include "tp_pools.h"
extern uint32_t stack_top[], bss_start[], bss_end[];
void reset(void)
{
  for (volatile uint32_t *word = bss_start; word < bss_end;) *word++ = 0;
  struct spark *spark = sparks_alloc(), *next;
  for (packets_alloc(); (next = sparks_alloc()); spark = next)
    sparks_free(spark);
}
__attribute__((section(".vectors"), used)) void *const vectors[] = {
    stack_top,
    reset,
};
