// SPDX-License-Identifier: MIT
// Every path of every call once or twice, for a trace of what runs with
// interrupts masked. Prints nothing: bench.py reads the trace.
#include "config/tp_define.h"
#include "tp_pools.h"
#include "allocator/tp_blocks.h"
#include "tp_declare.h"

TP_BLOCKS_DECLARE(mixed);
TP_BLOCK_CLASS(mixed_16, 16, 2, .policy = &tp_drop);
TP_BLOCK_CLASS(mixed_32, 32, 2, .policy = &tp_drop);
TP_BLOCKS_DEFINE(mixed, 1, TP_BLOCK_ROW(mixed_16), TP_BLOCK_ROW(mixed_32));

void evicted(void *victim)
{
  (void)victim;
}

static void shared_paths(void)
{
  void *objects[5];
  for (uint32_t i = 0; i < 5; i++) objects[i] = all4_alloc();
  all4_free(objects[1]);
  all4_free(objects[0]);
  all4_alloc();
}

static void own_paths(void)
{
  void *objects[5];
  for (uint32_t i = 0; i < 5; i++) objects[i] = own4_alloc();
  own4_free(objects[1]);
  own4_free(objects[0]);
  own4_alloc();
}

static void own_theft(void)
{
  void *objects[5];
  for (uint32_t i = 0; i < 5; i++) objects[i] = pirate_alloc();
  pirate_free(objects[2]);
  pirate_alloc();
}

static void shared_theft(void)
{
  void *objects[5];
  for (uint32_t i = 0; i < 5; i++) objects[i] = bandit_alloc();
  bandit_handle_t handle = bandit_handle(objects[2]);
  bandit_get(handle);
  bandit_free_handle(handle);
  bandit_get(handle);
  bandit_alloc();
}

static void blocks_of_any_size(void)
{
  void *blocks[4];
  for (uint32_t i = 0; i < 4; i++) blocks[i] = mixed_alloc(10 + i);
  mixed_alloc(16);
  mixed_free(blocks[0]);
  mixed_free(blocks[3]);
  mixed_alloc(9);
}

int main(void)
{
  own_paths();
  own_theft();
  shared_paths();
  shared_theft();
  blocks_of_any_size();
  return 0;
}
