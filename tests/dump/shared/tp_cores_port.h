// SPDX-License-Identifier: MIT
// tp_cores_port.h - one core, which takes itself for another as it is told.
#ifndef TP_CORES_PORT_H
#define TP_CORES_PORT_H

#include <stdbool.h>
#include <stdint.h>

#include "tp_port.h"

#define TP_CORES_PORT_NUMBER() shared_core

extern uint32_t shared_core;

TP_INLINE bool tp_cores_port_take(void)
{
  return true;
}

TP_INLINE void tp_cores_port_give(void)
{
}

#endif
