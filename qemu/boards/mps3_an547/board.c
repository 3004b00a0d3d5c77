// SPDX-License-Identifier: MIT
// mps3-an547: Cortex-M55 at 32 MHz, its secure side.
#define UART 0x59303000u
#include "cmsdk.h"
