// SPDX-License-Identifier: MIT
// tp_dma_port.h - the data cache of Cortex-M7, M55 and M85: lines of 32 bytes,
// cleaned and dropped by address through registers of the System Control Space
// (Arm DDI 0403, B2.2.7; DDI 0553, D1.1.4).
//
// For memory that is cached, whether it is written back or through; where a
// cache is off, or a part has none, they do nothing. Privileged code alone may
// write to them.
#ifndef TP_DMA_PORT_H
#define TP_DMA_PORT_H

#include <stdint.h>

#include "tp_port.h"

#ifdef __cplusplus
extern "C" {
#endif

#define TP_DMA_PORT_LINE       32
#define TP_DMA_PORT_CLEAN      0xe000ef68u  // DCCMVAC
#define TP_DMA_PORT_INVALIDATE 0xe000ef5cu  // DCIMVAC

// No access from before this is still to come; what follows, instructions too,
// begins anew.
TP_INLINE void tp_dma_port_barrier(void)
{
  __asm volatile("dsb\n\tisb" : : : "memory");
}

// Does to each line of [bytes] at [begin] what the register at [what] does to
// the line of the address that is written to it.
TP_INLINE void tp_dma_port_lines(uintptr_t what, uintptr_t begin,
                                 uint32_t bytes)
{
  for (uint32_t at = 0; at < bytes; at += TP_DMA_PORT_LINE) {
    *(volatile uint32_t *)what = (uint32_t)begin + at;
  }
}

// Writes lines that were changed back to memory.
TP_INLINE void tp_dma_port_clean(uintptr_t begin, uint32_t bytes)
{
  tp_dma_port_lines(TP_DMA_PORT_CLEAN, begin, bytes);
}

// Forgets lines, changed or not.
TP_INLINE void tp_dma_port_invalidate(uintptr_t begin, uint32_t bytes)
{
  tp_dma_port_lines(TP_DMA_PORT_INVALIDATE, begin, bytes);
}

#ifdef __cplusplus
}
#endif

#endif
