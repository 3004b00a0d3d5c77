// SPDX-License-Identifier: MIT
#include "time.h"

uint32_t time_spent;
struct tp_pool drops, steals;
void *objects[2 * LARGEST];

// GCC calls it at the beginning of each piece of straight code.
void __sanitizer_cov_trace_pc(void);
void __sanitizer_cov_trace_pc(void)
{
  time_spent++;
}

bool is_constant(cost_of *cost)
{
  uint32_t at_8 = cost(8);
  return at_8 > 0 && cost(16) == at_8 && cost(32) == at_8;
}

// A handle's bits are counted once and again.
enum { BITS = 2 };

bool is_linear(cost_of *cost)
{
  uint32_t at_8 = cost(8), at_16 = cost(16), at_32 = cost(32);
  uint32_t step = at_16 - at_8;
  return step >= 8 && at_32 - at_16 - 2 * step + BITS <= 2 * BITS;
}

bool is_by_bytes(cost_of *cost)
{
  bool fills = TP_CHECKS >= TP_CHECKS_POISON;
  return fills ? is_linear(cost) : is_constant(cost);
}

static void build(struct tp_pool *pool, uint32_t count)
{
  static _Alignas(64) tp_word_t memory[2][2048];
  bool thief = pool == &steals;
  struct tp_build row = {
      .size = 16,
      .count = (tp_slot_t)count,
      .align = 8,
      .tagged = 1,
      .aged = thief,
      .timed = thief,
      .refuses = !thief,
      .policy = thief ? &tp_steal_oldest : &tp_drop,
  };
  tp_pool_build(pool, thief ? "steals" : "drops", &row, memory[thief]);
}

void half_fill(struct tp_pool *pool, uint32_t count)
{
  build(pool, 2 * count);
  for (uint32_t i = 0; i < count; i++) objects[i] = tp_pool_alloc(pool);
}

void fill(struct tp_pool *pool, uint32_t count)
{
  build(pool, count);
  for (uint32_t i = 0; i < count; i++) objects[i] = tp_pool_alloc(pool);
}

int main(void)
{
  suite_pools();
  suite_objects();
  suite_scratch();
  suite_allocators();
  suite_policies();
  suite_owners();
  suite_dma();
  return tp_test_end();
}
