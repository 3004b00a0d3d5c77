// SPDX-License-Identifier: MIT
// test_generated.c - what pools.toml makes of the same policies.
#include "policies.h"

static uint32_t told;

void casks_low(const struct tp_pool *pool, uint32_t free)
{
  if (pool == &casks_pool) told = told * 10 + free;
}

void casks_refilled(const struct tp_pool *pool, uint32_t free)
{
  if (pool == &casks_pool) told = told * 10 + free;
}

static void a_generated_pool_spills_and_comes_home(void)
{
  struct thing *things[4];
  for (uint32_t i = 0; i < 4; i++) things[i] = tide_alloc();
  CHECK(is_of(&tide_pool, things[1]));
  CHECK(is_of(&bay_pool, things[2]) && is_of(&bay_pool, things[3]));
  CHECK(tide_alloc() == NULL);
  wave_alloc();
  CHECK_FAULTS(TP_FAULT_FULL, wave_alloc());
  CHECK_FAULTS(TP_FAULT_FOREIGN, wave_free(things[3]));

  for (uint32_t i = 0; i < 4; i++) tide_free(things[i]);

  CHECK(!tp_chunk_release(&bay_chunk));
  tp_clock_now += 5;
  CHECK(tp_chunk_release(&bay_chunk));
}

static void a_generated_reserve_is_for_urgent_requests_only(void)
{
  for (uint32_t i = 0; i < 3; i++) CHECK(seats_alloc() != NULL);

  CHECK(seats_alloc() == NULL);
  CHECK(seats_alloc_urgent() != NULL);
  CHECK(seats_alloc_urgent() == NULL);
}

static void a_generated_pool_tells_when_it_is_low_and_refilled(void)
{
  struct thing *casks[4];
  for (uint32_t i = 0; i < 4; i++) casks[i] = casks_alloc();
  for (uint32_t i = 0; i < 4; i++) casks_free(casks[i]);

  CHECK_EQ(told, 13);
}

void suite_generated(void)
{
  RUN(a_generated_pool_spills_and_comes_home);
  RUN(a_generated_reserve_is_for_urgent_requests_only);
  RUN(a_generated_pool_tells_when_it_is_low_and_refilled);
}
