// SPDX-License-Identifier: MIT
// Handles of pools that spill: of what lies at home and of what is lent.
#include "compose.h"
#include "policy/tp_chunk_state.h"
#include "tp_port.h"

static struct voice *made[5];

static bool lies_in(const struct tp_pool *pool, const void *object)
{
  uintptr_t offset = (uintptr_t)object - (uintptr_t)pool->storage;
  return offset < (uintptr_t)pool->capacity * pool->stride;
}

// Of 32 bits, without hooks: two at home, one in the camp.
static trail_handle_t trail[4];

static void fill_trail(void)
{
  compose_start();
  for (uint32_t i = 0; i < 3; i++) made[i] = trail_alloc_handle(&trail[i]);
}

// Of 64 bits, with hooks and scores: two at home, three at the inn.
static guild_handle_t guild[6];

static struct voice *join(uint32_t i, uint32_t loudness)
{
  return guild_create_scored(&loudness, loudness, &guild[i]);
}

static void fill_guild(void)
{
  compose_start();
  for (uint32_t i = 0; i < 5; i++) made[i] = join(i, 10 * (i + 1));
}

static void a_request_for_a_handle_is_served_by_the_other_pool(void)
{
  fill_trail();
  fill_guild();
  CHECK(lies_in(&inn_pool, made[4]) && lies_in(&guild_pool, made[1]));
  for (uint32_t i = 0; i < 5; i++) CHECK(guild_get(guild[i]) == made[i]);
  fill_trail();
  CHECK(lies_in(&camp_pool, made[2]));
  for (uint32_t i = 0; i < 3; i++) CHECK(trail_get(trail[i]) == made[i]);
  CHECK_EQ(trail_pool.state->steals, 0);
}

static void the_handle_of_what_is_lent_is_told_by_its_address(void)
{
  fill_trail();
  CHECK(trail_same(trail_handle(made[2]), trail[2]));
  CHECK(trail_same(trail_handle(made[0]), trail[0]));
  fill_guild();
  CHECK(guild_same(guild_handle(made[4]), guild[4]));
  guild_destroy(made[4]);
  CHECK(guild_same(guild_handle(made[4]), GUILD_NO_HANDLE));
}

static void what_the_lender_issues_itself_has_no_handle(void)
{
  fill_guild();
  guild_destroy(made[4]);
  CHECK(inn_alloc() == made[4]);
  CHECK(guild_same(guild_handle(made[4]), GUILD_NO_HANDLE));
  CHECK(guild_same(guild_handle(NULL), GUILD_NO_HANDLE));
  CHECK(trail_same(trail_handle(made[4]), TRAIL_NO_HANDLE));
}

static void what_is_lent_is_freed_by_handle_once(void)
{
  fill_trail();
  CHECK(trail_free_handle(trail[2]));
  CHECK(!trail_free_handle(trail[2]) && !trail_get(trail[2]));
  CHECK_EQ(tp_pool_live(&camp_pool), 0);
  CHECK_EQ(trail_spill.state->live, 0);
  CHECK_EQ(camp_chunk.state->live, 0);
  CHECK(trail_free_handle(trail[0]) && !trail_free_handle(trail[0]));
  CHECK(tp_pool_verify(&trail_pool, NULL) && tp_pool_verify(&camp_pool, NULL));
  fill_guild();
  CHECK(guild_free_handle(guild[3]) && !guild_free_handle(guild[3]));
  CHECK_EQ(guild_spill.state->live, 2);
}

static void an_object_is_destroyed_by_handle_once_wherever_it_lies(void)
{
  fill_guild();
  CHECK(!tp_object_free_handle64(&guild_objects, guild[4].bits));
  for (uint32_t i = 0; i < 5; i++) {
    CHECK(guild_destroy_handle(guild[i]));
    CHECK(hooks.died == made[i]);
    CHECK(!guild_destroy_handle(guild[i]));
  }
  CHECK_EQ(tp_pool_live(&guild_pool) + tp_pool_live(&inn_pool), 0);
}

static const void **owner_of_what_is_lent(void)
{
  size_t offset = (size_t)((char *)made[2] - (char *)camp_pool.storage);
  return &camp_chunk.owner[1 + offset / camp_pool.stride];
}

