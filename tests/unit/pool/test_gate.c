// SPDX-License-Identifier: MIT
#include "unit.h"

#include "config/tp_define.h"
#include "core/tp_slot.h"

static tp_word_t ground[64];

// A pool of [stride] that owns nothing: the gate only computes.
#define GATE(name, stride_bytes)                                       \
  static const struct tp_pool name = {                                 \
      .storage = ground,                                               \
      .origin = (uintptr_t)ground - (stride_bytes),                    \
      .stride = (stride_bytes),                                        \
      .capacity = 100,                                                 \
      .gate = TP_GATE(stride_bytes, 100),                              \
      .inverse = TP_INVERSE((stride_bytes) >> TP_SHIFT(stride_bytes)), \
  }

GATE(by4, 4);
GATE(by12, 12);
GATE(by20, 20);
GATE(by32, 32);
GATE(by96, 96);
GATE(by4104, 4104);

// Every address from [reach] bytes before the storage to [reach] behind it.
static void sweep(const struct tp_pool *pool, int32_t reach)
{
  for (int32_t offset = -reach; offset <= reach; offset++) {
    uintptr_t address = (uintptr_t)pool->storage + (uintptr_t)(intptr_t)offset;
    uintptr_t slot = tp_slot_of(pool, (const void *)address);
    bool let_in = slot >= 1 && slot <= pool->capacity;
    bool begins = offset >= 0 && offset % pool->stride == 0 &&
                  offset < pool->capacity * (int32_t)pool->stride;
    CHECK_EQ(let_in, begins);
    if (begins) CHECK_EQ(slot, offset / pool->stride + 1);
  }
}

static void the_gate_lets_in_the_first_byte_of_each_slot_and_nothing_else(void)
{
  sweep(&by4, 50000);
  sweep(&by12, 50000);
  sweep(&by20, 50000);
  sweep(&by32, 50000);
  sweep(&by96, 50000);
  sweep(&by4104, 500000);
}

static void the_gate_undoes_the_address_of_every_slot(void)
{
  for (uint32_t slot = 0; slot <= 100; slot++) {
    CHECK_EQ(tp_slot_of(&by20, (void *)tp_slot_address(&by20, slot)), slot);
  }
}

void suite_gate(void)
{
  RUN(the_gate_lets_in_the_first_byte_of_each_slot_and_nothing_else);
  RUN(the_gate_undoes_the_address_of_every_slot);
}
