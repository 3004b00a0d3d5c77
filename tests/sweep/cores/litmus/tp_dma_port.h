// SPDX-License-Identifier: MIT
// tp_dma_port.h - no cache, and barriers that are noted.
#ifndef TP_DMA_PORT_H
#define TP_DMA_PORT_H

#include <stdint.h>

#include "record.h"

#define TP_DMA_PORT_LINE 32

static inline void tp_dma_port_barrier(void)
{
  record_barrier();
}

static inline void tp_dma_port_clean(uintptr_t begin, uint32_t bytes)
{
  (void)begin;
  (void)bytes;
}

static inline void tp_dma_port_invalidate(uintptr_t begin, uint32_t bytes)
{
  (void)begin;
  (void)bytes;
}

#endif
