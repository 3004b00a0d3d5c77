// SPDX-License-Identifier: MIT
// Stacks, double-ended stacks and frames.
#include <string.h>

#include "allocator/tp_dstack.h"
#include "allocator/tp_frame.h"
#include "allocator/tp_stack.h"
#include "sized.h"

enum { ROOM = 128, MARKS = 8, BUFFERS = 2, FRONT = 16 };

FLIPS_PAGES(GAP(a); struct tp_stack_state stack; GAP(b);
            tp_word_t stack_storage[ROOM / 4]; GAP(c);
            struct tp_dstack_state dstack; GAP(d);
            tp_word_t dstack_storage[ROOM / 4]; GAP(e);
            struct tp_frame_state frame; struct tp_bump bump[BUFFERS]; GAP(f);
            tp_word_t frame_storage[BUFFERS * ROOM / 4]; GAP(g););

#define REGION(name_) \
  {.storage = pages.at.name_##_storage, .name = #name_, .bytes = ROOM}
static const struct tp_stack stack = {REGION(stack), &pages.at.stack};
static const struct tp_dstack dstack = {REGION(dstack), &pages.at.dstack};
static const struct tp_frame frame = {REGION(frame), &pages.at.frame,
                                      pages.at.bump, BUFFERS};

// What the application has at an end: objects, and marks between them. Of a
// frame, what is in a buffer.
struct end {
  struct pieces pieces;
  struct tp_mark marks[MARKS];
  uint32_t below[MARKS];  // Objects when the mark was made.
  uint32_t mark_count;
};

static struct {
  struct end ends[2];
  uint32_t next;
  uint32_t ended;
} knows;

static uint32_t bytes_of(const struct end *end)
{
  uint32_t bytes = 0;
  for (uint32_t i = 0; i < end->pieces.count; i++) {
    uint32_t front = end->pieces.piece[i].handle ? FRONT : 0;
    bytes += end->pieces.piece[i].bytes + front;
  }
  return bytes;
}

// Does [memory] overlap what lives?
static bool is_free(const struct end *end, const void *memory, uint32_t bytes)
{
  for (uint32_t i = 0; i < end->pieces.count; i++) {
    const struct piece *piece = &end->pieces.piece[i];
    uintptr_t offset = (uintptr_t)memory - (uintptr_t)piece->memory;
    if (offset < piece->bytes || -offset < bytes) return false;
  }
  return true;
}

// [memory] was given out at [end] though [expected] says whether it may be.
static void take(struct end *end, void *memory, uint32_t bytes, bool is_block,
                 bool expected, const tp_word_t *storage)
{
  flips_expect((memory != NULL) == expected);
  if (!memory) return;
  inside(memory, bytes, storage, ROOM);
  flips_expect(is_free(&knows.ends[0], memory, bytes) &&
               (storage == pages.at.frame_storage ||
                is_free(&knows.ends[1], memory, bytes)));
  pieces_add(&end->pieces, memory, bytes, ++knows.next, is_block);
}

static void release_to(struct end *end, uint32_t mark)
{
  pieces_cut(&end->pieces, end->below[mark]);
  end->mark_count = mark;
}

static void forget(struct end *end)
{
  pieces_cut(&end->pieces, 0);
  end->mark_count = 0;
}

static bool may_free_block(const struct end *end)
{
  uint32_t count = end->pieces.count;
  if (!count || !end->pieces.piece[count - 1].handle) return false;
  return !end->mark_count || end->below[end->mark_count - 1] < count;
}

static bool may_mark(const struct end *end)
{
  return end->mark_count < MARKS;
}

// A stack is the low end of one.
static void *ask(uint32_t which, uint32_t bytes, bool block, bool is_stack)
{
  enum tp_end end = (enum tp_end)which;
  if (is_stack && block) return tp_stack_alloc_block(&stack, bytes, 4);
  if (is_stack) return tp_stack_alloc(&stack, bytes, 4);
  return block ? tp_dstack_alloc_block(&dstack, end, bytes, 4)
               : tp_dstack_alloc(&dstack, end, bytes, 4);
}

static void alloc(uint32_t which, bool is_stack)
{
  struct end *end = &knows.ends[which];
  uint32_t bytes = 4 + flips_random(8) * 4;
  bool block = flips_random(3) == 0;
  uint32_t front = block ? FRONT : 0;
  uint32_t used = bytes_of(&knows.ends[0]) + bytes_of(&knows.ends[1]);
  bool fits = used + bytes + front <= ROOM;
  if (end->pieces.count == MOST) return;
  take(end, ask(which, bytes, block, is_stack), bytes, block, fits,
       is_stack ? pages.at.stack_storage : pages.at.dstack_storage);
}

static void free_block(uint32_t which, bool is_stack)
{
  struct pieces *pieces = &knows.ends[which].pieces;
  uint32_t last = pieces->count - 1;
  pieces_check(pieces, last);
  if (is_stack)
    tp_stack_free(&stack, pieces->piece[last].memory);
  else
    tp_dstack_free(&dstack, (enum tp_end)which, pieces->piece[last].memory);
  pieces->count--;
}

static void mark(uint32_t which, bool is_stack)
{
  struct end *end = &knows.ends[which];
  end->marks[end->mark_count] =
      is_stack ? tp_stack_mark(&stack)
               : tp_dstack_mark(&dstack, (enum tp_end)which);
  end->below[end->mark_count++] = end->pieces.count;
}

static void release(uint32_t which, bool is_stack)
{
  struct end *end = &knows.ends[which];
  uint32_t last = end->mark_count - 1;
  release_to(end, last);
  if (is_stack)
    tp_stack_release(&stack, end->marks[last]);
  else
    tp_dstack_release(&dstack, (enum tp_end)which, end->marks[last]);
}

static void reset(uint32_t which, bool is_stack)
{
  forget(&knows.ends[which]);
  if (is_stack)
    tp_stack_reset(&stack);
  else
    tp_dstack_reset(&dstack, (enum tp_end)which);
}

static void step(bool is_stack)
{
  uint32_t which = is_stack ? 0 : flips_random(2);
  struct end *end = &knows.ends[which];
  uint32_t what = flips_random(20);
  if (what < 10) {
    alloc(which, is_stack);
  } else if (what < 13 && may_mark(end)) {
    mark(which, is_stack);
  } else if (what < 15 && may_free_block(end)) {
    free_block(which, is_stack);
  } else if (what < 19 && end->mark_count) {
    release(which, is_stack);
  } else if (what == 19) {
    reset(which, is_stack);
  }
}

static uint32_t left(bool is_stack)
{
  uint32_t got = 0;
  for (uint32_t which = 0; which < (is_stack ? 1 : 2); which++) {
    reset(which, is_stack);
  }
  while (got < ROOM && ask(0, 4, false, is_stack)) got++;
  return got;
}

// What an allocator that is no pool is verified by: its entry in the registry.
#include "core/tp_registry.h"

static bool is_sound(const struct tp_kind *kind, const void *allocator)
{
  struct tp_finding finding;
  return kind->verify(allocator, &finding);
}

// Words below the top that stand in front of a block, or above it.
static bool is_front(const struct end *end, const uint8_t *at)
{
  for (uint32_t i = 0; i < end->pieces.count; i++) {
    const struct piece *piece = &end->pieces.piece[i];
    uintptr_t before = (uintptr_t)piece->memory - (uintptr_t)at;
    if (piece->handle && before - 1 < FRONT) return true;
  }
  return false;
}

static const char *owns(const struct part *part, uint32_t byte, uint32_t low,
                        uint32_t high, uint32_t peak)
{
  const uint8_t *at = (const uint8_t *)part->memory + byte;
  bool pointer = strcmp(part->name, "child of marks") == 0;
  if (pointer && byte >= 4) return NULL;  // Of a target it has 32 bits.
  if (strcmp(part->name, "storage")) return part->name;
  if (is_front(&knows.ends[0], at) || is_front(&knows.ends[1], at)) {
    return "front";
  }
  bool dead = byte >= low && byte < ROOM - high && byte < peak;
  return dead && TP_CHECKS >= TP_CHECKS_POISON ? "dead bytes" : NULL;
}

static const char *stack_owns(const struct part *part, uint32_t byte)
{
  const struct tp_bump *one = &pages.at.stack.bump;
  return owns(part, byte, one->used, 0, one->peak);
}

static const char *dstack_owns(const struct part *part, uint32_t byte)
{
  const struct tp_bump *ends = pages.at.dstack.bump;
  return owns(part, byte, ends[0].used, ends[1].used, ends[0].peak);
}

static void stack_step(void)
{
  step(true);
}
static void dstack_step(void)
{
  step(false);
}
static uint32_t stack_left(void)
{
  return left(true);
}
static uint32_t dstack_left(void)
{
  return left(false);
}
static bool stack_verify(void)
{
  return is_sound(&tp_stack_kind, &stack);
}
static bool dstack_verify(void)
{
  return is_sound(&tp_dstack_kind, &dstack);
}

static void stack_stats(struct tp_stats *stats)
{
  tp_stack_stats(&stack, stats);
}

static void dstack_stats(struct tp_stats *stats)
{
  tp_dstack_kind.stats(&dstack, stats);
}

// Frames.

static void end_frame(void)
{
  struct pieces *next = &knows.ends[(knows.ended + 1) % 2].pieces;
  pieces_cut(next, 0);
  tp_frame_end(&frame);
  knows.ended++;
}

static void frame_step(void)
{
  struct end *end = &knows.ends[knows.ended % 2];
  uint32_t bytes = 4 + flips_random(8) * 4;
  if (flips_random(8) == 0) {
    end_frame();
    return;
  }
  if (end->pieces.count == MOST) return;
  bool fits = bytes_of(end) + bytes <= ROOM;
  void *memory = tp_frame_alloc(&frame, bytes, 4);
  flips_expect((memory != NULL) == fits);
  if (!memory) return;
  inside(memory, bytes, pages.at.frame_storage, BUFFERS * ROOM);
  flips_expect(is_free(&knows.ends[0], memory, bytes) &&
               is_free(&knows.ends[1], memory, bytes));
  pieces_add(&end->pieces, memory, bytes, ++knows.next, 0);
}

static uint32_t frame_left(void)
{
  uint32_t got = 0;
  for (uint32_t i = 0; i < BUFFERS; i++) {
    end_frame();
    for (uint32_t j = 0; j < ROOM && tp_frame_alloc(&frame, 4, 4); j++) got++;
  }
  return got;
}

static bool frame_verify(void)
{
  return is_sound(&tp_frame_kind, &frame);
}

static void frame_stats(struct tp_stats *stats)
{
  tp_frame_stats(&frame, stats);
}

static const char *frame_owns(const struct part *part, uint32_t byte)
{
  const struct tp_bump *bump = &pages.at.bump[byte / ROOM % BUFFERS];
  if (strcmp(part->name, "storage")) return part->name;
  bool dead = byte % ROOM >= bump->used && byte % ROOM < bump->peak;
  return dead && TP_CHECKS >= TP_CHECKS_POISON ? "dead bytes" : NULL;
}

#define TOP(name, of) \
  {"used", &of.used, 4}, {"peak", &of.peak, 4}, {"refused", &of.refused, 4}
#define MARKED(of)                                                 \
  {"mark serials", &of.serial, 4}, {"newest mark", &of.newest, 4}, \
  {                                                                \
    "child of marks", (void *)&of.child, sizeof of.child           \
  }

static const struct part stack_parts[] = {TOP(stack, pages.at.stack.bump),
                                          MARKED(pages.at.stack.marks),
                                          PART("storage", stack_storage)};
static const struct part dstack_parts[] = {
    TOP(low, pages.at.dstack.bump[0]), TOP(high, pages.at.dstack.bump[1]),
    MARKED(pages.at.dstack.marks[0]), MARKED(pages.at.dstack.marks[1]),
    PART("storage", dstack_storage)};
static const struct part frame_parts[] = {
    {"frames ended", &pages.at.frame.ended, 4},
    {"current buffer", &pages.at.frame.current, 4},
    TOP(first, pages.at.bump[0]),
    TOP(second, pages.at.bump[1]),
    PART("storage", frame_storage)};
SUBJECT(stack, knows);
SUBJECT(dstack, knows);
SUBJECT(frame, knows);
