// SPDX-License-Identifier: MIT
// Pools that spill, then steal; whose objects have hooks.
#include "compose.h"

static struct voice *made[6];
static guild_handle_t joined;  // The last.

// An object as loud as its number.
static struct voice *join(uint32_t loudness)
{
  return guild_create_scored(&loudness, loudness, &joined);
}

// Two at home, three at the inn.
static void fill(void)
{
  compose_start();
  for (uint32_t i = 0; i < 5; i++) made[i] = join(10 * (i + 1));
}

static bool lies_in(const struct tp_pool *pool, const void *object)
{
  uintptr_t offset = (uintptr_t)object - (uintptr_t)pool->storage;
  return offset < (uintptr_t)pool->capacity * pool->stride;
}

static void who_finds_no_slot_to_borrow_steals_the_oldest_at_home(void)
{
  struct voice *voice[4];
  compose_start();
  for (uint32_t i = 0; i < 3; i++) CHECK((voice[i] = trail_alloc()) != NULL);
  CHECK(lies_in(&camp_pool, voice[2]));

  voice[3] = trail_alloc();

  CHECK(voice[3] == voice[0] && hooks.died == voice[0]);
  CHECK_EQ(trail_pool.state->steals, 1);
  CHECK_EQ(trail_pool.state->spills, 1);
  CHECK(tp_pool_verify(&trail_pool, NULL));
  trail_free(voice[2]);
  CHECK(trail_alloc() == voice[2]);
  CHECK_EQ(hooks.deinits, 1);
}

static void where_nobody_at_home_can_be_taken_the_request_is_refused(void)
{
  struct tp_stats stats;
  compose_start();
  for (uint32_t i = 0; i < 2; i++) trail_pin(trail_alloc());
  CHECK(trail_alloc());

  CHECK(!trail_alloc());

  tp_pool_stats(&trail_pool, &stats);
  CHECK_EQ(stats.refused, 1);
  CHECK_EQ(stats.steals, 0);
}

static void the_least_at_home_makes_room_when_the_other_pool_is_full(void)
{
  fill();
  CHECK(lies_in(&guild_pool, made[1]) && lies_in(&inn_pool, made[2]));
  CHECK_EQ(hooks.deinits, 0);

  made[5] = join(15);

  CHECK(made[5] == made[0]);
  CHECK_EQ(hooks.loudness, 10);
  CHECK(join(14) == NULL);
  CHECK_EQ(hooks.deinits, 1);
}

// As if an interrupt came, which steals it; then it fails.
static bool init_is_robbed(void *object, void *context)
{
  uint32_t loud = 100;
  *(struct voice *)object = (struct voice){0};
  made[5] = guild_create(&loud);
  return context != NULL;
}

static void what_init_was_robbed_of_is_not_given_back_where_others_lend(void)
{
  const struct tp_objects robbed = {
      .pool = &guild_pool, .lender = &inn_chunk, .init = init_is_robbed};
  fill();

  CHECK(!tp_object_alloc(&robbed, NULL));

  CHECK(made[5] == made[0] && guild_is_live(made[5]));
  CHECK_EQ(tp_pool_live(&guild_pool), 2);
  CHECK(tp_pool_verify(&guild_pool, NULL));
}

static void nor_is_it_anybody_s_where_init_makes_it_all_the_same(void)
{
  const struct tp_objects robbed = {
      .pool = &guild_pool, .lender = &inn_chunk, .init = init_is_robbed};
  fill();

  CHECK(!tp_object_alloc(&robbed, &hooks));

  CHECK(made[5] == made[0] && guild_is_live(made[5]));
  CHECK_EQ(tp_pool_live(&guild_pool), 2);
}

static void what_was_lent_goes_back_when_its_init_fails(void)
{
  fill();
  guild_destroy(made[4]);
  hooks.fails = true;

  CHECK(!guild_create(NULL));

  CHECK_EQ(inn_chunk.state->live, 2);
  CHECK_EQ(guild_spill.state->live, 2);
  CHECK_EQ(hooks.deinits, 1);
}

