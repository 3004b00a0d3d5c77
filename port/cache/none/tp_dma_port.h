// SPDX-License-Identifier: MIT
// tp_dma_port.h - no data cache: Cortex-M0 to M4 and M33, and an M7 whose
// buffers lie in memory that the MPU says is not cached. What the CPU wrote
// still is in memory before a device is told to look at it.
#ifndef TP_DMA_PORT_H
#define TP_DMA_PORT_H

#include <stdint.h>

#include "tp_port.h"

#define TP_DMA_PORT_LINE 4

TP_INLINE void tp_dma_port_barrier(void)
{
#ifdef __arm__
  __asm volatile("dsb" : : : "memory");
#else
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
#endif
}

TP_INLINE void tp_dma_port_clean(uintptr_t begin, uint32_t bytes)
{
  (void)begin;
  (void)bytes;
}

TP_INLINE void tp_dma_port_invalidate(uintptr_t begin, uint32_t bytes)
{
  (void)begin;
  (void)bytes;
}

#endif
