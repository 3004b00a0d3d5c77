// SPDX-License-Identifier: MIT
#include "tp_pools.h"
extern uint32_t stack_top[], bss_start[], bss_end[];
void reset(void)
{
  for (uint32_t *word = bss_start; word < bss_end;) *word++ = 0;
  for (;;) sparks_free(sparks_alloc()), packets_free(packets_alloc());
}
__attribute__((section(".vectors"), used)) void *const vectors[] = {stack_top, reset};
