// SPDX-License-Identifier: MIT
// A relocating pool: where each block lies, what a step may move, what is left.
#include <string.h>

#include "allocator/tp_reloc.h"
#include "fuzz.h"

enum { MOST = 12, GIVEN = 16, UNIT = TP_RELOC_UNIT, NOWHERE = 0xffff };

// A block that lives; they are in the order of their places. A unit is of its
// header.
struct block {
  tp_handle_t handle;
  uint32_t at, units, number, locks;
};

static struct {
  struct tp_reloc reloc;
  struct block blocks[MOST];
  uint32_t count;
  tp_handle_t stale[GIVEN];
  uint32_t stale_count;
  uint32_t numbers, peak, highest, allocs, frees, refused, moves;
  uint32_t moved, moved_bytes;  // In this step.
} now;

static uint32_t end_of(uint32_t index)
{
  return now.blocks[index].at + now.blocks[index].units;
}

// Where the gap before a block begins; of the one behind the last, the top.
static uint32_t gap_at(uint32_t index)
{
  return index > 0 ? end_of(index - 1) : 0;
}

static uint32_t gap_units(uint32_t index)
{
  return now.blocks[index].at - gap_at(index);
}

static void *memory_of(const struct block *block)
{
  return now.reloc.arena + (block->at + 1) * (UNIT / 4);
}

static uint32_t bytes_of(const struct block *block)
{
  return (block->units - 1) * UNIT;
}

static struct block *block_of(tp_handle_t handle)
{
  for (uint32_t i = 0; i < now.count; i++) {
    if (now.blocks[i].handle == handle) return &now.blocks[i];
  }
  return NULL;
}

// What must hold --------------------------------------------------------------

static struct tp_reloc_figures expected_figures(void)
{
  uint32_t top = gap_at(now.count), left = now.reloc.units - top;
  struct tp_reloc_figures wanted = {.top_bytes = left ? (left - 1) * UNIT : 0,
                                    .peak_bytes = now.highest * UNIT,
                                    .moves = now.moves};
  wanted.largest = wanted.top_bytes;
  for (uint32_t i = 0; i < now.count; i++) {
    uint32_t gap = gap_units(i);
    wanted.locked += now.blocks[i].locks > 0;
    wanted.live_bytes += bytes_of(&now.blocks[i]);
    wanted.holes += gap > 0;
    wanted.hole_bytes += gap * UNIT;
    if (gap && wanted.largest < (gap - 1) * UNIT) {
      wanted.largest = (gap - 1) * UNIT;
    }
  }
  if (now.count == now.reloc.handles) wanted.largest = 0;
  return wanted;
}

static void check_figures(void)
{
  struct tp_reloc_figures is, wanted = expected_figures();
  struct tp_stats stats;
  tp_reloc_layout(&now.reloc, &is);
  EXPECT(is.locked == wanted.locked && is.live_bytes == wanted.live_bytes);
  EXPECT(is.holes == wanted.holes && is.hole_bytes == wanted.hole_bytes);
  EXPECT(is.top_bytes == wanted.top_bytes && is.largest == wanted.largest);
  EXPECT(is.moves == wanted.moves && is.peak_bytes == wanted.peak_bytes);
  tp_reloc_stats(&now.reloc, &stats);
  EXPECT(stats.live == now.count && stats.peak == now.peak);
  EXPECT(stats.allocs == now.allocs && stats.frees == now.frees);
  EXPECT(stats.refused == now.refused);
}

static void check_all(void)
{
  for (uint32_t i = 0; i < now.count; i++) {
    const struct block *block = &now.blocks[i];
    EXPECT(tp_is_filled(memory_of(block), bytes_of(block), block->number));
  }
  EXPECT(tp_reloc_verify(&now.reloc));
  check_figures();
}