static void an_owner_with_a_flipped_bit_is_a_fault_at_each_call_by_handle(void)
{
  for (uint32_t bit = 0; bit < 8 * sizeof(void *); bit++) {
    fill_trail();
    const void **owner = owner_of_what_is_lent();
    *owner = (const void *)((uintptr_t)*owner ^ (uintptr_t)1 << bit);
    CHECK_FAULTS(TP_FAULT_HANDLE_POOL, trail_get(trail[2]));
    CHECK(tp_fault_record.name == trail_pool.name);
    CHECK(tp_fault_record.address == owner);
    CHECK_EQ(tp_fault_record.found, (uintptr_t)*owner);
    CHECK_EQ(tp_fault_record.expected, (uintptr_t)trail_spill.state);
    CHECK_FAULTS(TP_FAULT_HANDLE_POOL, trail_free_handle(trail[2]));
    CHECK_FAULTS(TP_FAULT_HANDLE_POOL, trail_pin_handle(trail[2]));
    CHECK_FAULTS(TP_FAULT_HANDLE_POOL, trail_unpin_handle(trail[2]));
  }
}

static void without_an_audit_an_owner_with_a_flipped_bit_makes_it_stale(void)
{
  fill_trail();
  const void **owner = owner_of_what_is_lent();
  *owner = (const void *)((uintptr_t)*owner ^ 4);
  CHECK(!trail_get(trail[2]) && !trail_free_handle(trail[2]));
  CHECK(!trail_pin_handle(trail[2]) && !trail_unpin_handle(trail[2]));
}

static void a_handle_whose_object_a_free_is_taking_back_is_stale(void)
{
  fill_trail();
  const void **owner = owner_of_what_is_lent();
  const void *borrower = *owner;
  *owner = tp_chunk_former(borrower);
  CHECK(!trail_get(trail[2]) && !trail_free_handle(trail[2]));
  *owner = tp_chunk_leaving(borrower);
  CHECK(!trail_get(trail[2]) && !trail_free_handle(trail[2]));
}

static void a_handle_is_stale_where_another_borrowed_its_slot_since(void)
{
  fill_trail();
  trail_free(made[2]);
  *owner_of_what_is_lent() = guild_spill.state;
  CHECK(!trail_get(trail[2]) && !trail_free_handle(trail[2]));
}

static void a_handle_of_what_was_lent_is_stale_though_its_slot_is_lent_again(
    void)
{
  fill_trail();
  trail_free(made[2]);
  CHECK(!trail_get(trail[2]));
  CHECK(trail_alloc_handle(&trail[3]) == made[2]);
  CHECK(!trail_get(trail[2]) && !trail_free_handle(trail[2]));
  CHECK(trail_get(trail[3]) == made[2]);
}

static void a_handle_is_stale_after_the_lender_s_memory_was_released(void)
{
  fill_trail();
  trail_free(made[2]);
  CHECK(camp_release());
  CHECK(!trail_get(trail[2]));
  CHECK(trail_alloc_handle(&trail[3]) == made[2]);
  CHECK(!trail_get(trail[2]) && trail_get(trail[3]) == made[2]);
}

static void a_theft_at_home_leaves_what_is_lent(void)
{
  fill_trail();
  CHECK(trail_alloc_handle(&trail[3]) == made[0]);
  CHECK(!trail_get(trail[0]) && trail_get(trail[3]) == made[0]);
  CHECK(trail_get(trail[2]) == made[2]);
  fill_guild();
  CHECK(join(5, 15) == made[0]);
  CHECK(!guild_get(guild[0]) && guild_get(guild[5]) == made[0]);
  CHECK(guild_get(guild[2]) == made[2]);
  CHECK_EQ(hooks.loudness, 10);
}

static void who_scores_too_low_gets_no_handle(void)
{
  fill_guild();
  CHECK(!join(5, 9));
  CHECK(guild_same(guild[5], GUILD_NO_HANDLE));
}

static void a_score_counts_however_the_request_is_made(void)
{
  tp_handle_t narrow;
  tp_handle64_t wide;
  fill_guild();
  CHECK(!tp_lent_alloc(&guild_pool, 9, &narrow));
  CHECK(!tp_lent64_alloc(&guild_pool, 9, &wide));
  CHECK(!tp_lent_create(&guild_objects, NULL, 9, &narrow));
  CHECK_EQ(hooks.inits, 5);
  CHECK(tp_lent64_alloc(&guild_pool, 11, &wide) == made[0]);
  made[0]->loudness = 12;
  CHECK(tp_lent_alloc(&guild_pool, 13, &narrow) == made[0]);
  made[0]->loudness = 14;
  CHECK(tp_lent_create(&guild_objects, NULL, 15, &narrow) == made[0]);
}

