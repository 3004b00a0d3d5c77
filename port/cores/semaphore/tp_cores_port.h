// SPDX-License-Identifier: MIT
// tp_cores_port.h - a lock of all cores by two functions of the application:
// those of a hardware semaphore, as STM32H7's HSEM.
#ifndef TP_CORES_PORT_H
#define TP_CORES_PORT_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

// Takes the lock if no core has it, and then no access of what follows comes
// before that: a barrier. Returns true iff it was taken. Called with interrupts
// masked; must return at once.
bool tp_cores_port_take(void);

// Gives it back, once every access before has come to memory: a barrier.
void tp_cores_port_give(void);

#ifdef __cplusplus
}
#endif

#endif
