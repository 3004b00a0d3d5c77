// SPDX-License-Identifier: MIT
// mps2-an385: Cortex-M3 at 25 MHz, the reference.
#define CLOCK_HZ 25000000u
#define UART     0x40004000u
#include "cmsdk.h"
