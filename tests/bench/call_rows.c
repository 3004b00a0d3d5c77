// SPDX-License-Identifier: MIT
// What each call of a user costs, beside those of tidepool_rows.c: that of the
// library, from its first instruction to its return; and pairs of calls in a
// function of the user's, with arguments and the check of what comes back.
#include "bench.h"
#include "board.h"
#include "tp_pools.h"

enum { SLOTS = 64, MOST = 1024 };

static void *held[MOST], *result;

uint32_t loudness(const void *object)
{
  return *(const uint32_t *)object;
}

void taken(void *victim)
{
  (void)victim;
}

void told(const struct tp_pool *pool, uint32_t free)
{
  (void)pool;
  (void)free;
}

bool make(void *object, void *context)
{
  *(void **)object = context;
  return true;
}

// A call of the user's, which ends by what it is about.
static TP_NOINLINE void free_plain(void *object)
{
  plain_free(object);
}

static TP_NOINLINE void free_queued(void *object)
{
  queued_free(object);
}

#define CALL(name, function, ...)                  \
  bench_cost(name, bench_count((void *)(function), \
                               (uintptr_t[4]){__VA_ARGS__}, &result))
#define AT(what) (uintptr_t)(&what)

// The second time, as after the first issue of a slot.
static void pools(void)
{
  CALL("first issue of a slot", tp_pool_alloc, AT(plain_pool));
  tp_pool_free(&plain_pool, result);
  CALL("alloc", tp_pool_alloc, AT(plain_pool));
  CALL("free", tp_pool_free, AT(plain_pool), (uintptr_t)result);
  hot_free(hot_alloc());
  CALL("own: alloc", hot_alloc, 0);
  CALL("own: free", hot_free, (uintptr_t)result);
  safe_free(safe_alloc());
  CALL("hardened: alloc", safe_alloc, 0);
  CALL("hardened: free", safe_free, (uintptr_t)result);
  apart_free(apart_alloc());
  CALL("links outside: alloc", apart_alloc, 0);
  CALL("links outside: free", apart_free, (uintptr_t)result);
  alone_free(alone_alloc());
  CALL("exclusive: alloc", alone_alloc, 0);
  CALL("exclusive: free", alone_free, (uintptr_t)result);
  made_destroy(made_create(NULL));
  CALL("NAME_create", tp_object_alloc, AT(made_objects), 0);
  CALL("NAME_destroy", tp_object_free, AT(made_objects), (uintptr_t)result);
}

static void handles(void)
{
  static tp_handle_t handle;
  keyed_free(keyed_alloc());
  CALL("alloc_handle", tp_handle_alloc, AT(keyed_pool), AT(handle));
  CALL("get", tp_handle_get, AT(keyed_pool), handle);
  CALL("handle", tp_handle_of, AT(keyed_pool), (uintptr_t)result);
  CALL("free_handle", tp_handle_free, AT(keyed_pool), handle);
  CALL("get, stale", tp_handle_get, AT(keyed_pool), handle);
}

static void own_handles(void)
{
  static vip_handle_t handle;
  vip_free(vip_alloc());
  CALL("own: alloc_handle", vip_alloc_handle, AT(handle));
  CALL("own: get", vip_get, handle.bits);
  CALL("own: free_handle", vip_free_handle, handle.bits);
}

static void wide_handles(void)
{
  static tp_handle64_t handle;
  wide_free(wide_alloc());
  CALL("64 bits: alloc_handle", tp_handle64_alloc, AT(wide_pool), AT(handle));
  uintptr_t low = (uintptr_t)handle, high = (uintptr_t)(handle >> 32);
  CALL("64 bits: get", tp_handle64_get, AT(wide_pool), 0, low, high);
  CALL("64 bits: free_handle", tp_handle64_free, AT(wide_pool), 0, low, high);
}

