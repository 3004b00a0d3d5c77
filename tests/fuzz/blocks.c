// SPDX-License-Identifier: MIT
// Blocks of two to four classes, each class a model of its own: which serves a
// request, and what is wasted.
#include <string.h>

#include "allocator/tp_blocks.h"
#include "fuzz.h"
#include "model.h"
#include "object/tp_build.h"

enum { CLASSES = 4, SIZES = CLASSES * 3, PAGES = 8 };

struct class {
  struct tp_pool pool;
  struct model model;
  uint32_t size;
  uint32_t asked[SLOTS_MOST + 1], number[SLOTS_MOST + 1];
  struct tp_stats stats;
  uint32_t waste, peak;
};

static struct {
  struct class classes[CLASSES];
  struct tp_blocks_class rows[CLASSES];
  struct tp_blocks blocks;
  uint8_t by_size[SIZES], by_page[PAGES];
  uint32_t numbers, peak;
} now;

static tp_word_t *words_of(const struct class *of, uint32_t slot)
{
  return of->pool.storage + (slot - 1) * (of->pool.stride / 4u);
}

static bool is_live(const struct class *of, uint32_t slot)
{
  return model_is_live(&of->model, slot);
}

static void check_class(uint32_t index)
{
  struct class *of = &now.classes[index];
  struct tp_stats stats;
  of->waste = of->stats.live = 0;
  for (uint32_t slot = 1; slot <= of->pool.capacity; slot++) {
    if (!is_live(of, slot)) continue;
    EXPECT(tp_is_filled(words_of(of, slot), of->size, of->number[slot]));
    of->waste += of->pool.size - of->asked[slot];
    of->stats.live++;
  }
  if (of->peak < of->waste) of->peak = of->waste;
  EXPECT(tp_blocks_stats(&now.blocks, index, &stats));
  EXPECT(stats.peak == of->model.home.fresh);
  if (TP_CHECKS == 0) return;
  EXPECT(stats.live == of->stats.live && stats.allocs == of->stats.allocs);
  EXPECT(stats.frees == of->stats.frees && stats.refused == of->stats.refused);
  EXPECT(of->waste == now.rows[index].waste->now);
  EXPECT(of->peak == now.rows[index].waste->peak);
}

static void check_all(void)
{
  struct tp_stats stats;
  uint32_t waste = 0;
  for (uint32_t i = 0; i < now.blocks.count; i++) {
    check_class(i);
    waste += now.classes[i].waste;
  }
  if (now.peak < waste) now.peak = waste;
  EXPECT(!tp_blocks_stats(&now.blocks, now.blocks.count, &stats));
  EXPECT(tp_blocks_verify(&now.blocks));
  if (TP_CHECKS == 0) return;
  EXPECT(now.blocks.waste->now == waste && now.blocks.waste->peak == now.peak);
}

// The first class that fits, or with .bigger the first of these that has a
// slot.
static struct class *serving(uint32_t size, uint32_t *slot)
{
  *slot = 0;
  for (uint32_t i = 0; i < now.blocks.count; i++) {
    struct class *of = &now.classes[i];
    if (of->pool.size < size) continue;
    *slot = (uint32_t)model_alloc(&of->model, DROPS);
    of->stats.allocs += *slot > 0;
    of->stats.refused += *slot == 0;
    if (*slot > 0 || !now.blocks.bigger) return of;
  }
  return NULL;
}

static void alloc(void)
{
  uint32_t largest = now.classes[now.blocks.count - 1].pool.size;
  uint32_t size = 1 + fuzz_below(largest);
  uint32_t slot;
  void *block = NULL;
  struct class *of = serving(size, &slot);
  GOOD(block = tp_blocks_alloc(&now.blocks, size));
  EXPECT(block == (slot ? words_of(of, slot) : NULL));
  if (!block) return;
  EXPECT(fuzz_is_new(block, of->size));
  of->asked[slot] = size;
  of->number[slot] = ++now.numbers;
  tp_fill(block, of->size, now.numbers);
}

static struct class *any_class(void)
{
  return &now.classes[fuzz_below(now.blocks.count)];
}

