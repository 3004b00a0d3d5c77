// SPDX-License-Identifier: MIT
// tp_cores_port.h - of a core alone: nobody else has the lock. It is the first
// one, unless who includes this says which.
#ifndef TP_CORES_PORT_H
#define TP_CORES_PORT_H

#include <stdbool.h>

#include "tp_port.h"

#ifndef TP_CORES_PORT_NUMBER
#define TP_CORES_PORT_NUMBER() 0u
#endif

TP_INLINE bool tp_cores_port_take(void)
{
  return true;
}

TP_INLINE void tp_cores_port_give(void)
{
}

#endif
