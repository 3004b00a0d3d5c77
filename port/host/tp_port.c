// SPDX-License-Identifier: MIT
#include "tp_port.h"

uint32_t tp_port_depth;
uint32_t tp_port_windows;
uint32_t tp_port_lost;
uint32_t tp_port_due;
uint32_t tp_port_runs;
uint32_t tp_port_outside;

static void (*interrupt)(void);

void tp_port_interrupt_after(uint32_t edges, void (*handler)(void))
{
  tp_port_due = edges;
  interrupt = handler;
}

int tp_port_edge(void)
{
  if (tp_port_runs || --tp_port_due > 0) return 0;
  tp_port_runs = 1;
  interrupt();
  tp_port_runs = 0;
  return 1;
}
