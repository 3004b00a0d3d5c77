// SPDX-License-Identifier: MIT
#include "allocator/tp_blocks.h"
#include "allocator/tp_dense64.h"
#include "allocator/tp_reloc.h"
#include "config/tp_define.h"
#include "time.h"

enum { ROOM = 8192 };

static struct tp_stats stats;
TP_DENSE_DEFINE(swarm, 16, 2 * LARGEST, 4, .full = 0);

static tp_handle_t swarm_handles[2 * LARGEST];
static tp_handle_t walked;

static void swarm_of(uint32_t count)
{
  *swarm_dense.state = (struct tp_dense_state){0};
  for (uint32_t i = 0; i < 2 * LARGEST; i++) {
    swarm_dense.place[i] = 0;
    swarm_dense.entry[i] = 0;
  }
  for (uint32_t i = 0; i < count; i++) {
    tp_dense_alloc(&swarm_dense, &swarm_handles[i]);
  }
}

static uint32_t of_dense_alloc(uint32_t count)
{
  swarm_of(count);
  return COST(tp_dense_alloc(&swarm_dense, NULL));
}

static uint32_t of_dense_free(uint32_t count)
{
  swarm_of(count);
  return COST(tp_dense_free(&swarm_dense, swarm_handles[3]));
}

static uint32_t of_dense_get(uint32_t count)
{
  swarm_of(count);
  return COST(tp_dense_get(&swarm_dense, swarm_handles[3]));
}

static uint32_t of_dense_at(uint32_t count)
{
  swarm_of(count);
  return COST(tp_dense_at(&swarm_dense, 3));
}

static uint32_t of_dense_handle(uint32_t count)
{
  swarm_of(count);
  return COST(tp_dense_handle(&swarm_dense, 3));
}

static uint32_t of_dense_first(uint32_t count)
{
  swarm_of(count);
  return COST(tp_dense_first(&swarm_dense, &walked));
}

static uint32_t of_dense_next(uint32_t count)
{
  swarm_of(count);
  tp_dense_first(&swarm_dense, &walked);
  return COST(tp_dense_next(&swarm_dense, &walked));
}

static uint32_t of_dense_count(uint32_t count)
{
  swarm_of(count);
  return COST(tp_dense_count(&swarm_dense));
}

static uint32_t of_dense_stats(uint32_t count)
{
  swarm_of(count);
  return COST(tp_dense_stats(&swarm_dense, &stats));
}

static void a_dense_pool_answers_as_fast_whatever_it_holds(void)
{
  CHECK(is_constant(of_dense_alloc));
  CHECK(is_constant(of_dense_free));
  CHECK(is_constant(of_dense_get));
  CHECK(is_constant(of_dense_at));
  CHECK(is_constant(of_dense_handle));
  CHECK(is_constant(of_dense_first));
  CHECK(is_constant(of_dense_next));
  CHECK(is_constant(of_dense_count));
  CHECK(is_constant(of_dense_stats));
}

static uint16_t swarm_wraps[4 * LARGEST];
static const struct tp_dense64 wide = {&swarm_dense, swarm_wraps};
static tp_handle64_t wide_handle;

static uint32_t of_dense64_alloc(uint32_t count)
{
  swarm_of(count);
  return COST(tp_dense64_alloc(&wide, &wide_handle));
}

static uint32_t of_dense64_free(uint32_t count)
{
  swarm_of(count);
  return COST(tp_dense64_free(&wide, swarm_handles[3]));
}

static uint32_t of_dense64_get(uint32_t count)
{
  swarm_of(count);
  return COST(tp_dense64_get(&wide, swarm_handles[3]));
}

static uint32_t of_dense64_handle(uint32_t count)
{
  swarm_of(count);
  return COST(tp_dense64_handle(&wide, 3));
}

static uint32_t of_dense64_of(uint32_t count)
{
  swarm_of(count);
  return COST(tp_dense64_of(&wide, swarm_handles[3]));
}

static uint32_t of_dense64_next(uint32_t count)
{
  swarm_of(count);
  tp_dense64_first(&wide, &wide_handle);
  return COST(tp_dense64_next(&wide, &wide_handle));
}

static uint32_t of_dense64_first(uint32_t count)
{
  swarm_of(count);
  return COST(tp_dense64_first(&wide, &wide_handle));
}

