// SPDX-License-Identifier: MIT
// tp_cores_port.h - of a core alone: nobody else has the lock, and what it
// keeps for itself it is interrupted at.
#ifndef TP_CORES_PORT_H
#define TP_CORES_PORT_H

#include <stdbool.h>

#include "tp_port.h"

#define TP_CORES_PORT_NUMBER() 0u

TP_INLINE bool tp_cores_port_take(void)
{
  return true;
}

TP_INLINE void tp_cores_port_give(void)
{
}

#endif
