// SPDX-License-Identifier: MIT
// Blocks: two classes, a full one hands on to the next.
#include <string.h>

#include "allocator/tp_blocks.h"
#include "sized.h"

enum { SMALL = 8, LARGE = 24, COUNT = 5, ALIGN = 8 };
#define STRIDE(bytes)  TP_STRIDE(bytes, ALIGN)
#define STORAGE(bytes) ((TP_RED_ZONE(ALIGN) + COUNT * STRIDE(bytes)) / 4)

#define CLASS_MEMORY(name, bytes)                           \
  GAP(name##_a);                                            \
  uint32_t name##_tag[COUNT + 1];                           \
  GAP(name##_b);                                            \
  struct tp_pool_state name##_state;                        \
  GAP(name##_c);                                            \
  uint16_t name##_asked[COUNT + 1];                         \
  GAP(name##_d);                                            \
  struct tp_blocks_waste name##_waste;                      \
  GAP(name##_e);                                            \
  _Alignas(ALIGN) tp_word_t name##_storage[STORAGE(bytes)]; \
  GAP(name##_f)

FLIPS_PAGES(CLASS_MEMORY(small, SMALL); CLASS_MEMORY(large, LARGE);
            struct tp_blocks_waste waste; GAP(last););

#define CLASS(name_, bytes)                                                \
  static const struct tp_pool name_##_pool = {                             \
      .tag = pages.at.name_##_tag,                                         \
      .state = &pages.at.name_##_state,                                    \
      .storage = pages.at.name_##_storage + TP_RED_ZONE(ALIGN) / 4,        \
      .origin = (uintptr_t)pages.at.name_##_storage + TP_RED_ZONE(ALIGN) - \
                STRIDE(bytes),                                             \
      .inverse = TP_INVERSE(STRIDE(bytes) >> TP_SHIFT(STRIDE(bytes))),     \
      .gate = TP_GATE(STRIDE(bytes), COUNT),                               \
      .policy = &tp_drop,                                                  \
      .refuses = 1,                                                        \
      .name = #name_,                                                      \
      .stride = STRIDE(bytes),                                             \
      .size = STRIDE(bytes) - TP_RED_ZONE(ALIGN),                          \
      .zone = TP_RED_ZONE(ALIGN),                                          \
      .capacity = COUNT,                                                   \
  }
CLASS(small, SMALL);
CLASS(large, LARGE);

static const struct tp_blocks_class classes[] = {
    {&small_pool, pages.at.small_asked, &pages.at.small_waste},
    {&large_pool, pages.at.large_asked, &pages.at.large_waste}};
static const uint8_t by_size[] = {0, 1, 1}, by_page[] = {0};
static const struct tp_blocks blocks = {.classes = classes,
                                        .waste = &pages.at.waste,
                                        .name = "blocks",
                                        .count = 2,
                                        .bigger = 1,
                                        .sizes = sizeof by_size,
                                        .shift = 6,
                                        .by_size = by_size,
                                        .by_page = by_page,
                                        .begin = pages.at.small_storage,
                                        .pages = 1};

static struct {
  struct pieces pieces;
  uint32_t next, target;
} knows;

static uint32_t live_in(const struct tp_pool *pool)
{
  uint32_t live = 0;
  for (uint32_t i = 0; i < knows.pieces.count; i++) {
    uintptr_t offset =
        (uintptr_t)knows.pieces.piece[i].memory - (uintptr_t)pool->storage;
    live += offset < (uint32_t)COUNT * pool->stride;
  }
  return live;
}

static bool is_free(const void *memory)
{
  for (uint32_t i = 0; i < knows.pieces.count; i++) {
    if (knows.pieces.piece[i].memory == memory) return false;
  }
  return true;
}

static void alloc(void)
{
  uint32_t bytes = (1 + flips_random(LARGE / 4)) * 4;
  bool fits = live_in(&large_pool) < COUNT ||
              (bytes <= SMALL && live_in(&small_pool) < COUNT);
  void *memory = tp_blocks_alloc(&blocks, bytes);
  flips_expect((memory != NULL) == fits);
  if (!memory) return;
  uintptr_t offset = (uintptr_t)memory - (uintptr_t)small_pool.storage;
  bool is_small = offset < (uint32_t)COUNT * small_pool.stride;
  const struct tp_pool *pool = is_small ? &small_pool : &large_pool;
  inside(memory, bytes, pool->storage, (uint32_t)COUNT * pool->stride);
  flips_expect(is_free(memory));
  pieces_add(&knows.pieces, memory, bytes, ++knows.next, 0);
}

static void free_one(uint32_t index)
{
  pieces_check(&knows.pieces, index);
  tp_blocks_free(&blocks, knows.pieces.piece[index].memory);
  pieces_drop(&knows.pieces, index);
}

static void blocks_step(void)
{
  uint32_t count = knows.pieces.count;
  uint32_t what = flips_random(16);
  if (flips_random(24) == 0) knows.target = flips_random(2 * COUNT + 2);
  if (what < 2 && count) {
    pieces_check(&knows.pieces, flips_random(count));
  } else if (count && (what < 5 || count > knows.target)) {
    free_one(flips_random(count));
  } else if (count < knows.target || what < 9) {
    alloc();
  }
}

static bool blocks_verify(void)
{
  return tp_blocks_verify(&blocks);
}

static uint32_t blocks_left(void)
{
  uint32_t got = 0;
  while (knows.pieces.count) free_one(0);
  while (got < 3 * COUNT && tp_blocks_alloc(&blocks, 4)) got++;
  return got;
}

static void blocks_stats(struct tp_stats *stats)
{
  struct tp_stats large;
  tp_blocks_stats(&blocks, 0, stats);
  tp_blocks_stats(&blocks, 1, &large);
  stats->peak += large.peak * 64 + pages.at.waste.peak * 4096;
  stats->allocs += large.allocs * 1024;
  stats->frees += large.frees * 1024;
  stats->refused += large.refused * 1024;
}

static bool is_live(const struct tp_pool *pool, uint32_t slot)
{
  return !is_free(pool->storage + slot * (pool->stride / 4u));
}

static const char *slot_byte(const struct tp_pool *pool, uintptr_t offset)
{
  uint32_t slot = (uint32_t)offset / pool->stride;
  uint32_t at = (uint32_t)offset % pool->stride;
  if (slot >= pool->state->fresh) return NULL;
  if (at >= pool->size) return "zone";
  if (is_live(pool, slot)) return NULL;
  if (at < 4) return "link";
  return TP_CHECKS >= TP_CHECKS_POISON ? "dead bytes" : NULL;
}

static const char *blocks_owns(const struct part *part, uint32_t byte)
{
  bool small = part->memory == pages.at.small_storage;
  const struct tp_pool *pool = small ? &small_pool : &large_pool;
  const uint8_t *at = (const uint8_t *)part->memory + byte;
  if (strcmp(part->name, "tags") == 0) return byte < 4 ? "list word" : "tags";
  if (strcmp(part->name, "state") == 0) return byte < 2 ? "fresh" : "counters";
  if (strcmp(part->name, "storage")) return part->name;
  if (at < (const uint8_t *)pool->storage) {
    return pool->state->fresh ? "zone" : NULL;
  }
  return slot_byte(pool, (uintptr_t)at - (uintptr_t)pool->storage);
}

#define CLASS_PARTS(name)                                       \
  PART("tags", name##_tag), PART("state", name##_state),        \
      PART("asked", name##_asked), PART("waste", name##_waste), \
      PART("storage", name##_storage)
static const struct part blocks_parts[] = {
    CLASS_PARTS(small), CLASS_PARTS(large), PART("waste", waste)};
SUBJECT(blocks, knows);
