// SPDX-License-Identifier: MIT
#include "policies.h"

#include "policy/tp_steal_least.h"

enum { EACH = 2, ALL = 4 * EACH };

static void start(void)
{
  forget_spill(&drops_pool);
  forget_spill(&pond_pool);
  forget_spill(&lake_pool);
}

static void a_second_pool_may_spill_into_a_third_and_that_into_a_fourth(void)
{
  const struct tp_pool *const pools[] = {&drops_pool, &pond_pool, &lake_pool,
                                         &sea_pool};
  start();

  for (uint32_t i = 0; i < ALL; i++) {
    CHECK(is_of(pools[i / EACH], drops_alloc()));
  }

  CHECK(drops_alloc() == NULL);
  CHECK_EQ(drops_spill.state->live, 3 * EACH);
  CHECK_EQ(pond_spill.state->live, 2 * EACH);
  CHECK_EQ(lake_spill.state->live, EACH);
}

static void objects_come_home_along_the_chain_in_any_order(void)
{
  struct thing *things[ALL];
  start();
  for (uint32_t round = 0; round < 100; round++) {
    for (uint32_t i = 0; i < ALL; i++) things[i] = drops_alloc();
    uint32_t first = tp_test_random() % ALL;
    for (uint32_t i = 0; i < ALL; i++) {
      drops_free(things[(first + 3 * i) % ALL]);
    }
  }

  CHECK_EQ(drops_spill.state->live, 0);
  CHECK_EQ(pond_spill.state->live, 0);
  CHECK_EQ(lake_spill.state->live, 0);
  CHECK_EQ(pond_chunk.state->live, 0);
  CHECK_EQ(lake_chunk.state->live, 0);
  CHECK_EQ(sea_chunk.state->live, 0);
  CHECK(tp_pool_verify(&sea_pool, NULL));
}

static void what_was_passed_on_holds_every_region_on_its_way(void)
{
  struct thing *things[ALL];
  start();
  for (uint32_t i = 0; i < ALL; i++) things[i] = drops_alloc();
  for (uint32_t i = 0; i < ALL - 1; i++) drops_free(things[i]);
  CHECK(!tp_chunk_release(&pond_chunk));
  CHECK(!tp_chunk_release(&lake_chunk));
  CHECK(!tp_chunk_release(&sea_chunk));

  drops_free(things[ALL - 1]);

  CHECK(tp_chunk_release(&pond_chunk));
  CHECK(tp_chunk_release(&lake_chunk));
  CHECK(tp_chunk_release(&sea_chunk));
}

// At full the free would look at memory that is nobody's.
static void nor_is_one_released_whose_own_object_was_lent_by_the_next(void)
{
  struct thing *things[EACH + 1];
  start();
  for (uint32_t i = 0; i <= EACH; i++) things[i] = pond_alloc();
  CHECK(is_of(&lake_pool, things[EACH]));
  for (uint32_t i = 0; i < EACH; i++) pond_free(things[i]);
  CHECK(!tp_chunk_release(&pond_chunk));

  pond_free(things[EACH]);

  CHECK(tp_chunk_release(&pond_chunk));
}

static void what_the_next_pool_borrowed_itself_cannot_be_freed_here(void)
{
  struct thing *thing = NULL;
  start();
  for (uint32_t i = 0; i <= EACH; i++) thing = pond_alloc();
  CHECK(is_of(&lake_pool, thing));

  CHECK_FAULTS(TP_FAULT_FOREIGN, drops_free(thing));

  CHECK(tp_fault_record.pool == &drops_pool);
  CHECK_EQ(drops_spill.state->live, 0);
  CHECK_EQ(pond_spill.state->live, 1);
  CHECK_EQ(pond_chunk.state->live, 0);
  CHECK_EQ(lake_chunk.state->live, 1);
  pond_chunk.state->live = 1;  // As if another pool had borrowed there.
  CHECK_FAULTS(TP_FAULT_FOREIGN, drops_free(thing));
  pond_chunk.state->live = 0;
  pond_free(thing);
  CHECK_EQ(lake_chunk.state->live, 0);
}

