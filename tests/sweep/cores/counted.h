// SPDX-License-Identifier: MIT
// counted.h - a port's tp_cores_port_take(), which is tp_cores_of_port_take()
// here, counted: how often a core found the lock taken, which then has the
// other core go on, as the emulator runs them in turns.
#ifndef COUNTED_H
#define COUNTED_H

#include "second.h"

TP_INLINE bool tp_cores_port_take(void)
{
  if (tp_cores_of_port_take()) return true;
  core_waited();
  return false;
}

#endif
