// SPDX-License-Identifier: MIT
// What a load or store of the application's costs in a build of the sanitizer,
// beside itself: the call that the compiler makes of it, first to return. The
// first of each allocator follows one of another's.
#include "bench.h"
#include "board.h"
#include "check/tp_sanitize.h"
#include "semihost.h"
#include "tp_pools.h"

void __asan_load4_noabort(uintptr_t address);
void __asan_store4_noabort(uintptr_t address);
void *__wrap_memcpy(void *to, const void *from, size_t bytes);

static uint32_t own[8], more[8];
static void *result, *before[2];

static void ask(const char *name, const char *how, void *hook, void *address)
{
  uint32_t cost =
      bench_count(hook, (uintptr_t[4]){(uintptr_t)address}, &result);
  bench_print("access ");
  bench_print(name);
  bench_print(how);
  bench_print_number("cost", cost);
  bench_print("\n");
}

static void call(const char *name, void (*function)(void))
{
  uint32_t cost = bench_count(function, (uintptr_t[4]){0}, &result);
  bench_print("access ");
  bench_print(name);
  bench_print_number("cost", cost);
  bench_print("\n");
}

static void load(const char *name, void *object)
{
  __asan_store4_noabort((uintptr_t)object);
  __asan_load4_noabort((uintptr_t)before[0]);
  __asan_load4_noabort((uintptr_t)before[1]);
  ask(name, ": the first", __asan_load4_noabort, object);
  ask(name, ": another", __asan_load4_noabort, object);
}

static void copy(void)
{
  uint32_t cost =
      bench_count(__wrap_memcpy,
                  (uintptr_t[4]){(uintptr_t)own, (uintptr_t)more, 32}, &result);
  bench_print("access memcpy() of 32 bytes of its own");
  bench_print_number("cost", cost);
  bench_print("\n");
}

int main(void)
{
  bench_start();
  for (uint32_t i = 0; i < 2; i++) before[i] = other_alloc();
  load("a pool", plain_alloc());
  ask("its own variables", "", __asan_load4_noabort, own);
  void *noted = noted_alloc();
  load("a pool with written", noted);
  ask("a pool with written", ": a store", __asan_store4_noabort, noted);
  load("a stack", scratch_alloc(32, 8));
  load("a frame", drawing_alloc(32, 8));
  load("a block of the third class", mixed_alloc(64));
  load("a dense pool", swarm_alloc(&(swarm_handle_t){0}));
  load("a relocating pool", meshes_lock(meshes_alloc(32)));
  copy();
  call("tp_sanitize_off()", tp_sanitize_off);
  call("tp_sanitize_on()", tp_sanitize_on);
  return 0;
}
