// SPDX-License-Identifier: MIT
// Undamaged, a hardened pool does what the same pool does without.
#include "core/tp_code.h"
#include "core/tp_tag.h"
#include "harden.h"

// What an application has of either pool.
struct user {
  const struct kind *kind;
  void *object[SLOTS + 1];  // NULL: not of that slot.
  tp_handle_t handle[SLOTS + 1];
};

static uint32_t slot_of(const struct user *user, const void *object)
{
  const struct tp_pool *pool = user->kind->pool;
  uintptr_t offset = (uintptr_t)object - (uintptr_t)pool->storage;
  return object ? (uint32_t)(offset / pool->stride) + 1 : 0;
}

static uint32_t issue(struct user *user)
{
  tp_handle_t handle;
  void *object = user->kind->alloc(&handle);
  uint32_t slot = slot_of(user, object);
  user->object[slot] = object;
  user->handle[slot] = handle;
  return slot;
}

// Takes [slot] back if it is live. Returns whether it was.
static bool take_back(struct user *user, uint32_t slot, bool by_handle)
{
  if (!user->object[slot]) return false;
  if (by_handle && user->kind->free_handle) {
    if (!user->kind->free_handle(user->handle[slot])) return false;
  } else {
    user->kind->free(user->object[slot]);
  }
  user->object[slot] = NULL;
  return true;
}

static bool resolves(const struct user *user, uint32_t slot)
{
  if (!user->kind->get || !user->handle[slot]) return false;
  return user->kind->get(user->handle[slot]) != NULL;
}

static void reset(struct user *user)
{
  tp_pool_reset(user->kind->pool);
  for (uint32_t slot = 1; slot <= SLOTS; slot++) user->object[slot] = NULL;
}

static bool have_equal_figures(const struct user *one, const struct user *other)
{
  struct tp_stats left, right;
  tp_pool_stats(one->kind->pool, &left);
  tp_pool_stats(other->kind->pool, &right);
  return left.live == right.live && left.peak == right.peak &&
         left.allocs == right.allocs && left.frees == right.frees &&
         left.steals == right.steals && left.spills == right.spills &&
         left.refused == right.refused;
}

static struct user users[2];

static void begin_with(const struct kind *one, const struct kind *other)
{
  users[0] = (struct user){.kind = one};
  users[1] = (struct user){.kind = other};
  forget(one);
  forget(other);
}

static void begin(uint32_t kind)
{
  begin_with(&hardened[kind], &plain[kind]);
}

// One random call on both. False iff it differs.
static bool go_on_alike(void)
{
  uint32_t what = tp_test_random() % 16, slot = tp_test_random() % SLOTS + 1;
  if (what == 0 && tp_test_random() % 8 == 0) {
    reset(&users[0]);
    reset(&users[1]);
  } else if (what < 7) {
    if (issue(&users[0]) != issue(&users[1])) return false;
  } else if (what < 13) {
    bool taken = take_back(&users[0], slot, what & 1);
    if (taken != take_back(&users[1], slot, what & 1)) return false;
  } else if (resolves(&users[0], slot) != resolves(&users[1], slot)) {
    return false;
  }
  return have_equal_figures(&users[0], &users[1]);
}

static void go_on_alike_with(uint32_t seed)
{
  tp_test_seed(seed);
  for (uint32_t i = 0; i < 4000; i++) CHECK(go_on_alike());
  CHECK(tp_pool_verify(users[0].kind->pool, NULL));
  CHECK(tp_pool_verify(users[1].kind->pool, NULL));
}

static void a_hardened_pool_does_what_it_does_without(void)
{
  for (uint32_t kind = 0; kind < KINDS; kind++) {
    begin(kind);
    go_on_alike_with(kind + 1);
  }
}

static void a_pool_whose_links_are_outside_does_what_it_does_without(void)
{
  for (uint32_t kind = 0; kind < KINDS; kind++) {
    begin_with(&outside[kind], &plain[kind]);
    go_on_alike_with(kind + 1);
    begin_with(&both[kind], &plain[kind]);
    go_on_alike_with(kind + 1);
  }
}

static void a_pool_does_what_it_does_where_none_beside_it_is_hardened(void)
{
  for (uint32_t kind = 0; kind < KINDS; kind++) {
    begin_with(&beside[kind], &plain[kind]);
    go_on_alike_with(kind + 1);
  }
}

