// SPDX-License-Identifier: MIT
// tp_cores_port.h - port/cores/sio, counted, at the RP2040's own addresses,
// where sio.c answers.
#define TP_CORES_SPINLOCK  0xd0000170u
#define tp_cores_port_take tp_cores_of_port_take
#include "../../../../port/cores/sio/tp_cores_port.h"
#undef tp_cores_port_take
#include "../counted.h"
