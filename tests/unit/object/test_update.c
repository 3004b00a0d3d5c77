// SPDX-License-Identifier: MIT
#include "object.h"

#include "tp_port.h"

static struct spark *sparks[SPARKS];
static enum {
  SEEN,     // The step is part of its caller,
  WATCHED,  // which looks for births before each step, too.
  CALLED,   // The step is called.
} way;

static void update_of(const struct tp_objects *objects,
                      bool (*step)(void *object, void *context))
{
  const struct tp_pool *pool = objects->pool;
  if (way == CALLED) {
    tp_object_update(objects, step, NULL);
  } else {
    tp_update_objects(objects, pool, way == WATCHED, objects->in_use, step,
                      NULL);
  }
}

static void update(bool (*step)(void *object, void *context))
{
  update_of(&sparks_objects, step);
}

// The step of a particle: one frame less.
static bool age(void *object, void *context)
{
  struct spark *spark = (struct spark *)object;
  (void)context;
  spark->updates++;
  if (spark->left) spark->left--;
  return spark->left != 0;
}

static void fill(uint32_t count, uint32_t left)
{
  forget(&sparks_objects);
  for (uint32_t i = 0; i < count; i++) sparks[i] = spark_of(left);
}

static uint32_t met;

static void meet(void *object, void *context)
{
  (void)object;
  (void)context;
  met++;
}

static uint32_t count_live(void)
{
  met = 0;
  sparks_walk(meet, NULL);
  return met;
}

static void particles_with_lifetime_l_disappear_after_exactly_l_updates(void)
{
  forget(&sparks_objects);
  for (uint32_t left = 1; left <= SPARKS; left++)
    sparks[left - 1] = spark_of(left);

  for (uint32_t frame = 1; frame <= SPARKS; frame++) {
    update(age);
    for (uint32_t left = 1; left <= SPARKS; left++) {
      CHECK_EQ(sparks_is_live(sparks[left - 1]), left > frame);
    }
    CHECK_EQ(deinits, frame);
  }
  CHECK(tp_pool_verify(&sparks_pool, NULL));
}

// Waits for the transition to 0, which one who was born dead never makes.
static bool age_until_zero(void *object, void *context)
{
  (void)context;
  return --((struct spark *)object)->left != 0;
}

static void a_particle_born_dead_is_taken_back_without_an_update(void)
{
  fill(3, 5);
  struct spark *still = spark_of(0);

  update(age_until_zero);

  CHECK(!sparks_is_live(still));
  CHECK_EQ(deinits, 1);
  CHECK_EQ(count_live(), 3);
}

// Where there is no predicate, the step itself must not wait for a transition.
static void a_step_that_looks_at_the_state_takes_back_who_was_born_dead(void)
{
  const struct tp_objects plain = {
      .pool = &sparks_pool,
      .slots = SPARKS,
      .births = sparks_objects.births,
      .newborn = sparks_objects.newborn,
  };
  forget(&sparks_objects);
  struct spark *still = spark_of(0);

  update_of(&plain, age);

  CHECK(!sparks_is_live(still));
  CHECK_EQ(count_live(), 0);
}

static void a_particle_that_dies_in_the_frame_it_is_born_dies_once(void)
{
  fill(1, 1);

  update(age);
  update(age);

  CHECK_EQ(deinits, 1);
  CHECK_EQ(count_live(), 0);
}

static uint32_t spawned;

// Dies in its second frame; in each frame, spawns two.
static bool spawn_two(void *object, void *context)
{
  struct spark *spark = (struct spark *)object;
  for (uint32_t i = 0; i < 2; i++) {
    struct spark *child = spark_of(2);
    if (!child) continue;
    spawned++;
  }
  return age(spark, context);
}

static void no_updates(void *object, void *context)
{
  const struct spark *spark = (const struct spark *)object;
  if (spark->updates == 0) ++*(uint32_t *)context;
}