// Told of each block that lies elsewhere now: right behind the one before it.
static void on_move(void *to, const void *from, tp_handle_t handle)
{
  struct block *block = block_of(handle);
  EXPECT(block && block->locks == 0 && from == memory_of(block));
  uint32_t index = (uint32_t)(block - now.blocks);
  EXPECT(gap_units(index) > 0);
  block->at = gap_at(index);
  EXPECT(to == memory_of(block));
  now.moved++;
  now.moved_bytes += bytes_of(block);
}

// Calls -----------------------------------------------------------------------

// Where a block of [units] goes: to the top, or else into the first gap that is
// large enough. Returns its index among the blocks.
static uint32_t place_for(uint32_t units)
{
  if (now.count == now.reloc.handles) return NOWHERE;
  if (gap_at(now.count) + units <= now.reloc.units) return now.count;
  for (uint32_t i = 0; i < now.count; i++) {
    if (gap_units(i) >= units) return i;
  }
  return NOWHERE;
}

static void insert(uint32_t index, struct block block)
{
  memmove(&now.blocks[index + 1], &now.blocks[index],
          (now.count++ - index) * sizeof block);
  now.blocks[index] = block;
  now.allocs++;
  if (now.peak < now.count) now.peak = now.count;
  if (now.highest < gap_at(now.count)) now.highest = gap_at(now.count);
}

static void alloc(void)
{
  uint32_t most = (now.reloc.units - 1u) * UNIT;
  uint32_t bytes = 1 + fuzz_below(most < 60 ? most : 60);
  uint32_t units = (bytes + UNIT - 1) / UNIT + 1;
  uint32_t index = place_for(units);
  tp_handle_t handle = 0;
  CALL(handle = tp_reloc_alloc(&now.reloc, bytes));
  if (index == NOWHERE) {
    now.refused++;
    EXPECT(fuzz_fault == (now.reloc.full ? TP_FAULT_FULL : 0u));
    EXPECT(fuzz_fault || handle == 0);
    return;
  }
  EXPECT(fuzz_fault == 0 && handle != 0 && !block_of(handle));
  for (uint32_t i = 0; i < GIVEN; i++) EXPECT(now.stale[i] != handle);
  struct block block = {handle, gap_at(index), units, ++now.numbers, 0};
  insert(index, block);
  EXPECT(fuzz_is_new(memory_of(&block), bytes_of(&block)));
  tp_fill(memory_of(&block), bytes_of(&block), block.number);
}

static struct block *any_block(void)
{
  return now.count ? &now.blocks[fuzz_below(now.count)] : NULL;
}

static void free_one(void)
{
  struct block *block = any_block();
  bool freed = false;
  if (!block || block->locks > 0) return;
  tp_handle_t handle = block->handle;
  now.stale[now.stale_count++ % GIVEN] = handle;
  now.count--;
  now.frees++;
  memmove(block, block + 1,
          (size_t)(&now.blocks[now.count] - block) * sizeof *block);
  GOOD(freed = tp_reloc_free(&now.reloc, handle));
  EXPECT(freed);
}

static void lock(void)
{
  struct block *block = any_block();
  void *memory = NULL;
  if (!block) return;
  GOOD(memory = tp_reloc_lock(&now.reloc, block->handle));
  EXPECT(memory == memory_of(block));
  block->locks++;
}

static void unlock(void)
{
  struct block *block = any_block();
  bool unlocked = false;
  if (!block || block->locks == 0) return;
  GOOD(unlocked = tp_reloc_unlock(&now.reloc, block->handle));
  EXPECT(unlocked);
  block->locks--;
}

static struct tp_reloc_moved step(uint32_t moves, uint32_t bytes)
{
  struct tp_reloc_moved done = {0, 0, 0, 0};
  struct tp_reloc_figures before = expected_figures();
  now.moved = now.moved_bytes = 0;
  GOOD(done = tp_reloc_step(&now.reloc, moves, bytes));
  now.moves += now.moved;
  struct tp_reloc_figures after = expected_figures();
  EXPECT(done.moves == now.moved && done.bytes == now.moved_bytes);
  EXPECT(done.moves <= moves && done.bytes <= bytes);
  EXPECT(done.holes == after.holes && done.hole_bytes == after.hole_bytes);
  EXPECT(after.holes <= before.holes && after.hole_bytes <= before.hole_bytes);
  return done;
}