static bool is_loud(void *object, void *context)
{
  const struct voice *voice = object;
  uint32_t *sum = context;
  *sum += voice->loudness;
  if (voice->loudness == 20) (void)join(500);
  return voice->loudness != 30;
}

static void add(void *object, void *context)
{
  const struct voice *voice = object;
  uint32_t *sum = context;
  *sum += voice->loudness;
}

static void an_update_and_a_walk_meet_what_was_lent_once(void)
{
  uint32_t sum = 0;
  fill();
  guild_destroy(made[4]);

  guild_update(is_loud, &sum);

  CHECK_EQ(sum, 10 + 20 + 30 + 40);
  CHECK(hooks.died == made[2]);
  sum = 0;
  guild_walk(add, &sum);
  CHECK_EQ(sum, 10 + 20 + 40 + 500);
  guild_audit();
}

static bool is_heard(void *object, void *context)
{
  add(object, context);
  return true;
}

static void an_update_passes_over_what_was_given_back(void)
{
  uint32_t sum = 0;
  fill();
  guild_destroy(made[3]);

  guild_update(is_heard, &sum);

  CHECK_EQ(sum, 10 + 20 + 30 + 50);
  CHECK_EQ(hooks.deinits, 1);
}

static void what_was_lent_and_says_it_is_dead_ends_without_a_step(void)
{
  uint32_t sum = 0;
  fill();
  made[3]->unused[1] = 0;

  guild_update(is_heard, &sum);

  CHECK_EQ(sum, 10 + 20 + 30 + 50);
  CHECK_EQ(hooks.deinits, 1);
  CHECK(hooks.died == made[3] && !guild_is_live(made[3]));
}

static void what_the_lender_never_issued_is_not_met(void)
{
  uint32_t walked = 0, updated = 0;
  fill();
  inn_pool.state->fresh = 2;
  made[4]->unused[1] = 0;

  guild_walk(add, &walked);
  guild_update(is_heard, &updated);
  guild_audit();

  CHECK_EQ(walked, 10 + 20 + 30 + 40);
  CHECK_EQ(updated, 10 + 20 + 30 + 40);
}

static void no_walk_goes_behind_the_slots_of_the_lender(void)
{
  uint32_t sum = 0;
  fill();
  inn_pool.state->fresh = 4;
  CHECK_FAULTS(TP_FAULT_INVARIANT, guild_update(is_heard, &sum));
  CHECK(tp_fault_record.pool == &inn_pool);
  CHECK_EQ(tp_fault_record.found, 4);
  CHECK_EQ(tp_fault_record.expected, 3);
  CHECK_FAULTS(TP_FAULT_INVARIANT, guild_walk(add, &sum));
  CHECK_FAULTS(TP_FAULT_INVARIANT, guild_audit());
  inn_pool.state->fresh = 3;
  guild_clear();
}

static void what_lives_away_is_live_in_each_slot(void)
{
  fill();
  for (uint32_t i = 0; i < 5; i++) CHECK(guild_is_live(made[i]));
  for (uint32_t i = 0; i < 5; i++) guild_destroy(made[i]);
  for (uint32_t i = 0; i < 5; i++) CHECK(!guild_is_live(made[i]));
}

static void what_the_lender_issues_itself_is_not_met(void)
{
  uint32_t sum = 0;
  fill();
  guild_destroy(made[3]);
  struct voice *guest = inn_alloc();
  CHECK(guest == made[3]);
  *guest = (struct voice){.loudness = 1000};

  guild_walk(add, &sum);
  guild_audit();
  guild_clear();

  CHECK_EQ(sum, 10 + 20 + 30 + 50);
  CHECK_EQ(hooks.deinits, 5);
  CHECK(!guild_is_live(guest));
  CHECK_EQ(tp_pool_live(&inn_pool), 1);
  CHECK_EQ(guild_spill.state->live, 0);
  CHECK(tp_pool_verify(&inn_pool, NULL));
}