static void whose_init_fails_has_no_handle(void)
{
  fill_guild();
  guild_destroy(made[4]);
  hooks.fails = true;
  CHECK(!guild_create_handle(NULL, &guild[5]));
  CHECK(guild_same(guild[5], GUILD_NO_HANDLE));
  CHECK_EQ(inn_chunk.state->live, 2);
  guild_destroy(made[0]);
  CHECK(!guild_create_handle(NULL, &guild[5]) && !guild_create(NULL));
  CHECK_EQ(tp_pool_live(&guild_pool), 1);
}

static void what_is_lent_is_as_if_it_were_pinned(void)
{
  fill_trail();
  CHECK(trail_pin_handle(trail[2]) == made[2]);
  CHECK(trail_pin_handle(trail[0]) == made[0]);
  CHECK(trail_alloc() == made[1]);
  CHECK(trail_unpin_handle(trail[2]) && trail_unpin_handle(trail[0]));
  trail_free(made[2]);
  CHECK(!trail_pin_handle(trail[2]) && !trail_unpin_handle(trail[2]));
}

// Whose pool drops what it cannot lend: as tp_pool_pin(), it does nothing.
static void where_nothing_is_stolen_pins_by_handle_change_nothing(void)
{
  posts_handle_t post;
  compose_start();
  made[0] = posts_alloc_handle(&post);
  for (uint32_t i = 0; i < 2; i++) {
    CHECK(tp_lent_pin(&posts_pool, post.bits) == made[0]);
  }
  for (uint32_t i = 0; i < 3; i++) {
    CHECK(tp_lent_unpin(&posts_pool, post.bits));
  }
  posts_free(made[0]);
  CHECK(!tp_lent_pin(&posts_pool, post.bits));
  CHECK(!tp_lent_unpin(&posts_pool, post.bits));
}

static void what_is_lent_is_pinned_by_its_address_too(void)
{
  fill_trail();
  trail_pin(made[2]);
  trail_pin(made[0]);
  CHECK(trail_alloc() == made[1]);
  trail_unpin(made[2]);
  trail_unpin(made[0]);
  CHECK(trail_get(trail[2]) == made[2]);
}

static void a_handle_of_no_slot_is_stale(void)
{
  fill_trail();
  for (uint32_t number = 0; number < 4; number++) {
    trail_handle_t handle = {(trail[0].bits & ~3u) | number};
    CHECK_EQ(trail_get(handle) != NULL, number != 0);
  }
  fill_guild();
  for (uint32_t number = 0; number < 70000; number++) {
    guild_handle_t handle = {(guild[0].bits & ~(tp_handle64_t)0xffff) ^ number};
    CHECK_EQ(guild_get(handle) != NULL, number >= 1 && number <= 5);
  }
  guild_handle_t dead = {guild[4].bits & ~((tp_handle64_t)1 << 47)};
  CHECK(!guild_get(dead) && !guild_free_handle(dead));
}

// Of a slot that is dead, what such a handle claims would agree with its tag.
static void a_wide_handle_that_says_dead_or_too_much_is_stale(void)
{
  fill_guild();
  tp_handle64_t live = guild[1].bits, dead = guild[0].bits;
  guild_destroy(made[0]);
  dead &= ~((tp_handle64_t)1 << 47);
  CHECK(!tp_lent64_get(&guild_pool, dead));
  CHECK(!tp_lent64_free(&guild_pool, dead));
  live |= (tp_handle64_t)1 << 48;
  CHECK(!tp_lent64_get(&guild_pool, live));
  CHECK(!tp_lent64_free(&guild_pool, live));
  CHECK(guild_get(guild[1]) == made[1]);
  CHECK(tp_pool_verify(&guild_pool, NULL));
}

static void a_scene_that_ends_leaves_what_is_lent(void)
{
  fill_guild();
  CHECK_EQ(scenes_switch(TP_SCENE_DAY, NULL), 0);
  scenes_force(TP_SCENE_NIGHT);
  for (uint32_t i = 0; i < 5; i++) CHECK(guild_get(guild[i]) == made[i]);
}

