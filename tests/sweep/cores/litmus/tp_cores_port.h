// SPDX-License-Identifier: MIT
// tp_cores_port.h - port/cores/semaphore, whose two functions are in record.c.
#include "../../../../port/cores/semaphore/tp_cores_port.h"
