// SPDX-License-Identifier: MIT
// mps2-an500: Cortex-M7 at 25 MHz.
#define UART 0x40004000u
#include "cmsdk.h"