static void urgent_requests_have_handles_of_the_reserve(void)
{
  posts_handle_t post[3], late;
  compose_start();
  for (uint32_t i = 0; i < 2; i++) CHECK(posts_alloc_handle(&post[i]));
  CHECK(!posts_alloc_handle(&late) && posts_same(late, POSTS_NO_HANDLE));
  struct voice *urgent = posts_alloc_urgent_handle(&post[2]);
  CHECK(urgent && posts_get(post[2]) == urgent);
  CHECK(posts_same(posts_handle(urgent), post[2]));
  CHECK(!posts_alloc_urgent_handle(&late));
  CHECK(posts_free_handle(post[2]) && !posts_get(post[2]));
  CHECK(posts_alloc_urgent() == urgent && !posts_get(post[2]));
}

// A handle for each that ever lived in a slot of the model.
#define STEPS 20000

static void each_handle_resolves_iff_what_was_lent_lives(void)
{
  static tp_handle64_t old[5];
  uint32_t chance = 1;
  fill_guild();
  for (uint32_t step = 0; step < STEPS; step++) {
    uint32_t i = (chance = chance * 1664525u + 1013904223u) >> 16;
    i %= 5;
    if (made[i]) {
      old[i] = guild[i].bits;
      guild_destroy(guild_get(guild[i]));
      made[i] = NULL;
    } else {
      made[i] = join(i, 1);
    }
    guild_handle_t last = {old[i]};
    if (guild_get(last)) CHECK(false);
    for (uint32_t j = 0; j < 5; j++) {
      if (made[j] && guild_get(guild[j]) != made[j]) CHECK(false);
    }
  }
}

static void freeing_by_handle_what_was_written_behind_faults(void)
{
  fill_trail();
  volatile uint32_t *behind = (volatile uint32_t *)(made[2] + 1);
  *behind ^= 1;
  CHECK_FAULTS(TP_FAULT_RED_ZONE, trail_free_handle(trail[2]));
  CHECK(tp_fault_record.pool == &camp_pool);
  *behind ^= 1;
}

static void pinning_twice_at_home_by_handle_faults(void)
{
  fill_trail();
  (void)trail_pin_handle(trail[0]);
  CHECK_FAULTS(TP_FAULT_PIN, trail_pin_handle(trail[0]));
}

static void a_request_without_hooks_gets_its_handle_here_and_there(void)
{
  tp_handle64_t bits[3];
  compose_start();
  for (uint32_t i = 0; i < 3; i++) {
    made[i] = tp_lent64_alloc(&guild_pool, 9, &bits[i]);
    CHECK(made[i] && tp_lent64_get(&guild_pool, bits[i]) == made[i]);
    CHECK(tp_lent64_of(&guild_pool, made[i]) == bits[i]);
  }
  CHECK(lies_in(&guild_pool, made[1]) && lies_in(&inn_pool, made[2]));
  CHECK_EQ(hooks.inits, 0);
}

static void a_wide_handle_of_what_is_lent_is_pinned_while_it_holds(void)
{
  fill_guild();
  CHECK(tp_lent64_pin(&guild_pool, guild[4].bits) == made[4]);
  CHECK(tp_lent64_unpin(&guild_pool, guild[4].bits));
  CHECK(tp_lent64_pin(&guild_pool, guild[0].bits) == made[0]);
  CHECK(tp_lent64_unpin(&guild_pool, guild[0].bits));
  guild_destroy(made[4]);
  CHECK(!tp_lent64_pin(&guild_pool, guild[4].bits));
  CHECK(!tp_lent64_unpin(&guild_pool, guild[4].bits));
  CHECK(!tp_lent64_pin(&guild_pool, guild[0].bits & 0xffff));
  CHECK(!tp_lent64_unpin(&guild_pool, guild[0].bits & 0xffff));
}

static void objects_with_hooks_have_narrow_handles_too(void)
{
  static const struct tp_objects objects = {
      .pool = &trail_pool,
      .lender = &camp_chunk,
  };
  tp_handle_t bits[3];
  compose_start();
  for (uint32_t i = 0; i < 3; i++) {
    made[i] = tp_lent_create(&objects, NULL, 9, &bits[i]);
    CHECK(made[i] && tp_lent_get(&trail_pool, bits[i]) == made[i]);
  }
  CHECK(lies_in(&camp_pool, made[2]));
  tp_pool_pin(&trail_pool, made[0]);
  tp_pool_pin(&trail_pool, made[1]);
  CHECK(!tp_lent_create(&objects, NULL, 9, &bits[0]));
  CHECK_EQ(bits[0], TP_NO_HANDLE);
}

