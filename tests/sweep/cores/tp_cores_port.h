// SPDX-License-Identifier: MIT
// tp_cores_port.h - port/cores/exclusive, which counts how often a core found
// the lock taken, and then has the other core go on: the emulator runs them in
// turns.
#include "second.h"

#define TP_CORES_IDENTITY  0x5001f000u  // CPU_IDENTITY of second.c.
#define tp_cores_port_take tp_cores_exclusive_take
#include "../../../port/cores/exclusive/tp_cores_port.h"
#undef tp_cores_port_take

TP_INLINE bool tp_cores_port_take(void)
{
  if (tp_cores_exclusive_take()) return true;
  core_waited();
  return false;
}
