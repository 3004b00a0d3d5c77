// SPDX-License-Identifier: MIT
#ifndef DMA_H
#define DMA_H

#include "core/tp_shape.h"
#include "lines.h"
#include "object/tp_dma.h"
#include "tp_pools.h"
#include "tp_port.h"
#include "tp_test.h"

enum { CHECKED = TP_CHECKS >= TP_CHECKS_FAST };

// As if nothing had ever been issued or lent, and the cache has nothing.
#define FORGET(name)                                                  \
  do {                                                                \
    tp_test_forget(&name##_pool);                                     \
    for (uint32_t i = 0; i < TP_LENT(name##_pool.capacity); i++) {    \
      name##_dma.lent[i] = 0;                                         \
    }                                                                 \
    lines_watch((uint8_t *)name##_pool.storage - name##_pool.stride + \
                    name##_pool.size,                                 \
                (uint32_t)name##_pool.capacity * name##_pool.stride); \
  } while (0)

void suite_bugs(void);
void suite_orders(void);
void suite_calls(void);
void suite_ends(void);

#endif