static void what_was_lent_ends_by_its_hook(void)
{
  fill();
  CHECK(guild_is_live(made[4]) && !guild_is_live(NULL));

  guild_destroy(made[4]);

  CHECK(hooks.died == made[4]);
  CHECK_EQ(hooks.loudness, 50);
  CHECK(!guild_is_live(made[4]));
  CHECK_EQ(inn_chunk.state->live, 2);
}

static void a_second_end_of_what_was_lent_names_the_lender(void)
{
  fill();
  guild_destroy(made[4]);
  CHECK_FAULTS(TP_FAULT_DOUBLE_FREE, guild_destroy(made[4]));
  CHECK(tp_fault_record.pool == &inn_pool);
  CHECK_FAULTS(TP_FAULT_DOUBLE_FREE, tp_pool_free(&guild_pool, made[4]));
}

static bool names_lent(uint32_t slot, const void *object)
{
  const struct tp_fault_record *record = &tp_fault_record;
  return record->pool == &inn_pool && record->slot == slot &&
         record->address == object && record->offset == 0;
}

static void a_second_end_of_what_was_lent_names_its_slot_there(void)
{
  for (uint32_t slot = 1; slot <= 3; slot++) {
    fill();
    guild_destroy(made[slot + 1]);
    CHECK_FAULTS(TP_FAULT_DOUBLE_FREE, guild_destroy(made[slot + 1]));
    CHECK(names_lent(slot, made[slot + 1]));
  }
}

static void what_the_lender_issued_itself_is_foreign(void)
{
  fill();
  guild_destroy(made[4]);
  CHECK(inn_alloc() == made[4]);
  CHECK_FAULTS(TP_FAULT_FOREIGN, guild_destroy(made[4]));
  CHECK_EQ(tp_pool_live(&inn_pool), 3);
}

static void an_object_away_that_says_it_is_dead_is_found(void)
{
  for (uint32_t slot = 1; slot <= 3; slot++) {
    fill();
    made[slot + 1]->unused[1] = 0;
    CHECK_FAULTS(TP_FAULT_IN_USE, guild_audit());
    CHECK(names_lent(slot, made[slot + 1]));
    CHECK_EQ(tp_fault_record.found, 0);
    CHECK_EQ(tp_fault_record.expected, 1);
  }
}

static void what_is_no_pool_s_is_foreign_to_one_that_spills(void)
{
  static struct voice nobody_s;
  fill();
  CHECK_FAULTS(TP_FAULT_FOREIGN, guild_destroy(&nobody_s));
  CHECK(tp_fault_record.pool == &guild_pool);
}

void suite_spills(void)
{
  RUN(who_finds_no_slot_to_borrow_steals_the_oldest_at_home);
  RUN(where_nobody_at_home_can_be_taken_the_request_is_refused);
  RUN(the_least_at_home_makes_room_when_the_other_pool_is_full);
  RUN(what_init_was_robbed_of_is_not_given_back_where_others_lend);
  RUN(nor_is_it_anybody_s_where_init_makes_it_all_the_same);
  RUN(what_was_lent_goes_back_when_its_init_fails);
  RUN(an_update_and_a_walk_meet_what_was_lent_once);
  RUN(an_update_passes_over_what_was_given_back);
  RUN(what_was_lent_and_says_it_is_dead_ends_without_a_step);
  RUN(what_the_lender_issues_itself_is_not_met);
  RUN(what_the_lender_never_issued_is_not_met);
  RUN(what_lives_away_is_live_in_each_slot);
  RUN(what_was_lent_ends_by_its_hook);
  if (TP_CHECKS < TP_CHECKS_FAST) return;
  RUN(a_second_end_of_what_was_lent_names_the_lender);
  RUN(a_second_end_of_what_was_lent_names_its_slot_there);
  RUN(what_the_lender_issued_itself_is_foreign);
  RUN(what_is_no_pool_s_is_foreign_to_one_that_spills);
  RUN(an_object_away_that_says_it_is_dead_is_found);
  RUN(no_walk_goes_behind_the_slots_of_the_lender);
}
