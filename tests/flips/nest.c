// SPDX-License-Identifier: MIT
// A nest: a stack and a frame at the low end of the root, at the high end a
// double-ended stack that carries a pool.
#include "allocator/tp_nest.h"

#include <string.h>

#include "core/tp_registry.h"
#include "sized.h"

enum {
  ROOM = 1024,
  STACK = 64,
  FRAME = 64,
  LEVEL = 512,
  SLOTS = 4,
  BYTES = 16
};

FLIPS_PAGES(GAP(a); struct tp_dstack_state ends; GAP(b);
            struct tp_nest_state newest; GAP(c); struct tp_nest stack; GAP(d);
            struct tp_nest frame; GAP(e); struct tp_nest level; GAP(f);
            struct tp_nest pool; GAP(g);
            _Alignas(8) tp_word_t storage[ROOM / 4]; GAP(h););

static const struct tp_nest root = {
    .name = "nest",
    .state = &pages.at.newest,
    .bytes = ROOM,
    .kind = TP_NEST_DSTACK,
    .as.dstack = {.state = &pages.at.ends,
                  .region = {.storage = pages.at.storage,
                             .name = "nest",
                             .bytes = ROOM}},
};

static const struct tp_build row = {
    .size = BYTES, .count = SLOTS, .align = 8, .policy = &tp_drop};

static struct {
  struct pieces of_stack, of_frame, of_pool;
  uint32_t next;
  uint32_t low;   // How many are open at the low end of the root,
  uint32_t high;  // and at the high one.
} knows;

static void open_low(void)
{
  bool opened = knows.low == 0
                    ? tp_nest_open_stack(&pages.at.stack, &root, TP_LOW,
                                         "stack", STACK, TP_FULL_DROP)
                    : tp_nest_open_frame(&pages.at.frame, &root, TP_LOW,
                                         "frame", FRAME, 1, TP_FULL_DROP);
  flips_expect(opened);
  knows.low += opened;
}

static void close_low(void)
{
  knows.low--;
  tp_nest_close(knows.low ? &pages.at.frame : &pages.at.stack);
  (knows.low ? &knows.of_frame : &knows.of_stack)->count = 0;
}

static void open_high(void)
{
  bool opened = knows.high == 0
                    ? tp_nest_open_dstack(&pages.at.level, &root, TP_HIGH,
                                          "level", LEVEL, TP_FULL_DROP)
                    : tp_nest_open_pool(&pages.at.pool, &pages.at.level, TP_LOW,
                                        "pool", &row);
  flips_expect(opened);
  knows.high += opened;
}

static void free_object(uint32_t index)
{
  pieces_check(&knows.of_pool, index);
  tp_pool_free(tp_nest_pool(&pages.at.pool), knows.of_pool.piece[index].memory);
  pieces_drop(&knows.of_pool, index);
}

static void close_high(void)
{
  while (knows.of_pool.count) free_object(0);
  knows.high--;
  tp_nest_close(knows.high ? &pages.at.pool : &pages.at.level);
}

static bool is_free(const struct pieces *pieces, const void *memory,
                    uint32_t bytes)
{
  for (uint32_t i = 0; i < pieces->count; i++) {
    const struct piece *piece = &pieces->piece[i];
    uintptr_t offset = (uintptr_t)memory - (uintptr_t)piece->memory;
    if (offset < piece->bytes || -offset < bytes) return false;
  }
  return true;
}

static void take(struct pieces *to, void *memory, uint32_t bytes, bool expected)
{
  flips_expect((memory != NULL) == expected);
  if (!memory) return;
  inside(memory, bytes, pages.at.storage, ROOM);
  flips_expect(is_free(&knows.of_stack, memory, bytes) &&
               is_free(&knows.of_frame, memory, bytes) &&
               is_free(&knows.of_pool, memory, bytes));
  pieces_add(to, memory, bytes, ++knows.next, 0);
}

