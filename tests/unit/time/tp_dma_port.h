// SPDX-License-Identifier: MIT
// tp_dma_port.h - a cache whose lines are cleaned and dropped one by one, which
// costs a piece of straight code a line.
#ifndef TP_DMA_PORT_H
#define TP_DMA_PORT_H

#include <stdint.h>

#include "tp_port.h"

#define TP_DMA_PORT_LINE 32

TP_INLINE void tp_dma_port_barrier(void)
{
  TP_BARRIER();
}

TP_INLINE void tp_dma_port_clean(uintptr_t begin, uint32_t bytes)
{
  for (uint32_t at = 0; at < bytes; at += TP_DMA_PORT_LINE) {
    *(volatile uint8_t *)(begin + at);
  }
}

TP_INLINE void tp_dma_port_invalidate(uintptr_t begin, uint32_t bytes)
{
  tp_dma_port_clean(begin, bytes);
}

#endif