// An update by [step] spawns so many, and updates none of them.
static void expect_newborn(bool (*step)(void *object, void *context),
                           uint32_t born)
{
  uint32_t newborn = 0;
  spawned = 0;
  update(step);
  sparks_walk(no_updates, &newborn);
  CHECK_EQ(spawned, born);
  CHECK_EQ(newborn, born);
}

// Slots that are free ahead of the walk, behind it, and never used before.
static void those_spawned_in_an_update_are_first_updated_by_the_next(void)
{
  fill(9, 2);
  for (uint32_t i = 0; i < 9; i += 2) sparks_destroy(sparks[i]);

  expect_newborn(spawn_two, 8);

  for (uint32_t i = 1; i < 9; i += 2) CHECK_EQ(sparks[i]->updates, 1);
  update(age);
  CHECK_EQ(count_live(), 8);
  update(age);
  CHECK_EQ(count_live(), 0);
}

static void who_is_born_in_the_last_slot_is_updated_by_the_next(void)
{
  fill(SPARKS, 3);
  sparks_destroy(sparks[SPARKS - 1]);

  expect_newborn(spawn_two, 1);

  CHECK_EQ(sparks[SPARKS - 1]->updates, 0);
  update(spawn_two);
  CHECK_EQ(sparks[SPARKS - 1]->updates, 1);
}

static void what_is_refused_in_an_update_is_no_birth(void)
{
  fill(SPARKS, 2);

  expect_newborn(spawn_two, 0);

  for (uint32_t i = 0; i < SPARKS; i++) CHECK_EQ(sparks[i]->updates, 1);
}

static void births_are_noted_while_an_update_is_under_way_only(void)
{
  const struct tp_births *births = sparks_objects.births;
  fill(2, 5);
  update(spawn_two);
  CHECK(!births->counted && !births->any);

  CHECK(spark_of(5));

  CHECK(!births->any);
}

static void no_slot_is_met_that_was_never_issued(void)
{
  fill(3, 5);
  sparks_pool.state->fresh = 2;

  update(age);

  CHECK_EQ(count_live(), 2);
  CHECK_EQ(sparks[1]->updates, 1);
  CHECK_EQ(sparks[2]->updates, 0);
}

static bool leave_a_child(void *object, void *context)
{
  (void)object;
  (void)context;
  spawned += spark_of(2) != NULL;
  return false;
}

static void who_is_born_as_another_dies_is_first_updated_by_the_next(void)
{
  fill(4, 2);

  expect_newborn(leave_a_child, 4);

  CHECK_EQ(deinits, 4);
  update(age);
  update(age);
  CHECK_EQ(count_live(), 0);
}

// In a slot ahead, with none before it whose step would be asked.
static void so_is_who_is_born_ahead_as_the_last_before_dies(void)
{
  fill(3, 2);
  sparks_destroy(sparks[1]);
  sparks_destroy(sparks[2]);

  expect_newborn(leave_a_child, 1);

  CHECK_EQ(sparks[2]->updates, 0);
  CHECK_EQ(deinits, 3);
  CHECK_EQ(count_live(), 1);
}

static struct spark *heir;

// Replaces the next object by a new one in the same slot.
static bool replace_next(void *object, void *context)
{
  struct spark *spark = (struct spark *)object;
  (void)context;
  spark->updates++;
  if (spark == sparks[0]) {
    sparks_destroy(sparks[1]);
    heir = spark_of(5);
  }
  return true;
}

static void who_is_reborn_in_a_slot_ahead_is_first_updated_by_the_next(void)
{
  fill(3, 5);

  update(replace_next);

  CHECK(heir == sparks[1]);
  CHECK_EQ(sparks[0]->updates, 1);
  CHECK_EQ(sparks[1]->updates, 0);
  CHECK_EQ(sparks[2]->updates, 1);
}

static uint32_t victim;

// The third one destroys the victim.
static bool destroy_victim(void *object, void *context)
{
  struct spark *spark = (struct spark *)object;
  (void)context;
  spark->updates++;
  if (spark == sparks[3]) sparks_destroy(sparks[victim]);
  return true;
}

