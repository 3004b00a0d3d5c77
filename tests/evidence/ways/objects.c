// SPDX-License-Identifier: MIT
// Objects that are created in every way, at home and away, in an update and out
// of it.
#include "object/tp_object.h"

#include "check/tp_check.h"
#include "config/tp_define.h"
#include "object/tp_retain.h"
#include "object/tp_scene.h"
#include "object/tp_update.h"
#include "policy/tp_spill.h"
#include "ways.h"

struct thing {
  uint32_t first;
  void **owner;
  uint32_t kept;
};

static bool makes(void *object, void *context)
{
  ((struct thing *)object)->first = 1;
  return context == NULL;
}

static uint32_t kept[SLOTS], sums[SLOTS];
static const struct tp_retain retain = {
    kept, sums, NULL, NULL, tp_retain_save, tp_retain_restore, 8, 4};
static struct tp_births births;
static uint32_t newborn[2];
static struct tp_pool pool;

static void build(bool aged)
{
  build_of(&pool, TP_LOCK_PRIMASK,
           (struct tp_build){.aged = aged,
                             .tagged = 1,
                             .policy = aged ? &tp_steal_oldest : &tp_drop});
}

static void makes_each_way(const struct tp_objects *of, void *context)
{
  bool fails = context != NULL;
  uint32_t tag = 0;
  tp_handle_t handle;
  tp_handle64_t handle64;
  build(false);
  CHECK((tp_object_alloc_scored(of, context, 1) == NULL) == fails);
  CHECK((tp_object_alloc_handle(of, context, 1, &handle) == NULL) == fails);
  CHECK((tp_object_alloc_handle64(of, context, 1, &handle64) == NULL) == fails);
  CHECK((handle64 == 0) == fails);
  if (!fails) CHECK(!tp_object_alloc_handle64(of, NULL, 1, &handle64));
  if (!fails) CHECK(!tp_object_alloc_handle(of, NULL, 1, &handle));
  if (!fails) CHECK(!tp_object_alloc_scored(of, NULL, 1));
  if (!fails) CHECK(!tp_object_alloc_for(of, NULL, &tag, NULL));
  build(false);
  CHECK((tp_object_alloc_for(of, context, &tag, NULL) == NULL) == fails);
  CHECK((tp_object_alloc(of, context) == NULL) == fails);
  build(true);
  pool.takes_foreign = fails;
  CHECK((tp_object_alloc(of, context) == NULL) == fails);
}

// Without an update, before one, and in it.
static void every_way_to_make_an_object_has_every_hook(void)
{
  for (uint32_t i = 0; i < 24; i++) {
    bool hooked = i & 1;
    const struct tp_objects of = {.pool = &pool,
                                  .init = hooked ? makes : NULL,
                                  .retain = i & 2 ? &retain : NULL,
                                  .owner = i & 4 ? 5 : 0,
                                  .births = i < 8 ? NULL : &births,
                                  .newborn = newborn,
                                  .slots = SLOTS};
    births = (struct tp_births){.counted = i >= 16};
    makes_each_way(&of, NULL);
    if (hooked) makes_each_way(&of, &pool);
    CHECK((births.any == &births) == (i >= 16));
  }
}

static bool is_robbed(void *object, void *context)
{
  (void)object;
  (void)context;
  for (uint32_t i = 0; i < SLOTS; i++) (void)tp_aged_alloc(&pool);
  return true;
}

static void every_way_knows_what_init_was_robbed_of(void)
{
  for (uint32_t robs = 0; robs < 2; robs++) {
    const struct tp_objects of = {.pool = &pool,
                                  .init = robs ? is_robbed : makes};
    uint32_t tag = 0;
    tp_handle_t handle;
    tp_handle64_t handle64;
    build(true);
    CHECK((tp_object_alloc(&of, NULL) == NULL) == robs);
    CHECK((tp_object_alloc_scored(&of, NULL, 1) == NULL) == robs);
    CHECK((tp_object_alloc_handle(&of, NULL, 1, &handle) == NULL) == robs);
    CHECK((tp_object_alloc_handle64(&of, NULL, 1, &handle64) == NULL) == robs);
    CHECK((handle64 == 0) == robs && (handle == 0) == robs);
    CHECK((tp_object_alloc_for(&of, NULL, &tag, NULL) == NULL) == robs);
    CHECK(robs || tp_object_alloc_for(&of, NULL, NULL, NULL));
  }
}

static void end(const struct tp_scene_part *part, void *object, tp_site_t site)
{
  (void)part;
  (void)object;
  (void)site;
}

static void what_a_scene_ends_is_not_sought_behind_the_pool(void)
{
  const struct tp_objects of = {.pool = &pool};
  const struct tp_scene_part part = {.allocator = &pool, .beside = &of};
  if (TP_CHECKS < TP_CHECKS_FAST) return;
  build(false);
  pool.state->fresh = SLOTS + 1;
  CHECK_FAULTS(TP_FAULT_INVARIANT, tp_object_end_scene(&part, TP_SITE));
  CHECK_FAULTS(TP_FAULT_INVARIANT, tp_scene_end_for(&part, TP_SITE, end));
}

// A pool that spills ----------------------------------------------------------

enum { AWAY = 2 };

TP_POOL_DEFINE_TAGGED(inn, 16, AWAY, 8, .policy = &tp_drop, .refuses = 1);
static const void *guests[AWAY + 1];
static struct tp_chunk_state inn_chunk_state;
static const struct tp_chunk inn = {
    .pool = &inn_pool, .state = &inn_chunk_state, .owner = guests};
