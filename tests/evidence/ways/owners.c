// SPDX-License-Identifier: MIT
// Notes of who has a slot, of what lies in one of two pools or in neither.
#include "config/tp_define.h"
#include "object/tp_owner.h"
#include "ways.h"

enum { HOME = 2, AWAY = 1 };

TP_POOL_DEFINE_TAGGED(noted_home, 16, HOME, 8, .policy = &tp_drop,
                      .refuses = 1);
TP_POOL_DEFINE_TAGGED(noted_away, 16, AWAY, 8, .policy = &tp_drop,
                      .refuses = 1);

static struct tp_owner owners[HOME + AWAY];
static const struct tp_owned away = {.pool = &noted_away_pool,
                                     .owners = owners + HOME};
static const struct tp_owned home = {
    .pool = &noted_home_pool, .owners = owners, .next = &away};

static void forget(void)
{
  tp_test_forget(&noted_home_pool);
  tp_test_forget(&noted_away_pool);
  for (uint32_t i = 0; i < HOME + AWAY; i++) owners[i] = (struct tp_owner){0};
}

// As tp_lent.h numbers what lies away.
static tp_handle_t handle_away(void)
{
  uint32_t bits = noted_home_pool.handle_bits;
  return noted_away_pool.tag[1] << bits | (HOME + 1);
}

static tp_handle64_t wide_away(void)
{
  return (tp_handle64_t)noted_away_pool.tag[1] << 16 | (HOME + 1);
}

static void each_call_makes_a_note_of_what_lies_away(void)
{
  forget();
  void *object = tp_pool_alloc(&noted_away_pool);
  tp_handle_t handle = handle_away();
  tp_handle64_t wide = wide_away();
  CHECK(!tp_owner_of(&home, object));
  CHECK(tp_owner_take_handle(&home, object, &handle) == object);
  CHECK(tp_owner_of(&home, object) == &owners[HOME]);
  CHECK(owners[HOME].asked && !owners[HOME].freed);
  owners[HOME] = (struct tp_owner){0};
  CHECK(tp_owner_take_handle64(&home, object, &wide) == object);
  CHECK(owners[HOME].asked && !owners[HOME].freed);
  CHECK(tp_owner_give_handle(&home, handle) == handle);
  CHECK(owners[HOME].asked && owners[HOME].freed);
  CHECK(tp_owner_give_handle64(&home, wide) == wide);
  CHECK(tp_owner_give(&home, object) == object);
  CHECK(tp_owner_take(&home, object) == object);
  CHECK(owners[HOME].asked && owners[HOME].freed);
}

// Of the handles, the numbers of slots are one too many.
static void of_a_slot_that_no_pool_has_no_note_is_made(void)
{
  static const struct tp_owned alone = {.pool = &noted_home_pool,
                                        .owners = owners};
  tp_handle_t handle = 1u << noted_home_pool.handle_bits | (HOME + 1);
  tp_handle64_t wide = (tp_handle64_t)1 << 47 | (HOME + AWAY + 1);
  forget();
  CHECK(tp_owner_take_handle(&alone, NULL, &handle) == NULL);
  CHECK(tp_owner_give_handle(&alone, handle) == handle);
  CHECK(tp_owner_take_handle64(&home, NULL, &wide) == NULL);
  CHECK(tp_owner_give_handle64(&home, wide) == wide);
  CHECK(tp_owner_take(&home, &handle) == &handle);
  CHECK(tp_owner_give(&home, &handle) == &handle);
  for (uint32_t i = 0; i < HOME + AWAY; i++) {
    CHECK(!owners[i].asked && !owners[i].freed);
  }
}

// Given back by [i]th call, as it is now.
static void give(uint32_t i, void *object)
{
  tp_handle_t handle = tp_handle_of(&noted_home_pool, object);
  tp_handle64_t wide = tp_handle64_of(&noted_home_pool, object);
  if (i == 0) (void)tp_owner_give(&home, object);
  if (i == 1) (void)tp_owner_give_handle(&home, handle);
  if (i == 2) (void)tp_owner_give_handle64(&home, wide);
}

// Nobody knows who was issued it; the second is of the same life.
static void what_is_given_back_twice_is_noted_without_who_asked(void)
{
  for (uint32_t i = 0; i < 3; i++) {
    forget();
    void *object = tp_pool_alloc(&noted_home_pool);
    give(i, object);
    CHECK(tp_owner_of(&home, object) == owners);
    CHECK(!owners->asked && owners->freed);
    give(i, object);
    CHECK(!owners->asked && owners->freed);
    CHECK(tp_owner_take(&home, object) == object);
    CHECK(!owners->asked);
    owners->freed = NULL;
    CHECK(!tp_owner_of(&home, object));
  }
}

static void a_note_of_another_life_says_nothing_of_this_one(void)
{
  for (uint32_t i = 0; i < 3; i++) {
    forget();
    void *object = tp_pool_alloc(&noted_home_pool);
    CHECK(tp_owner_take(&home, object) == object && owners->asked);
    tp_pool_free(&noted_home_pool, object);
    CHECK(tp_pool_alloc(&noted_home_pool) == object);
    CHECK(!tp_owner_of(&home, object));
    give(i, object);
    CHECK(!owners->asked && owners->freed);
    CHECK_EQ(owners->generation, 2);
  }
}

void suite_owners(void)
{
  RUN(each_call_makes_a_note_of_what_lies_away);
  RUN(of_a_slot_that_no_pool_has_no_note_is_made);
  RUN(what_is_given_back_twice_is_noted_without_who_asked);
  RUN(a_note_of_another_life_says_nothing_of_this_one);
}
