// SPDX-License-Identifier: MIT
// What a note of who asked costs.
#include "object/tp_owner.h"
#include "time.h"

static struct tp_owner owners[2 * LARGEST];
static const struct tp_owned owned = {.pool = &drops, .owners = owners};
const struct tp_owned *const tp_owned_rows[] = {&owned, NULL};

static uint32_t of_taking(uint32_t count)
{
  half_fill(&drops, count);
  return COST(tp_owner_take(&owned, objects[count - 1]));
}

static uint32_t of_taking_by_handle(uint32_t count)
{
  half_fill(&drops, count);
  tp_handle_t handle = tp_handle_of(&drops, objects[count - 1]);
  tp_handle64_t wide = tp_handle64_of(&drops, objects[count - 1]);
  uint32_t cost = COST(tp_owner_take_handle(&owned, NULL, &handle));
  return cost + COST(tp_owner_take_handle64(&owned, NULL, &wide));
}

static uint32_t of_giving(uint32_t count)
{
  half_fill(&drops, count);
  return COST(tp_owner_give(&owned, objects[count - 1]));
}

static uint32_t of_giving_by_handle(uint32_t count)
{
  half_fill(&drops, count);
  tp_handle_t handle = tp_handle_of(&drops, objects[count - 1]);
  tp_handle64_t wide = tp_handle64_of(&drops, objects[count - 1]);
  uint32_t cost = COST(tp_owner_give_handle(&owned, handle));
  return cost + COST(tp_owner_give_handle64(&owned, wide));
}

static uint32_t of_asking(uint32_t count)
{
  half_fill(&drops, count);
  tp_owner_take(&owned, objects[count - 1]);
  return COST(tp_owner_of(&owned, objects[count - 1]));
}

static void a_note_takes_as_long_whatever_lives(void)
{
  CHECK(is_constant(of_taking));
  CHECK(is_constant(of_taking_by_handle));
  CHECK(is_constant(of_giving));
  CHECK(is_constant(of_giving_by_handle));
  CHECK(is_constant(of_asking));
}

static void a_note_is_one_window_and_a_look_at_it_none(void)
{
  half_fill(&drops, LARGEST);
  tp_handle_t handle = tp_handle_of(&drops, objects[0]);
  tp_handle64_t wide = tp_handle64_of(&drops, objects[0]);

  CHECK_EQ(WINDOWS(tp_owner_take(&owned, objects[0])), 1);
  CHECK_EQ(WINDOWS(tp_owner_take_handle(&owned, NULL, &handle)), 1);
  CHECK_EQ(WINDOWS(tp_owner_take_handle64(&owned, NULL, &wide)), 1);
  CHECK_EQ(WINDOWS(tp_owner_give(&owned, objects[0])), 1);
  CHECK_EQ(WINDOWS(tp_owner_give_handle(&owned, handle)), 1);
  CHECK_EQ(WINDOWS(tp_owner_give_handle64(&owned, wide)), 1);
  CHECK_EQ(WINDOWS(tp_owner_of(&owned, objects[0])), 0);
  const struct tp_fault_record record = {.pool = &drops, .slot = 1};
  CHECK_EQ(WINDOWS(tp_fault_owner_of(&record)), 0);
}

void suite_owners(void)
{
  RUN(a_note_takes_as_long_whatever_lives);
  RUN(a_note_is_one_window_and_a_look_at_it_none);
}
