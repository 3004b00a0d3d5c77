// SPDX-License-Identifier: MIT
// tp_cores_port.h - port/cores/semaphore, whose two functions are in turns.c.
#include "../../../../port/cores/semaphore/tp_cores_port.h"

#include "turns.h"

#define TP_CORES_PORT_NUMBER() turns_core()