static void a_callback_may_destroy_any_object_itself_and_the_next_too(void)
{
  for (victim = 0; victim < 8; victim++) {
    fill(8, 5);
    update(destroy_victim);
    CHECK_EQ(deinits, 1);
    CHECK_EQ(count_live(), 7);
    for (uint32_t i = 0; i < 8; i++) {
      if (i != victim) CHECK_EQ(sparks[i]->updates, 1);
    }
    CHECK(tp_pool_verify(&sparks_pool, NULL));
  }
}

static bool destroy_and_report(void *object, void *context)
{
  (void)context;
  sparks_destroy((struct spark *)object);
  return false;
}

static void a_step_that_destroys_its_object_and_reports_it_dead_faults(void)
{
  fill(3, 5);

  CHECK_FAULTS(TP_FAULT_DOUBLE_FREE, update(destroy_and_report));

  CHECK(tp_fault_record.pool == &sparks_pool);
  CHECK_EQ(tp_fault_record.slot, 1);
  CHECK_EQ(deinits, 1);
}

static bool replace_and_report(void *object, void *context)
{
  (void)context;
  sparks_destroy((struct spark *)object);
  spark_of(5);
  return false;
}

static void what_an_update_left_half_done_noted_is_forgotten(void)
{
  fill(3, 5);
  CHECK_FAULTS(TP_FAULT_DOUBLE_FREE, update(replace_and_report));
  CHECK_EQ(sparks[0]->updates, 0);

  update(age);

  for (uint32_t i = 0; i < 3; i++) CHECK_EQ(sparks[i]->updates, 1);
}

static bool spawn_or_destroy(void *object, void *context)
{
  struct spark *spark = (struct spark *)object;
  (void)context;
  if (spark == sparks[0]) return spark_of(5) != NULL;
  sparks_destroy(spark);
  return false;
}

static TP_NOINLINE void update_by_spawn_or_destroy(void)
{
  tp_update_objects(&sparks_objects, &sparks_pool, false, spark_in_use,
                    spawn_or_destroy, NULL);
  TP_BARRIER();  // So that this is no jump.
}

// Of so few lines it is no longer, whatever sanitizers add.
static bool lies_in_the_update(const void *address)
{
  uintptr_t begin = (uintptr_t)update_by_spawn_or_destroy & ~(uintptr_t)1;
  return (uintptr_t)address - begin - 1 < 2048;
}

// The one behind the birth, which is no part of the caller any more.
static void a_step_that_faults_behind_a_birth_has_the_caller_of_the_update(void)
{
  fill(2, 5);

  CHECK_FAULTS(TP_FAULT_DOUBLE_FREE, update_by_spawn_or_destroy());

  CHECK_EQ(tp_fault_record.slot, 2);
  CHECK(tp_fault_record.address == sparks[1]);
  CHECK(lies_in_the_update(tp_fault_record.caller));
}

// The slot is live again, but it is another's life that would end.
static void a_dead_object_is_not_taken_back_in_the_person_of_its_heir(void)
{
  fill(3, 5);

  CHECK_FAULTS(TP_FAULT_DOUBLE_FREE, update(replace_and_report));

  CHECK_EQ(count_live(), 3);
}

// A loop in a book gives every particle that is not live to the free list, in
// every frame, from the first on: after one frame the list leads to itself.
static void pushing_every_dead_particle_on_every_frame_is_refused(void)
{
  fill(4, 1);
  update(age);

  for (uint32_t i = 0; i < 4; i++) {
    CHECK(!sparks_is_live(sparks[i]));
    CHECK_FAULTS(TP_FAULT_DOUBLE_FREE, sparks_free(sparks[i]));
    CHECK_EQ(tp_fault_record.slot, i + 1);
  }

  char *never_used = (char *)sparks[3] + sparks_pool.stride;
  CHECK_FAULTS(TP_FAULT_DOUBLE_FREE, sparks_free((struct spark *)never_used));
  CHECK(tp_pool_verify(&sparks_pool, NULL));
  for (uint32_t i = 0; i < SPARKS; i++) CHECK(spark_of(1) != NULL);
  CHECK(spark_of(1) == NULL);
}

