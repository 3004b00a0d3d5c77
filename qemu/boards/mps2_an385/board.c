// SPDX-License-Identifier: MIT
// mps2-an385: Cortex-M3 at 25 MHz, the reference.
#define UART 0x40004000u
#include "cmsdk.h"
