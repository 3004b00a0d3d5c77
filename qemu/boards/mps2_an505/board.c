// SPDX-License-Identifier: MIT
// mps2-an505: Cortex-M33 at 20 MHz, its secure side.
#define UART 0x50200000u
#include "cmsdk.h"