static void a_walk_meets_every_live_object_once(void)
{
  fill(10, 3);
  for (uint32_t i = 0; i < 10; i += 3) sparks_destroy(sparks[i]);

  CHECK_EQ(count_live(), 6);
}

// By id, what each spark has left as the model has it.
static uint32_t model[4 * SPARKS];

static void expect_left(void *object, void *context)
{
  const struct spark *spark = (const struct spark *)object;
  (void)context;
  met++;
  CHECK_EQ(spark->left, model[spark->id % (4 * SPARKS)]);
}

static uint32_t model_frame(void)
{
  uint32_t live = 0;
  for (uint32_t i = 0; i < 4 * SPARKS; i++) {
    if (model[i]) model[i]--;
    live += model[i] != 0;
  }
  return live;
}

static void over_many_frames_the_pool_and_a_model_of_lifetimes_agree(void)
{
  uint32_t live = 0;
  forget(&sparks_objects);
  tp_test_seed(41);
  for (uint32_t i = 0; i < 4 * SPARKS; i++) model[i] = 0;

  for (uint32_t frame = 0; frame < 2000; frame++) {
    uint32_t left = tp_test_random() % 20;
    struct spark *spark = live < SPARKS ? spark_of(left) : NULL;
    if (spark) model[spark->id % (4 * SPARKS)] = left;
    update(age);
    live = model_frame();
    met = 0;
    sparks_walk(expect_left, NULL);
    CHECK_EQ(met, live);
  }
  CHECK_EQ(inits, deinits + live);
  CHECK(tp_pool_verify(&sparks_pool, NULL));
}

// At the second of three: one in the slot behind the last, one in the first.
static void create_ahead_and_behind(void *object, void *context)
{
  meet(object, context);
  if (object != sparks[1]) return;
  sparks[3] = spark_of(7);
  sparks_destroy(sparks[0]);
  sparks[0] = spark_of(7);
}

static void a_walk_meets_who_is_created_in_a_slot_ahead_and_none_behind(void)
{
  fill(3, 5);
  void *first = sparks[0], *last = sparks[2];
  met = 0;

  sparks_walk(create_ahead_and_behind, NULL);

  CHECK_EQ(met, 4);
  CHECK(sparks[0] == first && (void *)sparks[3] > last);
  CHECK_EQ(count_live(), 4);
}

static void end_the_next(void *object, void *context)
{
  meet(object, context);
  if (object == sparks[0]) sparks_destroy(sparks[1]);
}

static void a_walk_meets_nobody_who_has_ended(void)
{
  fill(3, 5);
  met = 0;

  sparks_walk(end_the_next, NULL);

  CHECK_EQ(met, 2);
}

// As the first ends, in the slot behind the last; as the second does, in the
// first.
static void create_as_it_ends(void *object)
{
  spark_deinit(object);
  if (object == sparks[0]) sparks[3] = spark_of(7);
  if (object == sparks[1]) sparks[4] = spark_of(7);
}

static void who_is_created_as_all_are_freed_stays_in_a_slot_behind_alone(void)
{
  const struct tp_objects mothers = {.pool = &sparks_pool,
                                     .deinit = create_as_it_ends};
  fill(3, 5);

  tp_object_clear(&mothers);

  CHECK_EQ(deinits, 4);
  CHECK_EQ(count_live(), 1);
  CHECK(sparks[4] == sparks[0] && sparks_is_live(sparks[0]));
  CHECK(!sparks_is_live(sparks[3]));
}

static bool lives_on(void *object, void *context)
{
  (void)object;
  (void)context;
  return true;
}

static struct spark *overrun_spark(uint32_t left)
{
  forget(&sparks_objects);
  struct spark *spark = spark_of(left);
  ((uint8_t *)spark)[sizeof *spark] ^= 1;
  return spark;
}