static void use_stack(void)
{
  const struct tp_stack *stack = tp_nest_stack(&pages.at.stack);
  if (flips_random(4) == 0) {
    pieces_cut(&knows.of_stack, 0);
    tp_stack_reset(stack);
    return;
  }
  bool fits = knows.of_stack.count * 8 + 8 <= STACK;
  take(&knows.of_stack, tp_stack_alloc(stack, 8, 4), 8, fits);
}

static void use_frame(void)
{
  const struct tp_frame *frame = tp_nest_frame(&pages.at.frame);
  if (flips_random(4) == 0) {
    pieces_cut(&knows.of_frame, 0);
    tp_frame_end(frame);
    return;
  }
  bool fits = knows.of_frame.count * 8 + 8 <= FRAME;
  take(&knows.of_frame, tp_frame_alloc(frame, 8, 4), 8, fits);
}

static void use_pool(void)
{
  const struct tp_pool *pool = tp_nest_pool(&pages.at.pool);
  uint32_t count = knows.of_pool.count;
  if (count && flips_random(2)) {
    free_object(flips_random(count));
    return;
  }
  take(&knows.of_pool, tp_pool_alloc(pool), BYTES, count < SLOTS);
}

static void use_any(void)
{
  uint32_t what = flips_random(3);
  if (what == 0 && knows.low > 0) use_stack();
  if (what == 1 && knows.low > 1) use_frame();
  if (what == 2 && knows.high > 1) use_pool();
}

static void nest_step(void)
{
  uint32_t what = flips_random(24);
  if (what == 0 && knows.low) close_low();
  if (what == 1 && knows.high) close_high();
  if (what == 2 || what == 3) {
    if (knows.low < 2) open_low();
  }
  if (what == 4 || what == 5) {
    if (knows.high < 2) open_high();
  }
  if (what > 5) use_any();
}

static bool nest_verify(void)
{
  struct tp_finding finding;
  if (!tp_nest_kind.verify(&root, &finding)) return false;
  return knows.high < 2 || tp_pool_verify(tp_nest_pool(&pages.at.pool), NULL);
}

static uint32_t nest_left(void)
{
  uint32_t got = 0;
  while (knows.low) close_low();
  while (knows.high) close_high();
  while (got < ROOM && tp_dstack_alloc(&root.as.dstack, TP_LOW, 4, 4)) got++;
  return got;
}

static void nest_stats(struct tp_stats *stats)
{
  tp_nest_kind.stats(&root, stats);
}

static bool lies_in(const void *at, const void *memory, size_t bytes)
{
  return (uintptr_t)at - (uintptr_t)memory < bytes;
}

static const char *owns_carved(const void *at)
{
  const struct tp_nest *pool = &pages.at.pool;
  const struct tp_nest *frame = &pages.at.frame;
  bool metadata =
      (knows.low > 0 && lies_in(at, pages.at.stack.as.stack.state,
                                sizeof(struct tp_stack_state))) ||
      (knows.low > 1 &&
       (lies_in(at, frame->as.frame.state, sizeof(struct tp_frame_state)) ||
        lies_in(at, frame->as.frame.bump, sizeof(struct tp_bump)))) ||
      (knows.high > 0 && lies_in(at, pages.at.level.as.dstack.state,
                                 sizeof(struct tp_dstack_state))) ||
      (knows.high > 1 &&
       (lies_in(at, pool->as.pool.tag, (SLOTS + 1) * 4) ||
        lies_in(at, pool->as.pool.state, sizeof(struct tp_pool_state))));
  return metadata ? "metadata of children" : NULL;
}

static const char *nest_owns(const struct part *part, uint32_t byte)
{
  if (strcmp(part->name, "storage")) return part->name;
  return owns_carved((const uint8_t *)part->memory + byte);
}

static const struct part nest_parts[] = {
    PART("root", ends),      PART("newest children", newest),
    PART("nodes", stack),    PART("nodes", frame),
    PART("nodes", level),    PART("nodes", pool),
    PART("storage", storage)};
SUBJECT(nest, knows);