static uint32_t of_dense64_reset(uint32_t count)
{
  swarm_of(count);
  return COST(tp_dense64_reset(&wide));
}

static void handles_of_64_bits_take_no_longer_the_more_there_are(void)
{
  CHECK(is_constant(of_dense64_alloc));
  CHECK(is_constant(of_dense64_free));
  CHECK(is_constant(of_dense64_get));
  CHECK(is_constant(of_dense64_handle));
  CHECK(is_constant(of_dense64_of));
  CHECK(is_constant(of_dense64_first));
  CHECK(is_constant(of_dense64_next));
  CHECK(is_linear(of_dense64_reset));
}

static uint32_t of_dense_reset(uint32_t count)
{
  swarm_of(count);
  return COST(tp_dense_reset(&swarm_dense));
}

static uint32_t of_dense_verify(uint32_t count)
{
  swarm_of(count);
  return COST(tp_dense_verify(&swarm_dense));
}

static void a_dense_pool_is_reset_and_verified_in_time_by_its_objects(void)
{
  CHECK(is_linear(of_dense_reset));
  CHECK(is_linear(of_dense_verify));
}

TP_RELOC_DEFINE(heap, ROOM, 2 * LARGEST, .moves = 1, .move_bytes = 64);

static tp_handle_t heap_handles[2 * LARGEST + 1];
static struct tp_reloc_figures layout;

static void heap_of(uint32_t count, uint32_t bytes)
{
  *heap_reloc.state = (struct tp_reloc_state){0};
  for (uint32_t i = 0; i <= 2 * LARGEST; i++) {
    heap_reloc.entry[i] = (struct tp_reloc_entry){0};
  }
  for (uint32_t i = 0; i < count; i++) {
    heap_handles[i] = tp_reloc_alloc(&heap_reloc, bytes);
  }
}

static uint32_t of_reloc_alloc(uint32_t count)
{
  heap_of(count, 16);
  return COST(tp_reloc_alloc(&heap_reloc, 16));
}

// The last of [count] blocks is a hole, and the top is used up.
static uint32_t of_reloc_alloc_in_a_hole(uint32_t count)
{
  heap_of(count, 16);
  tp_reloc_layout(&heap_reloc, &layout);
  tp_reloc_alloc(&heap_reloc, layout.top_bytes);
  tp_reloc_free(&heap_reloc, heap_handles[count - 1]);
  return COST(tp_reloc_alloc(&heap_reloc, 16));
}

static uint32_t of_reloc_free(uint32_t count)
{
  heap_of(count, 16);
  return COST(tp_reloc_free(&heap_reloc, heap_handles[3]));
}

static uint32_t of_reloc_lock(uint32_t count)
{
  heap_of(count, 16);
  return COST(tp_reloc_lock(&heap_reloc, heap_handles[3]));
}

static uint32_t of_reloc_unlock(uint32_t count)
{
  heap_of(count, 16);
  tp_reloc_lock(&heap_reloc, heap_handles[3]);
  return COST(tp_reloc_unlock(&heap_reloc, heap_handles[3]));
}

static uint32_t of_reloc_step(uint32_t count)
{
  heap_of(count, 16);
  tp_reloc_free(&heap_reloc, heap_handles[0]);
  return COST(tp_reloc_step(&heap_reloc, 2, 64));
}

static void a_relocating_pool_answers_as_fast_whatever_it_holds(void)
{
  CHECK(is_constant(of_reloc_alloc));
  CHECK(is_constant(of_reloc_free));
  CHECK(is_constant(of_reloc_lock));
  CHECK(is_constant(of_reloc_unlock));
  CHECK(is_constant(of_reloc_step));
}

static uint32_t of_reloc_alloc_of(uint32_t words)
{
  heap_of(1, 16);
  return COST(tp_reloc_alloc(&heap_reloc, 16 * words));
}

static uint32_t of_reloc_free_of(uint32_t words)
{
  heap_of(2, 16 * words);
  return COST(tp_reloc_free(&heap_reloc, heap_handles[0]));
}

static uint32_t of_reloc_step_by(uint32_t moves)
{
  heap_of(2 * LARGEST, 16);
  tp_reloc_free(&heap_reloc, heap_handles[0]);
  return COST(tp_reloc_step(&heap_reloc, moves, ROOM));
}

static void a_relocating_pool_takes_time_by_bytes_and_moves(void)
{
  CHECK(is_by_bytes(of_reloc_alloc_of));
  CHECK(is_by_bytes(of_reloc_free_of));
  CHECK(is_linear(of_reloc_step_by));
}