// Whoever destroys it.
static void a_write_behind_an_object_is_found_when_it_is_destroyed(void)
{
  CHECK_FAULTS(TP_FAULT_RED_ZONE,
               tp_object_free(&sparks_objects, overrun_spark(1)));
  overrun_spark(0);
  CHECK_FAULTS(TP_FAULT_RED_ZONE, update(lives_on));
  overrun_spark(1);
  CHECK_FAULTS(TP_FAULT_RED_ZONE, tp_object_clear(&sparks_objects));
  overrun_spark(1);
  CHECK_FAULTS(TP_FAULT_RED_ZONE, tp_retain_close(&sparks_objects));
}

// Each call that goes from slot to slot would meet what lies behind them.
static void no_walk_follows_a_count_of_slots_that_was_written_over(void)
{
  fill(4, 5);
  sparks_pool.state->fresh = SPARKS + 1;
  CHECK_FAULTS(TP_FAULT_INVARIANT, update(lives_on));
  CHECK(tp_fault_record.pool == &sparks_pool);
  CHECK_EQ(tp_fault_record.found, SPARKS + 1);
  CHECK_EQ(tp_fault_record.expected, SPARKS);
  CHECK_FAULTS(TP_FAULT_INVARIANT,
               tp_update_go_on(&sparks_objects, 0, lives_on, NULL, NULL));
  CHECK_FAULTS(TP_FAULT_INVARIANT, tp_object_walk(&sparks_objects, meet, NULL));
  CHECK_FAULTS(TP_FAULT_INVARIANT, tp_object_clear(&sparks_objects));
  CHECK_FAULTS(TP_FAULT_INVARIANT, tp_object_audit(&sparks_objects));
  CHECK_FAULTS(TP_FAULT_INVARIANT, tp_retain_close(&sparks_objects));
  forget(&sparks_objects);
}

static void a_birth_noted_while_no_update_is_under_way_is_found(void)
{
  fill(4, 5);
  update(lives_on);  // It may follow one that was left half done.
  sparks_objects.newborn[1] = 0x100;
  CHECK_FAULTS(TP_FAULT_INVARIANT, update(lives_on));
  CHECK(tp_fault_record.address == sparks_objects.newborn + 1);
  CHECK_EQ(tp_fault_record.found, 0x100);
  sparks_objects.newborn[1] = 0;
  update(lives_on);
}

static void so_is_one_of_what_is_lent(void)
{
  enum { LENT = 8 };
  static uint32_t newborn[(SPARKS + LENT) / 4 + 1];
  static struct tp_births births;
  forget(&sparks_objects);
  for (uint16_t last = SPARKS + LENT - 4; last < SPARKS + LENT; last++) {
    const struct tp_objects wide = {.pool = &sparks_pool,
                                    .slots = (uint16_t)(last + 1),
                                    .births = &births,
                                    .newborn = newborn};
    newborn[last / 4] = 1u << last % 4 * 8;
    CHECK_FAULTS(TP_FAULT_INVARIANT, tp_object_update(&wide, lives_on, NULL));
    CHECK(tp_fault_record.address == newborn + last / 4);
    newborn[last / 4] = 0;
  }
}

static void what_stands_behind_the_notes_of_births_is_none(void)
{
  static uint32_t newborn[SPARKS / 4 + 9];
  static struct tp_births births;
  const struct tp_objects own = {.pool = &sparks_pool,
                                 .slots = SPARKS,
                                 .births = &births,
                                 .newborn = newborn};
  forget(&sparks_objects);
  for (uint32_t i = (SPARKS + 3) / 4; i < SPARKS / 4 + 9; i++) newborn[i] = 1;
  tp_object_update(&own, lives_on, NULL);
  CHECK_EQ(newborn[(SPARKS + 3) / 4], 1);
}