static void step_a_little(void)
{
  uint32_t moves = fuzz_below(4);
  step(moves, fuzz_below(16) * UNIT);
}

// One pass over the blocks suffices, and what is left of one that passed by
// large blocks, as smaller steps do.
static void compact(void)
{
  uint32_t moves = 1 + fuzz_below(MOST);
  uint32_t steps = (now.count + moves - 1) / moves;
  struct tp_reloc_figures before = expected_figures();
  struct tp_reloc_moved done = {0, 0, 0, 0};
  if (before.locked > 0) return;
  for (uint32_t i = 0; i < 2 * steps; i++) done = step(moves, UINT16_MAX);
  EXPECT(done.holes == 0);
}

static void call_stale(void)
{
  tp_handle_t handle = now.stale[fuzz_below(GIVEN)];
  EXPECT(!tp_reloc_lock(&now.reloc, handle));
  EXPECT(!tp_reloc_free(&now.reloc, handle));
  EXPECT(!tp_reloc_unlock(&now.reloc, handle));
}

static void call_wrongly(void)
{
  const struct block *block = any_block();
  tp_handle_t never = now.peak + 1;
  if (TP_CHECKS == 0) return;
  WRONG(TP_FAULT_SIZE, tp_reloc_alloc(&now.reloc, 0));
  WRONG(TP_FAULT_LARGE, tp_reloc_alloc(&now.reloc, now.reloc.units * UNIT));
  if (never >> now.reloc.handle_bits == 0) {
    WRONG(TP_FAULT_HANDLE_POOL, tp_reloc_free(&now.reloc, never));
    WRONG(TP_FAULT_HANDLE_POOL, tp_reloc_unlock(&now.reloc, never));
  }
  if (!block) return;
  if (block->locks > 0) {
    WRONG(TP_FAULT_LOCK, tp_reloc_free(&now.reloc, block->handle));
  } else {
    WRONG(TP_FAULT_LOCK, tp_reloc_unlock(&now.reloc, block->handle));
  }
}

// A write past the end of a block.
static bool overrun(void)
{
  const struct block *block = any_block();
  if (!block || TP_CHECKS == 0) return false;
  uint32_t *word = (uint32_t *)memory_of(block) + bytes_of(block) / 4;
  uint32_t bit = 1u << fuzz_below(32);
  *word ^= bit;
  EXPECT(!tp_reloc_verify(&now.reloc));
  if (fuzz_below(16)) {
    *word ^= bit;
    return false;
  }
  CALL(tp_reloc_lock(&now.reloc, block->handle));
  EXPECT(fuzz_fault == TP_FAULT_RED_ZONE);
  return true;
}

static void begin(void)
{
  memset(&now, 0, sizeof now);
  uint32_t units = 2 + fuzz_below(40);
  uint32_t handles = 1 + fuzz_below(MOST);
  now.reloc = (struct tp_reloc){
      .arena = fuzz_memory((units + 1) * (size_t)UNIT, 0x77),
      .entry = fuzz_memory((handles + 1) * sizeof(struct tp_reloc_entry), 0),
      .state = fuzz_memory(sizeof *now.reloc.state, 0),
      .on_move = on_move,
      .name = "reloc",
      .units = (uint16_t)units,
      .handles = (uint16_t)handles,
      .handle_bits = TP_HANDLE_BITS(handles),
      .full = (uint8_t)fuzz_below(2)};
}

static void (*const calls[])(void) = {
    alloc, alloc,   alloc,      alloc,        free_one,
    lock,  unlock,  call_stale, call_wrongly, step_a_little,
    alloc, compact, free_one,   free_one,     step_a_little};
enum { CALLS = sizeof calls / sizeof calls[0] };

const struct world fuzz_reloc = {
    .name = "reloc",
    .begin = begin,
    .calls = calls,
    .count = CALLS,
    .end_in = CALLS + 1,
    .end = overrun,
    .check = check_all,
};
