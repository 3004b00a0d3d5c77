// SPDX-License-Identifier: MIT
// mps2-an386: Cortex-M4F at 25 MHz.
#define UART 0x40004000u
#include "cmsdk.h"