static void all_notes_of_births_are_cleared_and_nothing_behind_them(void)
{
  static struct tp_births births;
  static uint32_t newborn[80];
  for (uint16_t slots = 1; slots <= 16; slots++) {
    const struct tp_objects objects = {
        .slots = slots, .births = &births, .newborn = newborn};
    for (uint32_t i = 0; i < 80; i++) newborn[i] = 1;
    births.any = &births;

    tp_update_end(&objects);

    CHECK(!births.any);
    for (uint32_t i = 0; i < 80; i++) CHECK_EQ(newborn[i], 4 * i >= slots);
  }
}

static void a_birth_is_noted_in_the_byte_of_its_slot_alone(void)
{
  static struct tp_births births;
  static uint32_t newborn[SPARKS / 4 + 2];
  const struct tp_objects objects = {
      .pool = &sparks_pool, .births = &births, .newborn = newborn + 1};
  uint8_t *bytes = (uint8_t *)newborn;
  fill(SPARKS, 5);
  births.counted = true;
  for (uint32_t i = 0; i < SPARKS; i++) {
    for (uint32_t k = 0; k < sizeof newborn; k++) bytes[k] = 0;
    CHECK(tp_update_born(&objects, sparks[i]) == sparks[i]);
    for (uint32_t k = 0; k < sizeof newborn; k++) {
      CHECK_EQ(bytes[k] != 0, k == i + 4);
    }
  }
}

static void updates(void)
{
  RUN(particles_with_lifetime_l_disappear_after_exactly_l_updates);
  RUN(a_particle_born_dead_is_taken_back_without_an_update);
  RUN(a_step_that_looks_at_the_state_takes_back_who_was_born_dead);
  RUN(a_particle_that_dies_in_the_frame_it_is_born_dies_once);
  RUN(those_spawned_in_an_update_are_first_updated_by_the_next);
  RUN(who_is_born_as_another_dies_is_first_updated_by_the_next);
  RUN(so_is_who_is_born_ahead_as_the_last_before_dies);
  RUN(who_is_reborn_in_a_slot_ahead_is_first_updated_by_the_next);
  RUN(who_is_born_in_the_last_slot_is_updated_by_the_next);
  RUN(what_is_refused_in_an_update_is_no_birth);
  RUN(births_are_noted_while_an_update_is_under_way_only);
  RUN(no_slot_is_met_that_was_never_issued);
  RUN(a_callback_may_destroy_any_object_itself_and_the_next_too);
  RUN(a_walk_meets_every_live_object_once);
  RUN(over_many_frames_the_pool_and_a_model_of_lifetimes_agree);
  if (TP_CHECKS < TP_CHECKS_FAST) return;
  RUN(a_step_that_destroys_its_object_and_reports_it_dead_faults);
  RUN(a_dead_object_is_not_taken_back_in_the_person_of_its_heir);
  RUN(what_an_update_left_half_done_noted_is_forgotten);
  RUN(pushing_every_dead_particle_on_every_frame_is_refused);
  RUN(no_walk_follows_a_count_of_slots_that_was_written_over);
  if (TP_CHECKS < TP_CHECKS_FULL) return;
  RUN(a_write_behind_an_object_is_found_when_it_is_destroyed);
  if (AUDITED) RUN(a_birth_noted_while_no_update_is_under_way_is_found);
  if (AUDITED) RUN(so_is_one_of_what_is_lent);
}

void suite_update(void)
{
  for (way = SEEN; way <= CALLED; way++) updates();
  RUN(a_walk_meets_who_is_created_in_a_slot_ahead_and_none_behind);
  RUN(a_walk_meets_nobody_who_has_ended);
  RUN(who_is_created_as_all_are_freed_stays_in_a_slot_behind_alone);
  RUN(a_birth_is_noted_in_the_byte_of_its_slot_alone);
  RUN(what_stands_behind_the_notes_of_births_is_none);
  RUN(all_notes_of_births_are_cleared_and_nothing_behind_them);
  if (TP_CHECKS < TP_CHECKS_FAST) return;
  RUN(a_step_that_faults_behind_a_birth_has_the_caller_of_the_update);
}
