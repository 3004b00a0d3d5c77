// SPDX-License-Identifier: MIT
// RAM that nobody zeroed before main(): whatever it holds, the first call of an
// allocator, which else would write by it, says so and names it. Of pools:
// pool/test_not_zeroed.c.
#include "allocator/tp_blocks.h"
#include "allocator/tp_dense.h"
#include "allocator/tp_dense64.h"
#include "allocator/tp_dstack.h"
#include "allocator/tp_frame.h"
#include "allocator/tp_nest.h"
#include "allocator/tp_reloc.h"
#include "allocator/tp_stack.h"
#include "check/tp_check.h"
#include "config/tp_define.h"
#include "core/tp_words.h"
#include "tp_test.h"

enum { ROOM = 256, COUNT = 6 };

TP_STACK_DEFINE(heap, ROOM, .full = TP_FULL_DROP);
TP_DSTACK_DEFINE(ends, ROOM, .full = TP_FULL_DROP);
TP_FRAME_DEFINE(scratch, ROOM, 2, .full = TP_FULL_DROP);
TP_BLOCK_CLASS(small, 16, COUNT, .policy = &tp_drop, .refuses = 1);
TP_BLOCK_CLASS(large, 64, COUNT, .policy = &tp_drop, .refuses = 1);
TP_BLOCKS_DEFINE(scripts, 1, TP_BLOCK_ROW(small), TP_BLOCK_ROW(large));
TP_DENSE_DEFINE(debris, 16, COUNT, 4, .full = 0);
TP_DENSE_DEFINE(shards, 16, COUNT, 4, .full = 0);
static uint16_t wraps[COUNT + 1];
static const struct tp_dense64 wide = {&shards_dense, wraps};
TP_RELOC_DEFINE(meshes, ROOM, COUNT, .moves = 2, .move_bytes = 64);
TP_NEST_DEFINE(level, ROOM, .full = TP_FULL_DROP);

static struct tp_nest child;
static const struct tp_build row = {
    .size = 16, .count = 2, .align = 8, .policy = &tp_drop};

// What one of them has in RAM. NULL: no more.
struct part {
  void *memory;
  uint32_t bytes;
};
#define PART(variable)  {(variable), sizeof(variable)}
#define STATE(variable) {&(variable), sizeof(variable)}

static const struct part of_stack[] = {
    STATE(heap_state), PART(heap_storage), {NULL, 0}};
static const struct part of_dstack[] = {
    STATE(ends_state), PART(ends_storage), {NULL, 0}};
static const struct part of_frame[] = {
    STATE(scratch_state), PART(scratch_bump), PART(scratch_storage), {NULL, 0}};
static const struct part of_blocks[] = {
    PART(small_tag),     STATE(small_state), PART(small_storage),
    PART(small_asked),   PART(large_tag),    STATE(large_state),
    PART(large_storage), PART(large_asked),  {NULL, 0}};
static const struct part of_dense[] = {PART(debris_place),
                                       PART(debris_entry),
                                       STATE(debris_state),
                                       PART(debris_storage),
                                       {NULL, 0}};
static const struct part of_wide[] = {PART(shards_place),  PART(shards_entry),
                                      STATE(shards_state), PART(shards_storage),
                                      PART(wraps),         {NULL, 0}};
static const struct part of_reloc[] = {
    PART(meshes_entry), STATE(meshes_state), PART(meshes_arena), {NULL, 0}};
static const struct part of_nest[] = {STATE(level_dstack_state),
                                      STATE(level_nest_state),
                                      PART(level_storage),
                                      {NULL, 0}};

static const uint32_t fills[] = {0xffffffff, 0xa5a5a5a5, 0xdeadbeef, 0x55555555,
                                 TP_POISON};
enum { FILLS = sizeof fills / sizeof fills[0], ROUNDS = 50 };

// [word] everywhere; if it is 0, whatever the last reset left.
static void fill(const struct part *parts, uint32_t word)
{
  for (; parts->memory; parts++) {
    tp_word_t *words = (tp_word_t *)parts->memory;
    TP_PORT_UNPOISON(words, parts->bytes);
    for (uint32_t i = 0; i < parts->bytes / 4; i++) {
      words[i] = word ? word : tp_test_random();
    }
  }
}

static void zero(const struct part *parts)
{
  for (; parts->memory; parts++) tp_clear_words(parts->memory, parts->bytes);
}

static const char *name;
static const struct part *ram;

// Whether [call], the first, is a fault with the allocator's name, by whatever
// is in its RAM.
static bool is_named(void (*call)(void))
{
  for (volatile uint32_t i = 0; i < FILLS + ROUNDS; i++) {
    volatile bool faulted = true;
    fill(ram, i < FILLS ? fills[i] : 0);
    if (setjmp(tp_test_resume) == 0) {
      tp_test_expect_fault();
      call();
      faulted = false;
    }
    bool told = faulted && tp_text_same(tp_fault_record.name, name);
    zero(ram);
    if (!told) return false;
  }
  return true;
}

