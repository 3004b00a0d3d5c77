// SPDX-License-Identifier: MIT
// Pools that grow by chunks which the table names: chunks = [ ... ].
#include "compose.h"

enum { HOME = 2, EACH = 3 };

static struct spark *taken[HOME + 2 * EACH + 1];

static uint32_t take_all(void)
{
  uint32_t count = 0;
  while ((taken[count] = herd_alloc())) count++;
  return count;
}

static void a_pool_grows_by_the_chunks_of_its_row(void)
{
  compose_start();
  CHECK_EQ(take_all(), HOME);
  herd_attach(&west_chunk);
  herd_attach(&east_chunk);

  CHECK_EQ(take_all(), 2 * EACH);
}

// The one at the higher address, which serves last.
static const struct tp_chunk *last_chunk(void)
{
  bool west = west_pool.storage > east_pool.storage;
  return west ? &west_chunk : &east_chunk;
}

static void a_chunk_in_use_stays_and_the_others_go(void)
{
  compose_start();
  herd_attach(&west_chunk);
  herd_attach(&east_chunk);
  CHECK_EQ(take_all(), HOME + 2 * EACH);
  for (uint32_t i = 0; i < HOME + EACH; i++) herd_free(taken[i]);
  CHECK(!herd_detach(last_chunk()));

  CHECK_EQ(herd_release(), 1);

  CHECK_EQ(take_all(), HOME);
  for (uint32_t i = 0; i < HOME; i++) herd_free(taken[i]);
  herd_reset();
  CHECK_EQ(herd_release(), 0);
  CHECK_EQ(herd_release(), 0);
  herd_attach(&west_chunk);
  CHECK(herd_detach(&west_chunk));
  herd_attach(&west_chunk);
  CHECK_EQ(take_all(), HOME + EACH);
}

static void a_reset_takes_all_back_wherever_it_is(void)
{
  compose_start();
  herd_attach(&east_chunk);
  CHECK_EQ(take_all(), HOME + EACH);
  herd_reset();
  CHECK_EQ(take_all(), HOME + EACH);
}

static void a_lender_gives_its_memory_up_while_nothing_is_lent(void)
{
  compose_start();
  struct spark *spark[3];
  for (uint32_t i = 0; i < 3; i++) spark[i] = pails_alloc();
  CHECK(!pits_release());
  pails_free(spark[2]);
  CHECK(pits_release());
  CHECK(pails_alloc() == spark[2]);
}

void suite_chunks(void)
{
  RUN(a_pool_grows_by_the_chunks_of_its_row);
  if (TP_CHECKS >= TP_CHECKS_FAST) {
    RUN(a_reset_takes_all_back_wherever_it_is);
    RUN(a_chunk_in_use_stays_and_the_others_go);
  }
  RUN(a_lender_gives_its_memory_up_while_nothing_is_lent);
}
