// SPDX-License-Identifier: MIT
// tp_wait_port.h - tasks that are calls: what others do while one sleeps is a
// function, which may wait itself, and so sleep in turn.
#ifndef TP_WAIT_PORT_H
#define TP_WAIT_PORT_H

#include <stdbool.h>
#include <stdint.h>

struct tp_wait_sleeper {
  bool woken;
};

bool tp_wait_port_can_sleep(void);
uint32_t tp_wait_port_urgency(void);
void tp_wait_port_prepare(struct tp_wait_sleeper *sleeper);
void tp_wait_port_end(struct tp_wait_sleeper *sleeper);
void tp_wait_port_wake(struct tp_wait_sleeper *sleeper);
bool tp_wait_port_sleep(struct tp_wait_sleeper *sleeper, uint32_t ticks);

#endif
