// SPDX-License-Identifier: MIT
// tp_cores_port.h - port/cores/exclusive, counted.
#define TP_CORES_IDENTITY  0x5001f000u  // CPU_IDENTITY of second.c.
#define tp_cores_port_take tp_cores_of_port_take
#include "../../../../port/cores/exclusive/tp_cores_port.h"
#undef tp_cores_port_take
#include "../counted.h"
