// SPDX-License-Identifier: MIT
// Every row of ours at the level this image is built with.
#include "bench.h"
#include "board.h"
#include "tp_pools.h"

#define OWN(text, pool, count) \
  {text, 0, (void *)pool##_alloc, (void *)pool##_free, count}
#define SHARED(text, pool, count)                                              \
  {text, (uintptr_t)&pool##_pool, (void *)tp_pool_alloc, (void *)tp_pool_free, \
   count}
#define AGED(text, pool, count)                                                \
  {text, (uintptr_t)&pool##_pool, (void *)tp_aged_alloc, (void *)tp_aged_free, \
   count}

void evicted(void *victim)
{
  (void)victim;
}

static void rows(const struct subject *subjects, uint32_t count)
{
  for (uint32_t i = 0; i < count; i++) bench_row(&subjects[i]);
}

int main(void)
{
  const struct subject own[] = {
      OWN("own", own4, 4), OWN("own", own64, 64), OWN("own", own1024, 1024),
      OWN("own", own4096, 4096), OWN("bare", bare1024, 1024)};
  const struct subject shared[] = {
      SHARED("shared", all4, 4), SHARED("shared", all64, 64),
      SHARED("shared", all1024, 1024), SHARED("shared", all4096, 4096)};
  const struct subject thief = OWN("own-thief", thief, 1024);
  const struct subject robber = AGED("shared-thief", robber, 1024);

  bench_start();
  rows(own, 5);
  rows(shared, 4);
  bench_fill(&own[2]);
  bench_request(&own[2], "full");
  bench_fill(&own[4]);
  bench_request(&own[4], "full");
  bench_fill(&shared[2]);
  bench_request(&shared[2], "full");
  bench_fill(&thief);
  bench_request(&thief, "steal");
  bench_fill(&robber);
  bench_request(&robber, "steal");
  return 0;
}
