// SPDX-License-Identifier: MIT
// tp_cores_port.h - port/cores/semaphore, whose two functions are in turns.c.
#include "../../../../port/cores/semaphore/tp_cores_port.h"

#include "turns.h"

// The controls have both cores take themselves for the same.
#define TP_CORES_PORT_NUMBER() (TURNS_ALIKE ? 0 : turns_core())
