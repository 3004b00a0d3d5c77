// SPDX-License-Identifier: MIT
#include "object/tp_scene.h"
#include "object/tp_object.h"
#include "tp_by_hand.h"
#include "time.h"

enum { PART = 8 };

static struct tp_births births;
static uint32_t newborn[LARGEST / 2];
static uint32_t kept[2 * LARGEST * PART / 4], sums[2 * LARGEST];
static uint32_t visits;

static bool is_in_use(const void *object)
{
  return *(const uint32_t *)object == 7;
}

static void close_part(void *part)
{
  (void)part;
}

static struct tp_retain retain = {
    .kept = kept,
    .sum = sums,
    .close = close_part,
    .save = tp_retain_save,
    .restore = tp_retain_restore,
    .offset = 4,
    .size = PART,
};
static struct tp_objects things = {
    .pool = &drops,
    .in_use = is_in_use,
    .slots = 2 * LARGEST,
    .births = &births,
    .newborn = newborn,
};
static struct tp_objects devices = {
    .pool = &drops,
    .retain = &retain,
    .slots = 2 * LARGEST,
    .births = &births,
    .newborn = newborn,
};

// [count] things that live, in twice as many slots.
static void make(const struct tp_objects *of, uint32_t count)
{
  half_fill(&drops, count);
  for (uint32_t i = 0; i < count; i++) {
    tp_word_t *words = objects[i];
    words[0] = words[1] = words[2] = 7;
  }
  for (uint32_t i = 0; i < 2 * LARGEST; i++) sums[i] = 0;
  for (uint32_t i = 0; of->retain && i < sizeof kept / 4; i++) kept[i] = 0;
}

static void visit(void *object, void *context)
{
  (void)object;
  (void)context;
  visits++;
}

static bool step(void *object, void *context)
{
  visit(object, context);
  return true;
}

static uint32_t of_creating(uint32_t count)
{
  make(&devices, count);
  return COST(tp_object_alloc(&devices, NULL));
}

static uint32_t of_creating_with_a_handle(uint32_t count)
{
  tp_handle_t handle;
  make(&devices, count);
  return COST(tp_object_alloc_handle(&devices, NULL, 1, &handle));
}

static uint32_t of_destroying(uint32_t count)
{
  make(&devices, count);
  return COST(tp_object_free(&devices, objects[3]));
}

static const struct tp_objects victims = {.pool = &steals};

static uint32_t of_destroying_by_handle(uint32_t count)
{
  fill(&steals, count);
  tp_handle_t handle = tp_handle_of(&steals, objects[3]);
  return COST(tp_object_free_handle(&victims, handle));
}

static void by_handle_an_object_is_destroyed_in_as_many_windows(void)
{
  fill(&steals, 8);
  tp_handle_t handle = tp_handle_of(&steals, objects[3]);
  uint32_t by_pointer = WINDOWS(tp_object_free(&victims, objects[4]));
  CHECK_EQ(WINDOWS(tp_object_free_handle(&victims, handle)), by_pointer);
}

static uint32_t of_retiring(uint32_t count)
{
  make(&devices, count);
  return COST(tp_object_retire(&devices, objects[3]));
}

static uint32_t of_asking(uint32_t count)
{
  make(&things, count);
  return COST(tp_object_is_live(&things, objects[3]));
}

static void objects_are_made_and_destroyed_as_fast_whatever_the_pool_holds(void)
{
  CHECK(is_constant(of_creating));
  CHECK(is_constant(of_creating_with_a_handle));
  CHECK(is_constant(of_destroying));
  CHECK(is_constant(of_destroying_by_handle));
  CHECK(is_constant(of_retiring));
  CHECK(is_constant(of_asking));
}

static void whether_an_object_is_live_is_asked_with_nothing_locked(void)
{
  make(&things, 8);
  CHECK_EQ(WINDOWS(tp_object_is_live(&things, objects[3])), 0);
}

static _Alignas(8) tp_word_t large[64];

static uint32_t of_looking_for_unset_words(uint32_t words)
{
  static struct tp_pool pool;
  const struct tp_objects one = {.pool = &pool};
  pool.size = (uint16_t)(4 * words);
  for (uint32_t i = 0; i < words; i++) large[i] = 0;
  return COST(tp_object_unset(&one, large));
}

static void unset_words_are_found_in_time_by_the_size(void)
{
  bool looks = TP_CHECKS >= TP_CHECKS_POISON;
  CHECK(looks ? is_linear(of_looking_for_unset_words)
              : is_constant(of_looking_for_unset_words));
}

static struct tp_retain wide = {.kept = (uint32_t *)large, .sum = sums};
static struct tp_objects wide_things = {.pool = &drops, .retain = &wide};

