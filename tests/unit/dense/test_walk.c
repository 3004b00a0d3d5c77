// SPDX-License-Identifier: MIT
#include "dense.h"

static tp_handle_t handles[BULLETS];
static uint8_t met[2 * BULLETS];  // By id: how often.

static void shoot(uint32_t count)
{
  forget(&bullets_dense);
  for (uint32_t i = 0; i < 2 * BULLETS; i++) met[i] = 0;
  for (uint32_t i = 0; i < count; i++) bullets_alloc(&handles[i])->id = i;
}

static void a_walk_meets_every_object_once(void)
{
  tp_handle_t handle;
  shoot(10);

  struct bullet *bullet = bullets_first(&handle);
  for (; bullet; bullet = bullets_next(&handle)) {
    CHECK_EQ(handle, handles[bullet->id]);
    met[bullet->id]++;
  }

  for (uint32_t i = 0; i < 10; i++) CHECK_EQ(met[i], 1);
  CHECK_EQ(handle, TP_NO_HANDLE);
}

// Removes those of [victims], a bit an id, when it meets them.
static void remove_while_walking(uint32_t victims)
{
  tp_handle_t handle;
  shoot(10);
  struct bullet *bullet = bullets_first(&handle);
  for (; bullet; bullet = bullets_next(&handle)) {
    uint32_t id = bullet->id;
    met[id]++;
    if (victims >> id & 1) bullets_free(handle);
  }
  for (uint32_t i = 0; i < 10; i++) CHECK_EQ(met[i], 1);
  for (uint32_t i = 0; i < 10; i++) {
    CHECK_EQ(bullets_get(handles[i]) == NULL, victims >> i & 1);
  }
}

static void removal_while_iterating_visits_each_survivor_exactly_once(void)
{
  for (uint32_t victims = 0; victims < 1024; victims++) {
    remove_while_walking(victims);
    CHECK(tp_dense_verify(&bullets_dense));
  }
}

static void retest_while_walking(uint32_t victims)
{
  shoot(10);
  for (uint32_t i = 0; i < bullets_count();) {
    uint32_t id = bullets_at(i)->id;
    met[id]++;
    if (victims >> id & 1) {
      bullets_free(bullets_handle(i));
    } else {
      i++;
    }
  }
  for (uint32_t i = 0; i < 10; i++) CHECK_EQ(met[i], 1);
}

static void looking_at_an_index_again_visits_each_survivor_exactly_once(void)
{
  for (uint32_t victims = 0; victims < 1024; victims++) {
    retest_while_walking(victims);
  }
}

// Meeting [meeting], removes [victim], whoever and wherever that is.
static void remove_another(uint32_t meeting, uint32_t victim)
{
  tp_handle_t handle;
  bool removed = false;
  shoot(10);
  struct bullet *bullet = bullets_first(&handle);
  for (; bullet; bullet = bullets_next(&handle)) {
    CHECK(!removed || bullet->id != victim);
    met[bullet->id]++;
    if (bullet->id != meeting) continue;
    bullets_free(handles[victim]);
    removed = true;
    CHECK(tp_dense_verify(&bullets_dense));
  }
  for (uint32_t i = 0; i < 10; i++) {
    CHECK_EQ(met[i], i != victim || victim <= meeting);
  }
}

static void whoever_is_removed_each_survivor_is_visited_exactly_once(void)
{
  for (uint32_t meeting = 0; meeting < 10; meeting++) {
    for (uint32_t victim = 0; victim < 10; victim++) {
      remove_another(meeting, victim);
    }
  }
}

static void those_born_during_a_walk_are_first_met_by_the_next(void)
{
  tp_handle_t handle;
  shoot(10);
  uint32_t next = 10;

  struct bullet *bullet = bullets_first(&handle);
  for (; bullet; bullet = bullets_next(&handle)) {
    uint32_t id = bullet->id;
    met[id]++;
    if (id % 3 == 0) bullets_free(handles[id / 3]);
    bullets_alloc(NULL)->id = next++;
  }

  for (uint32_t id = 10; id < next; id++) CHECK_EQ(met[id], 0);
  for (uint32_t id = 4; id < 10; id++) CHECK_EQ(met[id], 1);
  CHECK(tp_dense_verify(&bullets_dense));
  bullet = bullets_first(&handle);
  for (; bullet; bullet = bullets_next(&handle)) met[bullet->id]++;
  for (uint32_t id = 10; id < next; id++) CHECK_EQ(met[id], 1);
}

