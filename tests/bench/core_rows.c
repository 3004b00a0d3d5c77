// SPDX-License-Identifier: MIT
// What calls of pools of two cores cost while the other one is in none.
#include "bench.h"
#include "tp_pools.h"

enum { KEPT = 4 };

static void *result;

static void count(const char *name, void *function, const void *pool,
                  void *object)
{
  const uintptr_t arguments[4] = {(uintptr_t)pool, (uintptr_t)object};
  bench_cost(name, bench_count(function, arguments, &result));
}

int main(void)
{
  void *crate[KEPT + 1];
  bench_start_unless_traced();
  packets_free(packets_alloc());
  count("two cores: alloc", (void *)tp_cores_alloc, &packets_pool, NULL);
  count("two cores: free", (void *)tp_cores_free, &packets_pool, result);
  crates_free(crates_alloc());
  count("magazine: alloc", (void *)tp_magazine_alloc, &crates_pool, NULL);
  count("magazine: free", (void *)tp_magazine_free, &crates_pool, result);
  for (int i = 0; i <= KEPT; i++) crate[i] = crates_alloc();
  for (int i = 0; i < KEPT; i++) crates_free(crate[i]);
  count("magazine that is full: free", (void *)tp_magazine_free, &crates_pool,
        crate[KEPT]);
  for (int i = 0; i < KEPT; i++) (void)crates_alloc();
  count("magazine that is empty: alloc", (void *)tp_magazine_alloc,
        &crates_pool, NULL);
  return 0;
}
