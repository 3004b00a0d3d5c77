// SPDX-License-Identifier: MIT
// tp_wait_port.h - the port for super-loops, with a clock that goes on when it
// is looked at.
#include <stdint.h>

uint32_t sweep_clock(void);
#define TP_WAIT_NOW sweep_clock()

#include "../../../port/wait/bare/tp_wait_port.h"