static struct tp_spill_state guild_spill_state;
static const struct tp_spill guild_spill = {
    .policy = {.overflow = tp_spill_overflow, .take_back = tp_spill_take_back},
    .into = &inn,
    .then = &tp_drop,
    .state = &guild_spill_state};
TP_POOL_DEFINE_TAGGED(guild, 16, 1, 8, .policy = &guild_spill.policy,
                      .takes_foreign = 1);
static const struct tp_objects guild = {.pool = &guild_pool,
                                        .lender = &inn,
                                        .births = &births,
                                        .newborn = newborn,
                                        .slots = 1 + AWAY};

static void begin(void)
{
  tp_test_forget(&inn_pool);
  tp_test_forget(&guild_pool);
  inn_chunk_state = (struct tp_chunk_state){0};
  guild_spill_state = (struct tp_spill_state){0};
  births = (struct tp_births){0};
  newborn[0] = newborn[1] = 0;
  for (uint32_t i = 0; i <= AWAY; i++) guests[i] = NULL;
}

static uint32_t met;

static bool step(void *object, void *context)
{
  (void)object;
  met++;
  if (context) (void)tp_object_alloc(&guild, NULL);
  return true;
}

static void count(void *object, void *context)
{
  (void)object;
  (void)context;
  met++;
}

static void what_is_created_away_in_an_update_is_met_in_the_next(void)
{
  begin();
  CHECK(tp_object_alloc(&guild, NULL));
  for (uint32_t live = 1; live <= 1 + AWAY; live++) {
    met = 0;
    tp_object_update(&guild, step, &met);
    CHECK_EQ(met, live);
  }
  begin();
  births.counted = true;
  CHECK(tp_object_alloc(&guild, NULL) && tp_object_alloc(&guild, NULL));
  CHECK_EQ(newborn[0], 0x101);
}

// As if slot 1 of the lender lay where slot 0 at home would.
static void what_lies_where_slot_0_would_is_noted_as_lent(void)
{
  struct tp_pool behind = guild_pool;
  struct tp_objects of = guild;
  behind.origin = (uintptr_t)inn_pool.storage;
  of.pool = &behind;
  begin();
  CHECK(tp_update_note(&of, inn_pool.storage) == inn_pool.storage);
  CHECK_EQ(newborn[0], 0x100);
}

// Whether a lender tells who steals of tags or not.
static void what_is_lent_to_a_pool_that_steals_is_not_stolen(void)
{
  const struct tp_objects of = {.pool = &pool, .lender = &inn, .init = makes};
  for (uint8_t tagged = 0; tagged < 2; tagged++) {
    struct tp_spill spill = guild_spill;
    spill.tagged = tagged;
    begin();
    build(true);
    pool.policy = &spill.policy;
    pool.takes_foreign = 1;
    for (uint32_t i = 0; i < SLOTS + AWAY; i++) {
      CHECK(tp_object_alloc(&of, NULL));
    }
    CHECK(!tp_object_alloc(&of, NULL));
  }
}

static bool lives(const void *object)
{
  (void)object;
  return true;
}

// Where slot 0 would be, too, which there is none of.
static void what_was_lent_and_died_there_is_none(void)
{
  struct tp_objects audited = guild;
  audited.in_use = lives;
  begin();
  void *own = tp_object_alloc(&guild, NULL);
  void *away = tp_object_alloc(&guild, NULL);
  CHECK(tp_object_is_live(&guild, own) && tp_object_is_live(&guild, away));
  tp_pool_reset(&inn_pool);
  CHECK(!tp_object_is_live(&guild, away) && !tp_object_is_live(&guild, &met));
  CHECK(!tp_object_is_live(&guild, (void *)guild_pool.origin));
  CHECK(!tp_object_is_live(&guild, (void *)inn_pool.origin));
  met = 0;
  tp_object_update(&guild, step, NULL);
  tp_object_walk(&guild, count, NULL);
  tp_object_audit(&audited);
  CHECK_EQ(met, 2);
}

static void what_the_lender_issued_itself_is_foreign(void)
{
  begin();
  void *own = tp_pool_alloc(&inn_pool);
  CHECK(!tp_object_is_live(&guild, own));
  if (TP_CHECKS < TP_CHECKS_FAST) return;
  CHECK_FAULTS(TP_FAULT_FOREIGN, tp_object_free(&guild, own));
  CHECK_FAULTS(TP_FAULT_FOREIGN, tp_object_free_for(&guild, own, TP_SITE));
  CHECK_FAULTS(TP_FAULT_FOREIGN, tp_object_free_for(&guild, &met, TP_SITE));
  CHECK_FAULTS(TP_FAULT_FOREIGN,
               tp_object_free_for(&guild, (void *)inn_pool.origin, TP_SITE));
}

void suite_objects(void)
{
  RUN(every_way_to_make_an_object_has_every_hook);
  RUN(every_way_knows_what_init_was_robbed_of);
  RUN(what_a_scene_ends_is_not_sought_behind_the_pool);
  RUN(what_is_created_away_in_an_update_is_met_in_the_next);
  RUN(what_lies_where_slot_0_would_is_noted_as_lent);
  RUN(what_is_lent_to_a_pool_that_steals_is_not_stolen);
  RUN(what_was_lent_and_died_there_is_none);
  RUN(what_the_lender_issued_itself_is_foreign);
}