static void a_walk_left_half_done_harms_nobody(void)
{
  tp_handle_t handle;
  shoot(10);
  for (uint32_t i = 0; i < 5; i++) {
    (void)(i == 0 ? bullets_first(&handle) : bullets_next(&handle));
  }

  for (uint32_t i = 0; i < 10; i += 2) bullets_free(handles[i]);

  CHECK(tp_dense_verify(&bullets_dense));
  for (uint32_t i = 1; i < 10; i += 2) CHECK_EQ(bullets_get(handles[i])->id, i);
  struct bullet *bullet = bullets_first(&handle);
  for (; bullet; bullet = bullets_next(&handle)) met[bullet->id]++;
  for (uint32_t i = 0; i < 10; i++) CHECK_EQ(met[i], i % 2);
}

static void the_hook_is_told_every_move_during_a_walk(void)
{
  tp_handle_t handle;
  shoot(10);
  for (uint32_t i = 0; i < 4; i++) {
    (void)(i == 0 ? bullets_first(&handle) : bullets_next(&handle));
  }
  bullets_alloc(NULL);
  const struct bullet *places[] = {bullets_at(0), bullets_at(3), bullets_at(9),
                                   bullets_at(10)};

  bullets_free(handles[0]);

  CHECK_EQ(moves, 3);  // 3 to 0, 9 to 3, the new one to 9.
  for (uint32_t i = 0; i < 3; i++) {
    CHECK(moved_to_of[i] == places[i]);
    CHECK(moved_from_of[i] == places[i + 1]);
  }
  CHECK(bullets_get(handles[3]) == bullets_at(0));
  CHECK(bullets_get(handles[9]) == bullets_at(3));
  CHECK(moved_to == bullets_at(9));
}

static void the_hook_finds_the_pool_whole_at_every_move(void)
{
  tp_handle_t handle;
  shoot(10);
  for (uint32_t i = 0; i < 4; i++) {
    (void)(i == 0 ? bullets_first(&handle) : bullets_next(&handle));
  }
  bullets_alloc(NULL);
  moved_asks = 10;
  bullets_free(handles[0]);
  moved_asks = 0;
  CHECK_EQ(moves, 3);
  CHECK_EQ(moved_amiss, 0);
}

static void meet(void *object, void *context)
{
  (void)context;
  met[((struct bullet *)object)->id]++;
}

static void meet_and_issue(void *object, void *context)
{
  meet(object, context);
  struct bullet *issued = bullets_alloc(NULL);
  if (issued) issued->id = BULLETS;
}

static void a_walk_by_visits_meets_all_and_none_that_it_issues(void)
{
  for (uint32_t count = 0; count <= BULLETS; count++) {
    shoot(count);
    tp_dense_walk(&bullets_dense, bullets_dense.stride, meet_and_issue, NULL);
    for (uint32_t i = 0; i < count; i++) CHECK_EQ(met[i], 1);
    if (count < BULLETS) CHECK_EQ(met[BULLETS], 0);
  }
}

// The last one does: so no dead one is met, which tests may not look at.
static void free_another(void *object, void *context)
{
  (void)context;
  if (((struct bullet *)object)->id == 9) bullets_free(handles[3]);
}

static void a_visit_that_frees_faults(void)
{
  shoot(10);
  CHECK_FAULTS(
      TP_FAULT_FOREIGN,
      tp_dense_walk(&bullets_dense, bullets_dense.stride, free_another, NULL));
}

static void a_walk_that_met_everyone_has_ended(void)
{
  tp_handle_t handle;
  shoot(5);
  bullets_first(&handle);
  while (bullets_next(&handle)) {
  }
  for (uint32_t i = 0; i < 5; i++) bullets_alloc(NULL);

  bullets_free(handles[0]);

  CHECK_EQ(moves, 1);
  CHECK(bullets_next(&handle) == NULL);
}

static void a_walk_ends_when_all_are_removed(void)
{
  tp_handle_t handle;
  shoot(5);
  bullets_first(&handle);
  bullets_next(&handle);

  bullets_reset();

  CHECK(tp_dense_verify(&bullets_dense));
  bullets_alloc(NULL);
  CHECK(bullets_next(&handle) == NULL);
  CHECK_EQ(handle, TP_NO_HANDLE);
}

void suite_walk(void)
{
  RUN(a_walk_meets_every_object_once);
  RUN(removal_while_iterating_visits_each_survivor_exactly_once);
  RUN(looking_at_an_index_again_visits_each_survivor_exactly_once);
  RUN(whoever_is_removed_each_survivor_is_visited_exactly_once);
  RUN(those_born_during_a_walk_are_first_met_by_the_next);
  RUN(a_walk_left_half_done_harms_nobody);
  RUN(the_hook_is_told_every_move_during_a_walk);
  RUN(the_hook_finds_the_pool_whole_at_every_move);
  RUN(a_walk_by_visits_meets_all_and_none_that_it_issues);
  if (TP_CHECKS >= TP_CHECKS_FAST) RUN(a_visit_that_frees_faults);
  RUN(a_walk_that_met_everyone_has_ended);
  RUN(a_walk_ends_when_all_are_removed);
}
