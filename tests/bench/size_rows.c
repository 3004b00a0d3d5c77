// SPDX-License-Identifier: MIT
// What requests of any size cost: size classes, and the relocating pool, whose
// step has a worst case that must not grow with the arena.
#include "bench.h"
#include "board.h"
#include "config/tp_define.h"
#include "tidepool.h"
#include "allocator/tp_reloc.h"
#include "tp_declare.h"

enum { FEW = 64, MANY = 512, WIDEST = 512, STEPS = 20000 };

TP_BLOCKS_DECLARE(mixed);
TP_BLOCK_CLASS(mixed_8, 8, 4, .policy = &tp_drop);
TP_BLOCK_CLASS(mixed_16, 16, 4, .policy = &tp_drop);
TP_BLOCK_CLASS(mixed_32, 32, 1024, .policy = &tp_drop);
TP_BLOCK_CLASS(mixed_64, 64, 4, .policy = &tp_drop);
TP_BLOCK_CLASS(mixed_128, 128, 4, .policy = &tp_drop);
TP_BLOCK_CLASS(mixed_256, 256, 4, .policy = &tp_drop);
TP_BLOCKS_DEFINE(mixed, 0, TP_BLOCK_ROW(mixed_8), TP_BLOCK_ROW(mixed_16),
                 TP_BLOCK_ROW(mixed_32), TP_BLOCK_ROW(mixed_64),
                 TP_BLOCK_ROW(mixed_128), TP_BLOCK_ROW(mixed_256));

static void *mixed_alloc_32(void)
{
  return mixed_alloc(OBJECT_BYTES);
}

TP_RELOC_DECLARE(few);
TP_RELOC_DECLARE(many);
TP_RELOC_DEFINE(few, FEW *(WIDEST + 8), FEW, .moves = 0);
TP_RELOC_DEFINE(many, MANY *(WIDEST + 8), MANY, .moves = 0);

// A pool, the blocks in it and what its next step may do.
struct arena {
  const struct tp_reloc *reloc;
  uint32_t blocks;
  uint32_t moves;
  uint32_t bytes;
  tp_handle_t *handle;
};

static tp_handle_t few_handle[FEW], many_handle[MANY];

static void step(const struct arena *arena)
{
  tp_reloc_step(arena->reloc, arena->moves, arena->bytes);
}

static uint32_t cost_of_step(const struct arena *arena)
{
  const struct subject subject = {
      .self = (uintptr_t)arena,
      .alloc = (void *)step,
  };
  void *nothing;
  return bench_alloc(&subject, &nothing);
}

static bool is_compact(const struct arena *arena)
{
  struct tp_reloc_figures layout;
  tp_reloc_layout(arena->reloc, &layout);
  return layout.holes == 0;
}

static void empty(const struct arena *arena)
{
  for (uint32_t i = 0; i < arena->blocks; i++) {
    if (arena->handle[i]) tp_reloc_free(arena->reloc, arena->handle[i]);
    arena->handle[i] = TP_NO_HANDLE;
  }
}

static uint32_t more(uint32_t one, uint32_t other)
{
  return one > other ? one : other;
}

// Every step moves as many blocks and bytes as it may.
static uint32_t worst_of_checkerboard(const struct arena *arena)
{
  uint32_t worst = 0;
  empty(arena);
  for (uint32_t i = 0; i < arena->blocks; i++) {
    arena->handle[i] =
        tp_reloc_alloc(arena->reloc, arena->bytes / arena->moves);
  }
  for (uint32_t i = 0; i < arena->blocks; i += 2) {
    tp_reloc_free(arena->reloc, arena->handle[i]);
    arena->handle[i] = TP_NO_HANDLE;
  }
  while (!is_compact(arena)) worst = more(worst, cost_of_step(arena));
  return worst;
}

// Some call that is not a step.
static void disturb(const struct arena *arena)
{
  uint32_t i = bench_random_below(arena->blocks);
  if (arena->handle[i]) {
    tp_reloc_free(arena->reloc, arena->handle[i]);
    arena->handle[i] = TP_NO_HANDLE;
  } else {
    uint32_t size = 1 + bench_random_below(WIDEST);
    arena->handle[i] = tp_reloc_alloc(arena->reloc, size);
  }
}

static uint32_t worst_of_history(const struct arena *arena)
{
  uint32_t worst = 0;
  empty(arena);
  for (uint32_t i = 0; i < STEPS; i++) {
    for (uint32_t j = 0; j <= arena->moves; j++) disturb(arena);
    worst = more(worst, cost_of_step(arena));
  }
  return worst;
}

static void step_row(uint32_t moves, uint32_t bytes)
{
  const struct arena small = {&few_reloc, FEW, moves, bytes, few_handle};
  const struct arena large = {&many_reloc, MANY, moves, bytes, many_handle};
  bench_print("step");
  bench_print_number("moves", moves);
  bench_print_number("bytes", bytes);
  bench_print_number("few", worst_of_checkerboard(&small));
  bench_print_number("many", worst_of_checkerboard(&large));
  bench_print_number("history",
                     more(worst_of_history(&small), worst_of_history(&large)));
  bench_print("\n");
}

// alloc at the top, lock, unlock and free of a block of 32 bytes.
static void reloc_row(void)
{
  void *handle, *block;
  const struct subject ends = {
      .self = (uintptr_t)&few_reloc,
      .alloc = (void *)tp_reloc_alloc,
      .free = (void *)tp_reloc_free,
  };
  const struct subject locks = {
      .self = (uintptr_t)&few_reloc,
      .alloc = (void *)tp_reloc_lock,
      .free = (void *)tp_reloc_unlock,
  };
  tp_reloc_alloc(&few_reloc, OBJECT_BYTES);
  bench_print("reloc");
  bench_print_number("alloc", bench_call(&ends, OBJECT_BYTES, &handle));
  bench_print_number("lock", bench_call(&locks, (uintptr_t)handle, &block));
  bench_print_number("unlock", bench_free(&locks, handle));
  bench_print_number("free", bench_free(&ends, handle));
  bench_print("\n");
}

int main(void)
{
  const struct subject blocks = {"blocks", 0, (void *)mixed_alloc_32,
                                 (void *)mixed_free, 1024};
  bench_start();
  bench_row(&blocks);
  reloc_row();
  step_row(1, 64);
  step_row(4, 256);
  step_row(4, 1024);
  step_row(16, 1024);
  return 0;
}