static void free_one(void)
{
  struct class *of = any_class();
  uint32_t slot = 1 + fuzz_below(of->pool.capacity);
  if (!is_live(of, slot)) return;
  model_free(&of->model, slot);
  of->stats.frees++;
  GOOD(tp_blocks_free(&now.blocks, words_of(of, slot)));
}

static void call_wrongly(void)
{
  static tp_word_t elsewhere[2];
  const struct class *of = any_class();
  uint32_t slot = 1 + fuzz_below(of->pool.capacity);
  uint32_t offset = 1 + fuzz_below(of->pool.stride - 1u);
  uint32_t largest = now.classes[now.blocks.count - 1].pool.size;
  void *words = words_of(of, slot);
  if (TP_CHECKS == 0) return;
  WRONG(TP_FAULT_SIZE, tp_blocks_alloc(&now.blocks, 0));
  WRONG(TP_FAULT_LARGE, tp_blocks_alloc(&now.blocks, largest + 1));
  WRONG(TP_FAULT_FOREIGN, tp_blocks_free(&now.blocks, NULL));
  WRONG(TP_FAULT_FOREIGN, tp_blocks_free(&now.blocks, elsewhere));
  WRONG(TP_FAULT_INTERIOR, tp_blocks_free(&now.blocks, (char *)words + offset));
  if (is_live(of, slot)) return;
  WRONG(TP_FAULT_DOUBLE_FREE, tp_blocks_free(&now.blocks, words));
}

static void begin_class(uint32_t index, uint32_t size)
{
  struct class *of = &now.classes[index];
  struct tp_build row = {.size = (uint16_t)size,
                         .count = (tp_slot_t)(1 + fuzz_below(SLOTS_MOST)),
                         .align = TP_BLOCK_ALIGN,
                         .refuses = 1,
                         .policy = &tp_drop};
  tp_pool_build(&of->pool, "class", &row, fuzz_memory(tp_build_bytes(&row), 1));
  model_begin(&of->model, DROPS, row.count);
  of->size = size;
  now.rows[index] = (struct tp_blocks_class){
      &of->pool, fuzz_memory((row.count + 1u) * sizeof(uint16_t), 0),
      fuzz_memory(sizeof(struct tp_blocks_waste), 0)};
}

// Which class serves a size, and where a block may be looked for first: that
// may be in a wrong one.
static void put_tables(void)
{
  uint32_t index = 0;
  for (uint32_t i = 0; index < now.blocks.count; i++) {
    if (now.classes[index].pool.size < 8 * (i + 1)) index++;
    if (index == now.blocks.count) break;
    now.by_size[i] = (uint8_t)index;
    now.blocks.sizes = (uint8_t)(i + 1);
  }
  for (uint32_t i = 0; i < PAGES; i++) {
    now.by_page[i] = (uint8_t)fuzz_below(now.blocks.count);
  }
  now.blocks.by_size = now.by_size;
  now.blocks.by_page = now.by_page;
  now.blocks.begin = any_class()->pool.storage;
  now.blocks.shift = (uint8_t)(4 + fuzz_below(8));
  now.blocks.pages = PAGES;
}

static void begin(void)
{
  uint32_t size = 0;
  memset(&now, 0, sizeof now);
  uint32_t count = 1 + fuzz_below(CLASSES);
  for (uint32_t i = 0; i < count; i++) {
    size += 8 * (1 + fuzz_below(3));
    begin_class(i, size);
  }
  now.blocks =
      (struct tp_blocks){.classes = now.rows,
                         .waste = fuzz_memory(sizeof *now.blocks.waste, 0),
                         .name = "blocks",
                         .count = (uint8_t)count,
                         .bigger = (uint8_t)fuzz_below(2)};
  if (fuzz_below(2)) put_tables();
}

static void (*const calls[])(void) = {
    alloc, alloc, alloc, alloc, free_one, free_one, free_one, call_wrongly};
enum { CALLS = sizeof calls / sizeof calls[0] };

const struct world fuzz_blocks = {
    .name = "blocks",
    .begin = begin,
    .calls = calls,
    .count = CALLS,
    .end_in = CALLS,
    .check = check_all,
};
