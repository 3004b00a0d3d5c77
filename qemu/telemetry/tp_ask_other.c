// SPDX-License-Identifier: MIT
// tp_ask_other.c - what allocators beside pools must do: spill, move, stay
// dense, and keep an order.
#include "allocator/tp_dense.h"
#include "allocator/tp_reloc.h"
#include "allocator/tp_stack.h"
#include "config/tp_define.h"
#include "policy/tp_spill.h"
#include "tp_ask.h"

enum { HOME = 1, AWAY = 2, ARENA = 128, BLOCKS = 3, WORDS = 6, BIRDS = 4 };

TP_POOL_DEFINE(tp_ask_away, TP_ASK_BYTES, AWAY, 4, .policy = &tp_drop,
               .refuses = 1);
static struct tp_chunk_state chunk_state;
static const struct tp_chunk chunk = {.pool = &tp_ask_away_pool,
                                      .state = &chunk_state};
static struct tp_spill_state spill_state;
static const struct tp_spill spill = {
    .policy = {.overflow = tp_spill_overflow, .take_back = tp_spill_take_back},
    .into = &chunk,
    .then = &tp_drop,
    .state = &spill_state,
};
TP_POOL_DEFINE(tp_ask_home, TP_ASK_BYTES, HOME, 4, .policy = &spill.policy,
               .takes_foreign = 1);
TP_RELOC_DEFINE(tp_ask_arena, ARENA, BLOCKS, .moves = 4, .move_bytes = ARENA);
TP_DENSE_DEFINE(tp_ask_birds, 8, BIRDS, 4, .full = 0);
TP_STACK_DEFINE(tp_ask_stack, 64, .full = TP_FULL_DROP);

static tp_handle_t handles[BIRDS];

static void *objects[HOME + AWAY];

// Whether home and away are full then, and nothing else is served.
static bool take_home_and_away(void)
{
  const struct tp_pool *pool = &tp_ask_home_pool;
  bool right = true;
  for (uint32_t i = 0; i < HOME + AWAY; i++) {
    objects[i] = tp_pool_alloc(pool);
    right &= objects[i] != NULL;
  }
  return right && !tp_pool_alloc(pool) &&
         tp_pool_live(&tp_ask_away_pool) == AWAY;
}

static bool spills(void)
{
  const struct tp_pool *pool = &tp_ask_home_pool;
  struct tp_stats before, after;
  tp_pool_stats(pool, &before);
  bool right = take_home_and_away();
  tp_pool_stats(pool, &after);
  right &= after.spills - before.spills == AWAY;
  for (uint32_t i = 0; i < HOME + AWAY; i++) tp_pool_free(pool, objects[i]);
  return right && !tp_pool_live(pool) && !tp_pool_live(&tp_ask_away_pool) &&
         tp_chunk_release(&chunk);
}

static uint32_t *words_of(uint32_t number)
{
  uint32_t *words =
      (uint32_t *)tp_reloc_lock(&tp_ask_arena_reloc, handles[number]);
  (void)tp_reloc_unlock(&tp_ask_arena_reloc, handles[number]);
  return words;
}

// Blocks of which each word says whose it is.
static bool take_blocks(void)
{
  bool right = true;
  for (uint32_t i = 0; i < BLOCKS; i++) {
    handles[i] = tp_reloc_alloc(&tp_ask_arena_reloc, WORDS * 4);
    uint32_t *words = words_of(i);
    right &= words != NULL;
    for (uint32_t j = 0; words && j < WORDS; j++) words[j] = i << 8 | j;
  }
  return right;
}

static bool is_whole(uint32_t number)
{
  const uint32_t *words = words_of(number);
  bool right = words != NULL;
  for (uint32_t j = 0; right && j < WORDS; j++) {
    right = words[j] == (number << 8 | j);
  }
  return right;
}

static bool free_blocks(void)
{
  for (uint32_t i = 0; i < BLOCKS; i++) {
    (void)tp_reloc_free(&tp_ask_arena_reloc, handles[i]);
  }
  return tp_reloc_verify(&tp_ask_arena_reloc);
}

// How many holes are left where [number] was, after as many steps as there are
// blocks.
static uint32_t holes_after(uint32_t number)
{
  uint32_t holes = 0;
  (void)tp_reloc_free(&tp_ask_arena_reloc, handles[number]);
  for (uint32_t i = 0; i < BLOCKS; i++) {
    holes = tp_reloc_step(&tp_ask_arena_reloc, BLOCKS, ARENA).holes;
  }
  return holes;
}

static bool moves(void)
{
  bool right = take_blocks();
  uint32_t *before = words_of(1);
  right &= holes_after(0) == 0;
  right &= words_of(1) && words_of(1) < before && !words_of(0);
  return free_blocks() && right;
}

static bool keeps_bytes(void)
{
  bool right = take_blocks();
  (void)holes_after(tp_ask_below(2));
  right &= is_whole(BLOCKS - 1);
  return free_blocks() && right;
}

static bool stays(void)
{
  bool right = take_blocks();
  const void *locked = tp_reloc_lock(&tp_ask_arena_reloc, handles[1]);
  (void)holes_after(0);
  right &= is_whole(1) && words_of(1) == locked;
  (void)tp_reloc_unlock(&tp_ask_arena_reloc, handles[1]);
  return free_blocks() && right;
}

static bool take_birds(void)
{
  bool right = true;
  for (uint32_t i = 0; i < BIRDS; i++) {
    uint32_t *bird =
        (uint32_t *)tp_dense_alloc(&tp_ask_birds_dense, &handles[i]);
    if (bird) *bird = i;
    right &= bird != NULL;
  }
  return right;
}

static bool dense(void)
{
  const struct tp_dense *birds = &tp_ask_birds_dense;
  uint32_t gone = tp_ask_below(BIRDS);
  bool right = take_birds() && tp_dense_free(birds, handles[gone]);
  right &= tp_dense_count(birds) == BIRDS - 1;
  for (uint32_t i = 0; i < BIRDS; i++) {
    const uint32_t *bird = (uint32_t *)tp_dense_get(birds, handles[i]);
    right &= i == gone ? !bird : bird && *bird == i;
    (void)tp_dense_free(birds, handles[i]);
  }
  return right && tp_dense_count(birds) == 0 && tp_dense_verify(birds);
}

static void release(const struct tp_pool *pool, void *mark)
{
  (void)pool;
  tp_stack_release(&tp_ask_stack_stack, *(struct tp_mark *)mark);
}

static bool in_order(void)
{
  struct tp_mark older = tp_stack_mark(&tp_ask_stack_stack);
  bool right = tp_stack_alloc(&tp_ask_stack_stack, 8, 4) != NULL;
  struct tp_mark newer = tp_stack_mark(&tp_ask_stack_stack);
  right &= tp_ask_fault(release, NULL, &older) == TP_FAULT_ORDER;
  tp_stack_reset(&tp_ask_stack_stack);
  (void)newer;
  return right;
}

const struct tp_question tp_ask_other[] = {
    {"a full pool spills, and takes back", spills, TP_CHECKS_FAST},
    {"a block moves into the hole before it", moves, TP_CHECKS_OFF},
    {"what is moved keeps its bytes", keeps_bytes, TP_CHECKS_OFF},
    {"what is locked stays", stays, TP_CHECKS_OFF},
    {"a dense pool stays dense", dense, TP_CHECKS_OFF},
    {"a stack is released in order", in_order, TP_CHECKS_FAST},
    {0},
};