// It is the lender's bug, and still no other's object.
static void what_the_lender_took_back_itself_has_no_handle(void)
{
  fill_guild();
  inn_free(made[4]);
  CHECK(guild_same(guild_handle(made[4]), GUILD_NO_HANDLE));
  CHECK(!guild_is_live(made[4]));
  CHECK(guild_is_live(made[3]) && guild_is_live(made[0]));
}

static void count_visits(void *object, void *context)
{
  (void)object;
  ++*(uint32_t *)context;
}

static void a_walk_meets_what_is_lent_though_home_is_as_at_boot(void)
{
  uint32_t visits = 0;
  fill_guild();
  guild_destroy(made[0]);
  guild_destroy(made[1]);
  tp_pool_forget(&guild_pool);
  tp_object_walk(&guild_objects, count_visits, &visits);
  CHECK_EQ(visits, 3);
}

#if !defined __arm__ && !defined __riscv

static uint32_t wins;

static void take_back(void)
{
  wins += trail_free_handle(trail[2]);
}

// Whichever edge of the call an interrupt comes at that does the same.
static void of_two_that_free_by_one_handle_one_wins(void)
{
  uint32_t edge = 0;
  do {
    fill_trail();
    wins = 0;
    tp_port_interrupt_after(++edge, take_back);
    take_back();
    CHECK_EQ(wins, 1);
    CHECK_EQ(tp_pool_live(&camp_pool), 0);
  } while (tp_port_due == 0);
  tp_port_interrupt_after(0, NULL);
  CHECK(edge > 4);
}

static void races(void)
{
  RUN(of_two_that_free_by_one_handle_one_wins);
}

#else

static void races(void)
{
}

#endif

void suite_lent(void)
{
  RUN(a_request_for_a_handle_is_served_by_the_other_pool);
  RUN(the_handle_of_what_is_lent_is_told_by_its_address);
  RUN(what_the_lender_issues_itself_has_no_handle);
  RUN(a_request_without_hooks_gets_its_handle_here_and_there);
  RUN(a_wide_handle_of_what_is_lent_is_pinned_while_it_holds);
  RUN(objects_with_hooks_have_narrow_handles_too);
  RUN(what_the_lender_took_back_itself_has_no_handle);
  RUN(a_walk_meets_what_is_lent_though_home_is_as_at_boot);
  RUN(what_is_lent_is_freed_by_handle_once);
  RUN(an_object_is_destroyed_by_handle_once_wherever_it_lies);
  races();
  if (AUDITED)
    RUN(an_owner_with_a_flipped_bit_is_a_fault_at_each_call_by_handle);
  else
    RUN(without_an_audit_an_owner_with_a_flipped_bit_makes_it_stale);
  RUN(a_handle_whose_object_a_free_is_taking_back_is_stale);
  RUN(a_handle_is_stale_where_another_borrowed_its_slot_since);
  RUN(a_handle_of_what_was_lent_is_stale_though_its_slot_is_lent_again);
  RUN(a_handle_is_stale_after_the_lender_s_memory_was_released);
  RUN(a_theft_at_home_leaves_what_is_lent);
  RUN(who_scores_too_low_gets_no_handle);
  RUN(a_score_counts_however_the_request_is_made);
  RUN(whose_init_fails_has_no_handle);
  RUN(what_is_lent_is_as_if_it_were_pinned);
  RUN(where_nothing_is_stolen_pins_by_handle_change_nothing);
  RUN(what_is_lent_is_pinned_by_its_address_too);
  RUN(a_handle_of_no_slot_is_stale);
  RUN(a_wide_handle_that_says_dead_or_too_much_is_stale);
  RUN(a_scene_that_ends_leaves_what_is_lent);
  RUN(urgent_requests_have_handles_of_the_reserve);
  RUN(each_handle_resolves_iff_what_was_lent_lives);
  if (TP_CHECKS >= TP_CHECKS_FAST) RUN(pinning_twice_at_home_by_handle_faults);
  if (TP_CHECKS < TP_CHECKS_FULL) return;
  RUN(freeing_by_handle_what_was_written_behind_faults);
}