#if TP_CHECKS >= TP_CHECKS_FAST
// As if [slot], which is dead, had died so often.
static void age(const struct kind *kind, uint32_t slot, uint32_t deaths)
{
  tp_test_set_tag(kind->pool, slot, deaths * TP_CODE_LIFE);
}

static void after_32767_lives_the_code_of_a_slot_begins_again(void)
{
  for (uint32_t kind = 0; kind < KINDS; kind++) {
    begin(kind);
    uint32_t slot = issue(&users[0]);
    take_back(&users[0], slot, true);
    age(&hardened[kind], slot, TP_CODE_LIVES - 1);
    CHECK_EQ(issue(&users[0]), slot);
    CHECK(take_back(&users[0], slot, true));
    CHECK_EQ(issue(&users[0]), slot);
    CHECK_EQ(tp_code_issues(hardened[kind].pool->tag[slot]), 2);
    CHECK(tp_pool_verify(hardened[kind].pool, NULL));
  }
}

static void statistics_count_on_when_a_code_begins_again(void)
{
  struct tp_stats stats;
  for (uint32_t kind = 0; kind < KINDS; kind++) {
    begin(kind);
    take_back(&users[0], issue(&users[0]), true);
    age(&hardened[kind], 1, TP_CODE_LIVES - 1);
    for (uint32_t i = 0; i < 3; i++) {
      take_back(&users[0], issue(&users[0]), true);
      tp_pool_stats(hardened[kind].pool, &stats);
      CHECK_EQ(stats.allocs, TP_CODE_LIVES + i);
      CHECK_EQ(stats.frees, TP_CODE_LIVES + i);
      CHECK_EQ(stats.spills, 0);
      CHECK_EQ(stats.refused, 0);
    }
  }
}

static void a_theft_begins_the_code_of_a_slot_again_too(void)
{
  struct tp_stats stats;
  begin(STEALING);
  for (uint32_t i = 0; i < SLOTS; i++) issue(&users[0]);
  uint32_t last = (TP_CODE_LIVES - 1) * TP_CODE_LIFE + TP_CODE_BIRTH;
  tp_test_set_tag(hardened[STEALING].pool, 1, last);
  CHECK_EQ(issue(&users[0]), 1);
  tp_pool_stats(hardened[STEALING].pool, &stats);
  CHECK_EQ(stats.allocs, TP_CODE_LIVES + SLOTS);
  CHECK_EQ(stats.steals, 1);
  CHECK_EQ(stats.live, SLOTS);
}

static void the_calls_of_any_pool_know_a_hardened_one(void)
{
  for (uint32_t kind = 0; kind < KINDS; kind++) {
    const struct tp_pool *pool = hardened[kind].pool;
    begin(kind);
    void *object = tp_pool_alloc(pool);
    hardened[kind].free(object);
    CHECK_EQ(issue(&users[0]), 1);
    tp_pool_free(pool, object);
    CHECK_EQ(tp_code_issues(pool->tag[1]), 2);
    for (uint32_t i = 0; i < SLOTS; i++) CHECK(tp_pool_alloc(pool) != NULL);
    CHECK_EQ(tp_pool_alloc(pool) != NULL, hardened[kind].steals);
    CHECK(tp_pool_verify(pool, NULL));
  }
}

static void beside_a_code_a_worn_out_generation_begins_again(void)
{
  begin_with(&beside[EXCLUSIVE], &plain[EXCLUSIVE]);
  for (uint32_t i = 0; i < 2; i++) {
    const struct tp_pool *pool = users[i].kind->pool;
    uint32_t slot = issue(&users[i]);
    take_back(&users[i], slot, true);
    tp_test_set_tag(pool, slot, TP_GENERATION_MAX);
    CHECK_EQ(issue(&users[i]), slot);
    CHECK_EQ(pool->tag[slot], TP_LIVE + 1);
  }
}

static void suite_of_codes(void)
{
  RUN(beside_a_code_a_worn_out_generation_begins_again);
  RUN(after_32767_lives_the_code_of_a_slot_begins_again);
  RUN(statistics_count_on_when_a_code_begins_again);
  RUN(a_theft_begins_the_code_of_a_slot_again_too);
  RUN(the_calls_of_any_pool_know_a_hardened_one);
}
#else
static void suite_of_codes(void)
{
}
#endif

void suite_alike(void)
{
  RUN(a_hardened_pool_does_what_it_does_without);
  RUN(a_pool_whose_links_are_outside_does_what_it_does_without);
  RUN(a_pool_does_what_it_does_where_none_beside_it_is_hardened);
  suite_of_codes();
}
