// SPDX-License-Identifier: MIT
#include "tp_port.h"

uint32_t tp_port_depth;
uint32_t tp_port_windows;
uint32_t tp_port_lost;
uint32_t tp_port_due;

static void (*interrupt)(void);
static int is_running;

void tp_port_interrupt_after(uint32_t edges, void (*handler)(void))
{
  tp_port_due = edges;
  interrupt = handler;
}

int tp_port_edge(void)
{
  if (is_running || --tp_port_due > 0) return 0;
  is_running = 1;
  interrupt();
  is_running = 0;
  return 1;
}