static void push(void)
{
  tp_stack_alloc(&heap_stack, 8, 4);
}

static void push_block(void)
{
  tp_stack_alloc_block(&heap_stack, 8, 4);
}

// A mark writes nothing but its own number, and asks nothing.
static void mark_and_release(void)
{
  tp_stack_release(&heap_stack, tp_stack_mark(&heap_stack));
}

static void reset(void)
{
  tp_stack_reset(&heap_stack);
}

static void a_stack_on_ram_that_was_not_zeroed_faults_at_its_first_call(void)
{
  name = "heap";
  ram = of_stack;
  CHECK(is_named(push));
  CHECK(is_named(push_block));
  CHECK(is_named(mark_and_release));
  CHECK(is_named(reset));
}

static void push_low(void)
{
  tp_dstack_alloc(&ends_dstack, TP_LOW, 8, 4);
}

static void push_high(void)
{
  tp_dstack_alloc(&ends_dstack, TP_HIGH, 8, 4);
}

static void push_high_block(void)
{
  tp_dstack_alloc_block(&ends_dstack, TP_HIGH, 8, 4);
}

static void mark_and_push_high(void)
{
  tp_dstack_mark(&ends_dstack, TP_HIGH);
  push_high();
}

static void reset_low(void)
{
  tp_dstack_reset(&ends_dstack, TP_LOW);
}

static void a_double_ended_stack_does_too(void)
{
  name = "ends";
  ram = of_dstack;
  CHECK(is_named(push_low));
  CHECK(is_named(push_high));
  CHECK(is_named(push_high_block));
  CHECK(is_named(mark_and_push_high));
  CHECK(is_named(reset_low));
}

static void alloc_scratch(void)
{
  tp_frame_alloc(&scratch_frame, 8, 4);
}

static void end_scratch(void)
{
  tp_frame_end(&scratch_frame);
}

static void a_frame_does_too(void)
{
  name = "scratch";
  ram = of_frame;
  CHECK(is_named(alloc_scratch));
  CHECK(is_named(end_scratch));
}

static void alloc_small(void)
{
  tp_blocks_alloc(&scripts_blocks, 12);
}

static void alloc_large(void)
{
  tp_blocks_alloc(&scripts_blocks, 60);
}

static void a_class_of_blocks_does_too(void)
{
  ram = of_blocks;
  name = AUDITED ? "scripts" : "small";
  CHECK(is_named(alloc_small));
  name = AUDITED ? "scripts" : "large";
  CHECK(is_named(alloc_large));
}

static void alloc_debris(void)
{
  tp_handle_t handle;
  tp_dense_alloc(&debris_dense, &handle);
}

static void first_debris(void)
{
  tp_handle_t handle;
  tp_dense_first(&debris_dense, &handle);
}

static void reset_debris(void)
{
  tp_dense_reset(&debris_dense);
}

static void alloc_shard(void)
{
  tp_handle64_t handle;
  tp_dense64_alloc(&wide, &handle);
}

static void a_dense_pool_does_too(void)
{
  name = "debris";
  ram = of_dense;
  CHECK(is_named(alloc_debris));
  CHECK(is_named(first_debris));
  CHECK(is_named(reset_debris));
  name = "shards";
  ram = of_wide;
  CHECK(is_named(alloc_shard));
}

static void alloc_mesh(void)
{
  tp_reloc_alloc(&meshes_reloc, 8);
}

static void step_meshes(void)
{
  tp_reloc_step(&meshes_reloc, 2, 64);
}

static void a_relocating_pool_does_too(void)
{
  name = "meshes";
  ram = of_reloc;
  CHECK(is_named(alloc_mesh));
  CHECK(is_named(step_meshes));
}

static void open_stack(void)
{
  tp_nest_open_stack(&child, &level_nest, TP_LOW, "child", 64, TP_FULL_DROP);
}

static void open_frame(void)
{
  tp_nest_open_frame(&child, &level_nest, TP_HIGH, "child", 64, 1,
                     TP_FULL_DROP);
}

static void open_dstack(void)
{
  tp_nest_open_dstack(&child, &level_nest, TP_LOW, "child", 64, TP_FULL_DROP);
}

static void open_pool(void)
{
  tp_nest_open_pool(&child, &level_nest, TP_HIGH, "child", &row);
}

static void a_nest_does_too(void)
{
  name = "level";
  ram = of_nest;
  CHECK(is_named(open_stack));
  CHECK(is_named(open_frame));
  CHECK(is_named(open_dstack));
  CHECK(is_named(open_pool));
}

int main(void)
{
  if (TP_CHECKS >= TP_CHECKS_FAST) {
    RUN(a_stack_on_ram_that_was_not_zeroed_faults_at_its_first_call);
    RUN(a_double_ended_stack_does_too);
    RUN(a_frame_does_too);
    RUN(a_class_of_blocks_does_too);
    RUN(a_dense_pool_does_too);
    RUN(a_relocating_pool_does_too);
    RUN(a_nest_does_too);
  }
  return tp_test_end();
}
