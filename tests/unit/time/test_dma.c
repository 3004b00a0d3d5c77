// SPDX-License-Identifier: MIT
// What it costs to hand an object to a device and to have it back.
#include "object/tp_build.h"
#include "object/tp_dma.h"
#include "time.h"

static uint16_t lent[2 * LARGEST];
static const struct tp_dma dma = {.pool = &drops, .lent = lent};

// Of a pool with [count] live objects.
static void *last_of(uint32_t count)
{
  half_fill(&drops, count);
  for (uint32_t i = 0; i < 2 * LARGEST; i++) lent[i] = 0;
  return objects[count - 1];
}

static uint32_t of_lending(uint32_t count)
{
  void *object = last_of(count);
  return COST(tp_dma_lend(&dma, object, TP_DMA_RX));
}

static uint32_t of_taking(uint32_t count)
{
  void *object = last_of(count);
  tp_dma_lend(&dma, object, TP_DMA_RX);
  return COST(tp_dma_take(&dma, object));
}

static uint32_t of_giving(uint32_t count)
{
  void *object = last_of(count);
  tp_handle_t handle = tp_handle_of(&drops, object);
  tp_handle64_t wide = tp_handle64_of(&drops, object);
  uint32_t cost = COST(tp_dma_give(&dma, object));
  cost += COST(tp_dma_give_handle(&dma, handle));
  return cost + COST(tp_dma_give_handle64(&dma, wide));
}

static uint32_t of_resetting(uint32_t count)
{
  (void)last_of(count);
  return COST(tp_dma_reset(&dma));
}

static void to_lend_and_to_take_cost_the_same_whatever_lives(void)
{
  CHECK(is_constant(of_lending));
  CHECK(is_constant(of_taking));
  CHECK(is_constant(of_giving));
}

// Of a pool whose slots are of [lines].
static const struct tp_dma *of_slots_of(uint32_t lines, void **object)
{
  static _Alignas(TP_DMA_PORT_LINE) tp_word_t memory[2048];
  static struct tp_pool pool;
  static const struct tp_dma made = {.pool = &pool, .lent = lent};
  struct tp_build row = {.size = (uint16_t)(lines * TP_DMA_PORT_LINE),
                         .count = 1,
                         .align = TP_DMA_PORT_LINE,
                         .refuses = 1,
                         .policy = &tp_drop};
  tp_pool_build(&pool, "slots", &row, memory);
  lent[0] = 0;
  *object = tp_pool_alloc(&pool);
  return &made;
}

static uint32_t of_lending_lines(uint32_t lines)
{
  void *object;
  const struct tp_dma *made = of_slots_of(lines, &object);
  return COST(tp_dma_lend(made, object, TP_DMA_RX));
}

static uint32_t of_taking_lines(uint32_t lines)
{
  void *object;
  const struct tp_dma *made = of_slots_of(lines, &object);
  tp_dma_lend(made, object, TP_DMA_RX);
  return COST(tp_dma_take(made, object));
}

static void they_cost_as_much_more_for_each_line_of_the_slot(void)
{
  CHECK(is_linear(of_lending_lines));
  CHECK(is_linear(of_taking_lines));
}

static void to_reset_costs_a_look_at_each_slot(void)
{
  CHECK(of_resetting(16) > of_resetting(8));
}

static void to_lend_and_to_take_are_a_window_and_to_give_none(void)
{
  void *object = last_of(8);
  tp_handle_t handle = tp_handle_of(&drops, object);
  CHECK_EQ(WINDOWS(tp_dma_lend(&dma, object, TP_DMA_RX)),
           TP_CHECKS >= TP_CHECKS_FAST);
  CHECK_EQ(WINDOWS(tp_dma_take(&dma, object)), TP_CHECKS >= TP_CHECKS_FAST);
  CHECK_EQ(WINDOWS(tp_dma_give(&dma, object)), 0);
  CHECK_EQ(WINDOWS(tp_dma_give_handle(&dma, handle)), 0);
}

void suite_dma(void)
{
  RUN(to_lend_and_to_take_cost_the_same_whatever_lives);
  RUN(they_cost_as_much_more_for_each_line_of_the_slot);
  RUN(to_reset_costs_a_look_at_each_slot);
  RUN(to_lend_and_to_take_are_a_window_and_to_give_none);
}
