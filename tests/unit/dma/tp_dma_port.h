// SPDX-License-Identifier: MIT
// tp_dma_port.h - the cache is a model: lines.h.
#ifndef TP_DMA_PORT_H
#define TP_DMA_PORT_H

#include <stdint.h>

#define TP_DMA_PORT_LINE 32

void tp_dma_port_barrier(void);
void tp_dma_port_clean(uintptr_t begin, uint32_t bytes);
void tp_dma_port_invalidate(uintptr_t begin, uint32_t bytes);

#endif
