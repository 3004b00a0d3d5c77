// SPDX-License-Identifier: MIT
// tp_cores_port.h - one core, which takes itself for another as it is told.
#include <stdint.h>

extern uint32_t shared_core;
#define TP_CORES_PORT_NUMBER() shared_core
#include "../../sweep/solo/tp_cores_port.h"
