// SPDX-License-Identifier: MIT
#include "tp_port.h"

uint32_t tp_port_depth;
uint32_t tp_port_windows;
uint32_t tp_port_lost;
