// SPDX-License-Identifier: MIT
// What calls cost by how much there is: the same rows at five counts, all slots
// live but for the one that a call needs.
#include "bench.h"
#include "board.h"
#include "semihost.h"
#include "tp_pools.h"

enum { LONG_LOOP = 900000 };  // More than any call here takes.

struct rows {
  uint32_t count;
  const struct tp_objects *objects;
  const struct tp_pool *plain, *held, *least;
  const struct tp_dense *dense;
  const struct tp_blocks *blocks;
  const struct tp_reloc *reloc;
};

#define ROWS(n)         \
  {n,                   \
   &plain##n##_objects, \
   &plain##n##_pool,    \
   &held##n##_pool,     \
   &least##n##_pool,    \
   &swarm##n##_dense,   \
   &mixed##n##_blocks,  \
   &arena##n##_reloc}

static const struct rows all[] = {ROWS(4), ROWS(100), ROWS(1000), ROWS(10000),
                                  ROWS(32767)};

static void *result;
static tp_handle_t handle;

uint32_t known_loop(uint32_t turns);

bool born(void *object, void *context)
{
  *(void **)object = context;
  return true;
}

uint32_t loudness(const void *object)
{
  return *(const uint32_t *)object;
}

void taken(void *victim)
{
  (void)victim;
}

static bool step(void *object, void *context)
{
  (void)object, (void)context;
  return true;
}

static void visit(void *object, void *context)
{
  (void)object, (void)context;
}

static void print_growth(const char *name, uint32_t count, uint32_t cost)
{
  bench_print("growth ");
  bench_print(name);
  bench_print_number("n", count);
  bench_print_number("cost", cost);
  bench_print("\n");
}

#define GROWTH(name, function, ...) \
  print_growth(                     \
      name, rows->count,            \
      bench_count((void *)(function), (uintptr_t[4]){__VA_ARGS__}, &result))

static void plain(const struct rows *rows)
{
  uintptr_t pool = (uintptr_t)rows->plain;
  for (uint32_t i = 0; i < rows->count; i++) {
    *(uint32_t *)tp_pool_alloc(rows->plain) = i;
  }
  GROWTH("alloc, refused", tp_pool_alloc, pool);
  tp_pool_free(rows->plain, rows->plain->storage);
  GROWTH("alloc", tp_pool_alloc, pool);
  GROWTH("free", tp_pool_free, pool, (uintptr_t)result);
  (void)tp_pool_alloc(rows->plain);
  GROWTH("tp_pool_live", tp_pool_live, pool);
  GROWTH("tp_object_update", tp_object_update, (uintptr_t)rows->objects,
         (uintptr_t)step);
  GROWTH("tp_object_walk", tp_object_walk, (uintptr_t)rows->objects,
         (uintptr_t)visit);
  GROWTH("tp_pool_verify", tp_pool_verify, pool);
  GROWTH("tp_pool_reset", tp_pool_reset, pool);
}

static void held(const struct rows *rows)
{
  uintptr_t pool = (uintptr_t)rows->held;
  for (uint32_t i = 0; i < rows->count; i++) {
    (void)tp_handle_alloc_aged(rows->held, &handle);
  }
  tp_handle_free(rows->held, handle);
  GROWTH("ring: alloc_handle", tp_handle_alloc_aged, pool, (uintptr_t)&handle);
  GROWTH("get", tp_handle_get, pool, handle);
  GROWTH("steal the oldest", tp_aged_alloc, pool);
  GROWTH("pin", tp_handle_pin, pool, handle);
  GROWTH("unpin", tp_handle_unpin, pool, handle);
  GROWTH("ring: free_handle", tp_handle_free, pool, handle);
}

// The oldest is the least of all; then all others are less than who is older.
static void least(const struct rows *rows)
{
  uintptr_t pool = (uintptr_t)rows->least;
  for (uint32_t i = 0; i < rows->count; i++) {
    *(uint32_t *)tp_aged_alloc(rows->least) = 1 + i;
  }
  GROWTH("steal the least, the oldest", tp_least_alloc, pool, 1u << 31);
  tp_pool_reset(rows->least);
  for (uint32_t i = 0; i < rows->count; i++) {
    *(uint32_t *)tp_aged_alloc(rows->least) = (1u << 31) - i;
  }
  GROWTH("steal the least, the newest", tp_least_alloc, pool, 1u << 31);
}

static void dense(const struct rows *rows)
{
  uintptr_t self = (uintptr_t)rows->dense;
  static tp_handle_t first;
  (void)tp_dense_alloc(rows->dense, &first);
  for (uint32_t i = 1; i < rows->count; i++) {
    (void)tp_dense_alloc(rows->dense, &handle);
  }
  tp_dense_free(rows->dense, handle);
  GROWTH("dense: alloc", tp_dense_alloc, self, (uintptr_t)&handle);
  GROWTH("dense: get", tp_dense_get, self, handle);
  GROWTH("dense: free of the first", tp_dense_free, self, first);
  (void)tp_dense_alloc(rows->dense, &handle);
  GROWTH("tp_dense_verify", tp_dense_verify, self);
  GROWTH("tp_dense_reset", tp_dense_reset, self);
}

static void blocks(const struct rows *rows)
{
  uintptr_t self = (uintptr_t)rows->blocks;
  for (uint32_t i = 0; i < rows->count; i++) {
    result = tp_blocks_alloc(rows->blocks, 8);
  }
  tp_blocks_free(rows->blocks, result);
  GROWTH("blocks: alloc", tp_blocks_alloc, self, 8);
  GROWTH("blocks: free", tp_blocks_free, self, (uintptr_t)result);
  (void)tp_blocks_alloc(rows->blocks, 8);
  GROWTH("tp_blocks_verify", tp_blocks_verify, self);
}

// A request that fits into no hole but the last goes over all blocks before it.
static void relocating(const struct rows *rows)
{
  uintptr_t self = (uintptr_t)rows->reloc;
  tp_handle_t first = tp_reloc_alloc(rows->reloc, 4), last = first;
  for (uint32_t i = 1; i < rows->count; i++) {
    last = handle;
    handle = tp_reloc_alloc(rows->reloc, 4);
  }
  tp_reloc_free(rows->reloc, handle);
  GROWTH("relocating: alloc at the top", tp_reloc_alloc, self, 4);
  handle = (tp_handle_t)(uintptr_t)result;
  GROWTH("relocating: lock", tp_reloc_lock, self, handle);
  GROWTH("relocating: unlock", tp_reloc_unlock, self, handle);
  tp_reloc_free(rows->reloc, last);
  GROWTH("relocating: alloc in the last hole", tp_reloc_alloc, self, 4);
  GROWTH("relocating: free of the first", tp_reloc_free, self, first);
  GROWTH("tp_reloc_layout", tp_reloc_layout, self,
         (uintptr_t)&(struct tp_reloc_figures){0});
  GROWTH("tp_reloc_verify", tp_reloc_verify, self);
}

// That nothing here is longer than what the clock can tell.
static void check_clock(void)
{
  uint32_t counted =
      bench_count((void *)known_loop, (uintptr_t[4]){LONG_LOOP}, &result);
  if (counted == 2 + 2 * LONG_LOOP) return;
  bench_print("FAIL a long loop of known length is counted exactly\n");
  semihost_exit(1);
}

int main(void)
{
  bench_start();
  check_clock();
  for (uint32_t i = 0; i < sizeof all / sizeof all[0]; i++) {
    plain(&all[i]);
    held(&all[i]);
    least(&all[i]);
    dense(&all[i]);
    blocks(&all[i]);
    relocating(&all[i]);
  }
  return 0;
}
