// SPDX-License-Identifier: MIT
// tp_cores_port.h - the lock of all cores is a model: another core has it for
// as many attempts as a test says, and which one runs, a test says, too.
#ifndef TP_CORES_PORT_H
#define TP_CORES_PORT_H

#include <stdbool.h>
#include <stdint.h>

#define TP_CORES_PORT_NUMBER() cores_number

extern uint32_t cores_number;
extern uint32_t cores_taken;    // Attempts that find the lock taken,
extern uint32_t cores_waits;    // and how many did.
extern uint32_t cores_windows;  // How often it was taken.
extern bool cores_held;

bool tp_cores_port_take(void);
void tp_cores_port_give(void);

#endif