static void nor_can_it_though_another_chunk_lent_something(void)
{
  struct thing *things[ALL], *thing = NULL;
  start();
  forget_chunk(&field_a_chunk);
  tp_chunk_attach(&drops_pool, &field_a_chunk);
  for (uint32_t i = 0; i < ALL; i++) things[i] = drops_alloc();
  CHECK(is_of(field_a_chunk.pool, drops_alloc()));
  for (uint32_t i = EACH; i < ALL; i++) drops_free(things[i]);
  for (uint32_t i = 0; i <= EACH; i++) thing = pond_alloc();
  CHECK(is_of(&lake_pool, thing));
  CHECK_EQ(drops_spill.state->live, 1);

  CHECK_FAULTS(TP_FAULT_FOREIGN, drops_free(thing));

  CHECK_EQ(drops_spill.state->live, 1);
  CHECK_EQ(pond_chunk.state->live, 0);
  CHECK_EQ(lake_chunk.state->live, 1);
  pond_free(thing);
}

static void what_is_foreign_to_a_whole_chain_faults_in_the_pool_called(void)
{
  struct thing foreign;
  start();
  for (uint32_t i = 0; i < ALL; i++) drops_alloc();

  CHECK_FAULTS(TP_FAULT_FOREIGN, drops_free(&foreign));

  CHECK(tp_fault_record.pool == &drops_pool);
  CHECK_EQ(drops_spill.state->live, 3 * EACH);
}

static void who_borrowed_is_known_though_the_lender_borrowed_it_too(void)
{
  struct thing *things[6];
  forget_spill(&porch_pool);
  forget_spill(&yard_pool);
  for (uint32_t i = 0; i < 6; i++) CHECK((things[i] = porch_alloc()));
  CHECK(porch_alloc() == NULL);
  CHECK(is_of(&porch_pool, things[0]) && is_of(&yard_pool, things[1]));
  for (uint32_t i = 2; i < 6; i++) CHECK(is_of(&rubble_pool, things[i]));
  CHECK(yard_chunk.owner[1] == porch_spill.state);
  for (uint32_t i = 0; i < 6; i++) porch_free(things[i]);
  CHECK_EQ(porch_spill.state->live, 0);
  CHECK_EQ(yard_spill.state->live, 0);
  CHECK(tp_pool_verify(&rubble_pool, NULL));
}

// Of what is lent a pool has handles only if its spill says so.
static void who_wants_a_handle_is_served_as_far_as_handles_reach(void)
{
  forget_spill(&porch_pool);
  forget_spill(&yard_pool);
  forget_spill(&boxes_pool);
  porch_alloc();
  CHECK(is_of(&yard_pool, tp_least_alloc(&porch_pool, 7)));
  for (uint32_t i = 0; i < BOXES; i++) boxes_alloc();
  CHECK(tp_least_alloc(&boxes_pool, 7) == NULL);
  CHECK(is_of(&attic_pool, boxes_alloc()));
}

void suite_chains(void)
{
  RUN(who_wants_a_handle_is_served_as_far_as_handles_reach);
  RUN(who_borrowed_is_known_though_the_lender_borrowed_it_too);
  RUN(a_second_pool_may_spill_into_a_third_and_that_into_a_fourth);
  RUN(objects_come_home_along_the_chain_in_any_order);
  RUN(what_was_passed_on_holds_every_region_on_its_way);
  RUN(nor_is_one_released_whose_own_object_was_lent_by_the_next);
  RUN(what_the_next_pool_borrowed_itself_cannot_be_freed_here);
  RUN(nor_can_it_though_another_chunk_lent_something);
  RUN(what_is_foreign_to_a_whole_chain_faults_in_the_pool_called);
}
