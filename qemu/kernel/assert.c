// SPDX-License-Identifier: MIT
// assert.c - configASSERT() of FreeRTOSConfig.h, which is the application's,
// not the kernel's. Weak: a test goes on.
#include "FreeRTOS.h"
#include "semihost.h"

__attribute__((weak)) void vAssertCalled(const char *claim)
{
  semihost_print("kernel: not so: ");
  semihost_print(claim);
  semihost_print("\n");
  semihost_exit(1);
}
