// SPDX-License-Identifier: MIT
// Pools that are waited for, whose objects are known by handles.
#include "tasks.h"

static rooms_handle_t rooms[ROOMS_COUNT], late;
static halls_handle_t hall;

static void fill_rooms(void)
{
  fill();
  tp_test_forget(&rooms_pool);
  *rooms_wait.state = (struct tp_wait_state){0};
  for (uint32_t i = 0; i < ROOMS_COUNT; i++) {
    taken[i] = rooms_alloc_wait_handle(&rooms[i], TP_WAIT_FOREVER);
  }
}

static void fill_halls(void)
{
  fill();
  tp_test_forget(&halls_pool);
  *halls_wait.state = (struct tp_wait_state){0};
  taken[0] = halls_alloc_wait_handle(&hall, 0);
}

static void what_is_taken_without_a_wait_has_its_handle(void)
{
  fill_rooms();
  CHECK_EQ(tasks.sleeps, 0);
  for (uint32_t i = 0; i < ROOMS_COUNT; i++) {
    CHECK(taken[i] && rooms_get(rooms[i]) == taken[i]);
  }
}

static void who_gets_nothing_has_no_handle(void)
{
  fill_rooms();
  late = rooms[0];
  CHECK(!rooms_alloc_wait_handle(&late, 7));
  CHECK_EQ(tasks.sleeps, 1);
  CHECK_EQ(late.bits, TP_NO_HANDLE);
}

static void free_a_room_by_handle(void)
{
  CHECK(rooms_free_handle(rooms[1]));
}

static void what_is_freed_by_handle_is_handed_to_who_waits_with_a_new_one(void)
{
  fill_rooms();
  tasks.sleeping = free_a_room_by_handle;
  struct thing *object = rooms_alloc_wait_handle(&late, TP_WAIT_FOREVER);
  CHECK(object == taken[1]);
  CHECK(rooms_get(late) == object);
  CHECK(!rooms_get(rooms[1]));
  CHECK_EQ(tasks.wakes, 1);
  CHECK_EQ(tasks.prepared, 0);
}

static void free_a_room_twice(void)
{
  CHECK(rooms_free_handle(rooms[0]));
  CHECK(!rooms_free_handle(rooms[0]));
}

static void a_handle_that_is_stale_wakes_nobody(void)
{
  fill_rooms();
  tasks.sleeping = free_a_room_twice;
  CHECK(rooms_alloc_wait_handle(&late, TP_WAIT_FOREVER) == taken[0]);
  CHECK_EQ(tasks.wakes, 1);
  CHECK(rooms_get(late) == taken[0]);
}

static void free_the_hall(void)
{
  CHECK(halls_free_handle(hall));
}

static void a_handle_of_64_bits_is_handed_on_too(void)
{
  halls_handle_t next;
  fill_halls();
  CHECK(taken[0] && halls_get(hall) == taken[0]);
  tasks.sleeping = free_the_hall;
  CHECK(halls_alloc_wait_handle(&next, TP_WAIT_FOREVER) == taken[0]);
  CHECK(halls_get(next) == taken[0]);
  CHECK(!halls_get(hall));
  CHECK(!halls_alloc_wait_handle(&hall, 0));
  CHECK(!halls_free_handle(hall));
  CHECK(halls_free_handle(next));
  CHECK_EQ(tasks.wakes, 1);
}

void suite_handles(void)
{
  RUN(what_is_taken_without_a_wait_has_its_handle);
  RUN(who_gets_nothing_has_no_handle);
  RUN(what_is_freed_by_handle_is_handed_to_who_waits_with_a_new_one);
  RUN(a_handle_that_is_stale_wakes_nobody);
  RUN(a_handle_of_64_bits_is_handed_on_too);
}