static uint32_t of_reloc_verify(uint32_t count)
{
  heap_of(count, 16);
  return COST(tp_reloc_verify(&heap_reloc));
}

static uint32_t of_reloc_layout(uint32_t count)
{
  heap_of(count, 16);
  return COST(tp_reloc_layout(&heap_reloc, &layout));
}

static uint32_t of_reloc_stats(uint32_t count)
{
  heap_of(count, 16);
  return COST(tp_reloc_stats(&heap_reloc, &stats));
}

static void what_looks_at_all_blocks_takes_time_by_them(void)
{
  CHECK(is_linear(of_reloc_alloc_in_a_hole));
  CHECK(is_linear(of_reloc_verify));
  CHECK(is_linear(of_reloc_layout));
  CHECK(is_linear(of_reloc_stats));
}

TP_POOL_DEFINE_TAGGED(tiny, 8, 2, 8, .policy = &tp_drop);
static struct tp_blocks_class classes[LARGEST];
static uint16_t asked[2 * LARGEST + 1];
static struct tp_blocks_waste waste[2];

// Blocks of [count] classes, all but the last too small for 16 bytes.
static struct tp_blocks blocks_of(uint32_t count)
{
  half_fill(&drops, 4);
  for (uint32_t i = 0; i < count; i++) {
    classes[i] = (struct tp_blocks_class){&tiny_pool, asked, &waste[0]};
  }
  classes[count - 1].pool = &drops;
  return (struct tp_blocks){
      .classes = classes,
      .waste = &waste[1],
      .count = (uint8_t)count,
  };
}

static uint32_t of_blocks_alloc(uint32_t count)
{
  struct tp_blocks blocks = blocks_of(count);
  return COST(tp_blocks_alloc(&blocks, 16));
}

static uint32_t of_blocks_free(uint32_t count)
{
  struct tp_blocks blocks = blocks_of(count);
  void *block = tp_blocks_alloc(&blocks, 16);
  return COST(tp_blocks_free(&blocks, block));
}

static void blocks_take_time_by_the_classes(void)
{
  CHECK(is_linear(of_blocks_alloc));
  CHECK(is_linear(of_blocks_free));
}

static void counting_a_block_s_waste_locks_once(void)
{
  struct tp_blocks blocks = blocks_of(2);
  uint32_t alone = WINDOWS(tp_aged_alloc(&drops));
  uint32_t once = TP_CHECKS >= TP_CHECKS_FAST || drops.tagged;
  CHECK_EQ(WINDOWS(tp_blocks_alloc(&blocks, 16)), alone + once);
}

static uint32_t of_blocks_stats(uint32_t count)
{
  struct tp_blocks blocks = blocks_of(1);
  half_fill(&drops, count);
  return COST(tp_blocks_stats(&blocks, 0, &stats));
}

static uint32_t of_blocks_verify(uint32_t count)
{
  struct tp_blocks blocks = blocks_of(1);
  waste[0] = waste[1] = (struct tp_blocks_waste){0};
  half_fill(&drops, count);
  for (uint32_t i = 1; i <= 2 * LARGEST; i++) asked[i] = i <= count ? 16 : 0;
  return COST(tp_blocks_verify(&blocks));
}

static void blocks_are_counted_and_verified_in_time_by_their_slots(void)
{
  struct tp_blocks blocks = blocks_of(1);
  CHECK(is_linear(of_blocks_stats));
  CHECK(is_linear(of_blocks_verify));
  CHECK_EQ(WINDOWS(tp_blocks_verify(&blocks)), 0);
}

void suite_allocators(void)
{
  RUN(a_dense_pool_answers_as_fast_whatever_it_holds);
  RUN(handles_of_64_bits_take_no_longer_the_more_there_are);
  RUN(a_dense_pool_is_reset_and_verified_in_time_by_its_objects);
  RUN(a_relocating_pool_answers_as_fast_whatever_it_holds);
  RUN(a_relocating_pool_takes_time_by_bytes_and_moves);
  RUN(what_looks_at_all_blocks_takes_time_by_them);
  RUN(blocks_take_time_by_the_classes);
  RUN(counting_a_block_s_waste_locks_once);
  RUN(blocks_are_counted_and_verified_in_time_by_their_slots);
}