static void pins(void)
{
  static tp_handle_t handle;
  for (uint32_t i = 0; i < SLOTS; i++)
    held[i] = held_alloc_handle((held_handle_t *)&handle);
  CALL("pin", tp_pool_pin, AT(held_pool), (uintptr_t)held[7]);
  CALL("unpin", tp_pool_unpin, AT(held_pool), (uintptr_t)held[7]);
  CALL("pin_handle", tp_handle_pin, AT(held_pool), handle);
  CALL("unpin_handle", tp_handle_unpin, AT(held_pool), handle);
  CALL("steal the oldest", tp_aged_alloc, AT(held_pool));
  CALL("steal the oldest, with handle", tp_handle_alloc_aged, AT(held_pool),
       AT(handle));
}

static void steal_least(const char *name, const struct tp_pool *pool)
{
  for (uint32_t i = 0; i < pool->capacity; i++) {
    *(uint32_t *)tp_aged_alloc(pool) = bench_random_below(1u << 30);
  }
  CALL(name, tp_least_alloc, (uintptr_t)pool, 1u << 31);
}

static void waits(void)
{
  queued_free(queued_alloc());
  CALL("wait: alloc of a free slot", tp_wait_alloc, AT(queued_wait), 1);
  CALL("wait: free, nobody waits", free_queued, (uintptr_t)result);
  CALL("in use: free", free_plain, (uintptr_t)plain_alloc());
}

// One line of 32 bytes, of a core without a cache.
static void devices(void)
{
  void *frame = sent_alloc();
  CALL("dma: lend", tp_dma_lend, AT(sent_dma), (uintptr_t)frame, TP_DMA_RX);
  CALL("dma: take", tp_dma_take, AT(sent_dma), (uintptr_t)frame);
  CALL("dma: look before a free", tp_dma_give, AT(sent_dma), (uintptr_t)frame);
}

static void policies(void)
{
  for (uint32_t i = 0; i < SLOTS; i++) heard_alloc();
  CALL("steal the oldest, and tell", tp_aged_alloc, AT(heard_pool));
  steal_least("steal the least of 8", &few_pool);
  steal_least("steal the least of 32", &some_pool);
  steal_least("steal the least of 1024", &many_pool);
  watched_free(watched_alloc());
  CALL("low_water: alloc", tp_watermark_alloc, AT(watched_watermark));
  CALL("low_water: free", tp_watermark_free, AT(watched_watermark),
       (uintptr_t)result);
  for (uint32_t i = 0; i < 60; i++) (void)kept_alloc();
  kept_free(kept_alloc_urgent());
  CALL("reserve: alloc_urgent", tp_pool_alloc, AT(kept_urgent_pool));
  CALL("reserve: free of an urgent one", tp_pool_free, AT(kept_pool),
       (uintptr_t)result);
  for (uint32_t i = 0; i < 4; i++) (void)home_alloc();
  home_free(home_alloc());
  CALL("spill: alloc at the lender", tp_pool_alloc, AT(home_pool));
  CALL("spill: free of what is lent", tp_pool_free, AT(home_pool),
       (uintptr_t)result);
  CALL("chunk: attach", tp_chunk_attach, AT(base_pool), AT(extra_chunk));
  for (uint32_t i = 0; i < 4; i++) (void)base_alloc();
  base_free(base_alloc());
  CALL("chunk: alloc in it", tp_pool_alloc, AT(base_pool));
  CALL("chunk: free in it", tp_pool_free, AT(base_pool), (uintptr_t)result);
  CALL("chunk: detach", tp_chunk_detach, AT(base_pool), AT(extra_chunk));
}

static void scratches(void)
{
  struct tp_mark mark = scratch_mark();
  CALL("stack: alloc that raises the peak", tp_stack_alloc, AT(scratch_stack),
       32, 8);
  scratch_release(mark);
  mark = scratch_mark();
  CALL("stack: alloc", tp_stack_alloc, AT(scratch_stack), 32, 8);
  scratch_release(mark);
  CALL("stack: alloc_block", tp_stack_alloc_block, AT(scratch_stack), 32, 8);
  CALL("stack: free", tp_stack_free, AT(scratch_stack), (uintptr_t)result);
  CALL("frame: alloc that raises the peak", tp_frame_alloc, AT(drawing_frame),
       32, 8);
  CALL("frame: end", tp_frame_end, AT(drawing_frame));
  for (uint32_t i = 0; i < drawing_frame.buffers; i++) drawing_end();
  CALL("frame: alloc", tp_frame_alloc, AT(drawing_frame), 32, 8);
}