static uint32_t of_saving(uint32_t words)
{
  static tp_word_t memory[256];
  struct tp_build row = {
      .size = 128,
      .count = 1,
      .align = 8,
      .tagged = 1,
      .policy = &tp_drop,
  };
  tp_pool_build(&drops, "wide", &row, memory);
  wide.size = (uint16_t)(4 * words);
  void *object = tp_pool_alloc(&drops);
  for (uint32_t i = 0; i < 32; i++) ((tp_word_t *)object)[i] = i + 1;
  objects[0] = object;
  return COST(tp_retain_save(&wide_things, object));
}

static uint32_t of_restoring(uint32_t words)
{
  of_saving(words);
  return COST(tp_retain_restore(&wide_things, objects[0], tp_site(NULL)));
}

static void what_is_retained_is_copied_in_time_by_its_size(void)
{
  CHECK(is_linear(of_saving));
  CHECK(is_linear(of_restoring));
}

static uint32_t of_updating(uint32_t count)
{
  make(&things, count);
  return COST(tp_object_update(&things, step, NULL));
}

static uint32_t of_walking(uint32_t count)
{
  make(&things, count);
  return COST(tp_object_walk(&things, visit, NULL));
}

static uint32_t of_clearing(uint32_t count)
{
  make(&things, count);
  return COST(tp_object_clear(&things));
}

static uint32_t of_auditing(uint32_t count)
{
  make(&things, count);
  return COST(tp_object_audit(&things));
}

static uint32_t of_closing(uint32_t count)
{
  make(&devices, count);
  return COST(tp_retain_close(&devices));
}

static void walks_take_time_by_the_slots_ever_issued(void)
{
  CHECK(is_linear(of_updating));
  CHECK(is_linear(of_walking));
  CHECK(is_linear(of_clearing));
  CHECK(is_linear(of_auditing));
  CHECK(is_linear(of_closing));
}

static void walks_lock_nothing(void)
{
  make(&things, 8);
  CHECK_EQ(WINDOWS(tp_object_update(&things, step, NULL)), 0);
  CHECK_EQ(WINDOWS(tp_object_walk(&things, visit, NULL)), 0);
  CHECK_EQ(WINDOWS(tp_object_audit(&things)), 0);
}

// A scene of each size, and one of none to come from.
TEST_SCENE_POOL(foes, 16, LARGEST, 8, (8, 16, 32, 0), .policy = &tp_drop);
TEST_SCENES(level, 4096, 4, 8, TEST_SCENE_ROW(foes, pool, NULL, NULL));

static void enter_with(uint32_t count)
{
  tp_scene_force(&level_scenes, count / 16);
  for (uint32_t i = 0; i < count; i++) objects[i] = tp_pool_alloc(&foes_pool);
}

static uint32_t of_switching(uint32_t count)
{
  enter_with(count);
  for (uint32_t i = 0; i < count; i++) tp_pool_free(&foes_pool, objects[i]);
  return COST(tp_scene_switch(&level_scenes, 3, NULL));
}

static uint32_t of_forcing(uint32_t count)
{
  enter_with(count);
  return COST(tp_scene_force(&level_scenes, 3));
}

static void a_scene_is_left_in_time_by_its_slots(void)
{
  CHECK(is_linear(of_switching));
  CHECK(is_linear(of_forcing));
}

static uint32_t of_comparing(uint32_t words)
{
  static uint32_t descriptor[LARGEST], word;
  const struct tp_seal seal = {descriptor, &word, "descriptor", words};
  tp_seal_off(&seal);
  tp_seal_on(&seal);
  uint32_t verified = COST(tp_seal_verify(&seal));
  return verified + COST(tp_seal_check(&seal));
}

static void a_descriptor_is_compared_in_time_by_its_words(void)
{
  static uint32_t descriptor[2], word;
  const struct tp_seal seal = {descriptor, &word, "descriptor", 2};
  if (TP_CHECKS >= TP_CHECKS_FAST) CHECK(is_linear(of_comparing));
  CHECK_EQ(WINDOWS(tp_seal_check(&seal)), 0);
}

void suite_objects(void)
{
  RUN(objects_are_made_and_destroyed_as_fast_whatever_the_pool_holds);
  RUN(by_handle_an_object_is_destroyed_in_as_many_windows);
  RUN(whether_an_object_is_live_is_asked_with_nothing_locked);
  RUN(unset_words_are_found_in_time_by_the_size);
  RUN(what_is_retained_is_copied_in_time_by_its_size);
  RUN(walks_take_time_by_the_slots_ever_issued);
  RUN(walks_lock_nothing);
  RUN(a_scene_is_left_in_time_by_its_slots);
  RUN(a_descriptor_is_compared_in_time_by_its_words);
}
