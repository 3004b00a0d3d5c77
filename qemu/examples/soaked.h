// SPDX-License-Identifier: MIT
// soaked.h - what an example that qemu/soak runs tells it by: the UART, and its
// fault. Built without TIDEPOOL_SOAK it has none of it.
#ifndef SOAKED_H
#define SOAKED_H

#if TIDEPOOL_SOAK
#include "board.h"
#include "tp_soak.h"

static struct tp_soak soak = TP_SOAK;

void tp_soak_put(uint8_t byte)
{
  board_put(byte);
}

void tp_fault(const struct tp_fault_record *record)
{
  tp_soak_fault(record);
}
#endif

#endif