static void block(const char *alloc, const char *free, uint32_t size)
{
  mixed_free(mixed_alloc(size));
  CALL(alloc, tp_blocks_alloc, AT(mixed_blocks), size);
  CALL(free, tp_blocks_free, AT(mixed_blocks), (uintptr_t)result);
}

static void sizes(void)
{
  block("blocks: alloc of 8", "blocks: free of 8", 8);
  block("blocks: alloc of 16", "blocks: free of 16", 16);
  block("blocks: alloc of 32", "blocks: free of 32", 32);
  block("blocks: alloc of 64", "blocks: free of 64", 64);
  block("blocks: alloc of 128", "blocks: free of 128", 128);
  block("blocks: alloc of 256", "blocks: free of 256", 256);
  block("blocks: alloc of 100", "blocks: free of 100", 100);
}

static void dense(void)
{
  static tp_handle_t handle, first;
  swarm_alloc((swarm_handle_t *)&first);
  for (uint32_t i = 0; i < 8; i++) swarm_alloc((swarm_handle_t *)&handle);
  swarm_free((swarm_handle_t){handle});
  CALL("dense: alloc", tp_dense_alloc, AT(swarm_dense), AT(handle));
  CALL("dense: get", tp_dense_get, AT(swarm_dense), handle);
  CALL("dense: at", tp_dense_at, AT(swarm_dense), 3);
  CALL("dense: free of the last", tp_dense_free, AT(swarm_dense), handle);
  CALL("dense: free of another", tp_dense_free, AT(swarm_dense), first);
}

static void scenes(void)
{
  (void)scenes_switch(TP_SCENE_DAY, NULL);
  CALL("cut by scenes: compare", tp_seal_check, AT(cut_scene_seal));
  CALL("scene switch, one pool", tp_scene_switch, AT(scenes_scenes),
       TP_SCENE_NIGHT, 0);
}

// In use ----------------------------------------------------------------------

static uint32_t refused;

static void use_plain(void)
{
  uint32_t *object = plain_alloc();
  if (!object) {
    refused++;
    return;
  }
  *object = 7;
  plain_free(object);
}

static void use_hot(void)
{
  uint32_t *object = hot_alloc();
  if (!object) {
    refused++;
    return;
  }
  *object = 7;
  hot_free(object);
}

static void use_noted(void)
{
  uint32_t *object = noted_alloc();
  if (!object) {
    refused++;
    return;
  }
  *object = 7;
  noted_free(object);
}

static void use_noted_handle(void)
{
  noted_handle_t handle;
  if (!noted_alloc_handle(&handle)) {
    refused++;
    return;
  }
  uint32_t *object = noted_get(handle);
  if (object) *object = 7;
  noted_free_handle(handle);
}

static void use_handle(void)
{
  keyed_handle_t handle;
  if (!keyed_alloc_handle(&handle)) {
    refused++;
    return;
  }
  uint32_t *object = keyed_get(handle);
  if (object) *object = 7;
  keyed_free_handle(handle);
}

static void use_object(void)
{
  uint32_t *object = made_create(NULL);
  if (!object) {
    refused++;
    return;
  }
  *object = 7;
  made_destroy(object);
}

static void use_block(void)
{
  uint32_t *object = mixed_alloc(32);
  if (!object) {
    refused++;
    return;
  }
  *object = 7;
  mixed_free(object);
}

static void in_use(void)
{
  CALL("in use: alloc, free", use_plain, 0);
  CALL("in use: own alloc, free", use_hot, 0);
  CALL("in use: alloc_handle, get, free_handle", use_handle, 0);
  CALL("in use: create, destroy", use_object, 0);
  CALL("in use: a block of 32", use_block, 0);
  noted_free(noted_alloc());
  CALL("owner: alloc, free", use_noted, 0);
  CALL("owner: alloc_handle, get, free_handle", use_noted_handle, 0);
}

int main(void)
{
  bench_start_unless_traced();
  pools();
  handles();
  own_handles();
  wide_handles();
  pins();
  policies();
  waits();
  devices();
  scratches();
  sizes();
  dense();
  scenes();
  in_use();
  return 0;
}
