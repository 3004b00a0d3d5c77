// SPDX-License-Identifier: MIT
// tp_cores_port.h - port/cores/exclusive on the one core of a board, whose
// number is the lowest bit of CPUID.
#define TP_CORES_IDENTITY 0xe000ed00u
#include "../../../port/cores/exclusive/tp_cores_port.h"
