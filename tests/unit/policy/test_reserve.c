// SPDX-License-Identifier: MIT
#include "policies.h"

#include "config/tp_define.h"

enum { HOME = 4, KEPT = 2, ALL = HOME + KEPT };

static void start(void)
{
  forget_spill(&voices_pool);
  forget_spill(&bells_pool);
  forget_spill(&guards_pool);
}

static void normal_requests_see_the_pool_full_while_the_reserve_is_left(void)
{
  start();
  for (uint32_t i = 0; i < HOME; i++) CHECK(voices_alloc() != NULL);

  for (uint32_t i = 0; i < 100; i++) CHECK(voices_alloc() == NULL);

  CHECK_EQ(voices_pool.state->refused_by_rule, 100);
  CHECK_EQ(voices_pool.state->overflows, 100);
}

static void urgent_requests_take_the_reserve_too_and_no_more(void)
{
  start();
  for (uint32_t i = 0; i < HOME; i++) voices_alloc();

  for (uint32_t i = 0; i < KEPT; i++) CHECK(voices_alloc_urgent() != NULL);

  CHECK(voices_alloc_urgent() == NULL);
  CHECK_EQ(voices_pool.state->spills, KEPT);
  CHECK_EQ(voices_spill.state->refused, 1);
}

static void urgent_requests_take_a_free_slot_at_home_first(void)
{
  start();
  for (uint32_t i = 0; i < HOME; i++) {
    CHECK(is_of(&voices_pool, voices_alloc_urgent()));
  }

  CHECK(is_of(&voices_reserve_pool, voices_alloc_urgent()));
}

static void a_refusal_with_the_reserve_used_up_is_a_drop(void)
{
  start();
  for (uint32_t i = 0; i < ALL; i++) voices_alloc_urgent();

  CHECK(voices_alloc() == NULL);

  const struct tp_pool_state *state = voices_pool.state;
  CHECK_EQ(state->refused_by_rule, 0);
  CHECK_EQ(state->overflows - state->spills - state->refused_by_rule, 1);
}

static void the_same_call_frees_both_and_refills_the_reserve(void)
{
  struct thing *voices[ALL];
  start();
  for (uint32_t round = 0; round < 100; round++) {
    for (uint32_t i = 0; i < ALL; i++) voices[i] = voices_alloc_urgent();
    for (uint32_t i = 0; i < ALL; i++) {
      CHECK(voices[i] != NULL);
      voices_free(voices[(i + round) % ALL]);
    }
  }

  CHECK_EQ(voices_spill.state->live, 0);
  CHECK(tp_pool_verify(&voices_pool, NULL));
  CHECK(tp_pool_verify(&voices_urgent_pool, NULL));
  CHECK(tp_pool_verify(&voices_reserve_pool, NULL));
}

// A model of two counts beside.
static void no_history_lets_a_normal_request_into_the_reserve(void)
{
  struct thing *voices[ALL];
  uint32_t count = 0;
  start();
  for (uint32_t step = 0; step < 200000; step++) {
    uint32_t chance = tp_test_random() % 4;
    if (chance < 2) {
      struct thing *voice = chance ? voices_alloc() : voices_alloc_urgent();
      if (!voice && !chance) CHECK_EQ(count, ALL);
      if (!voice) continue;
      if (chance) CHECK(is_of(&voices_pool, voice));
      voices[count++] = voice;
    } else if (count > 0) {
      uint32_t i = tp_test_random() % count;
      voices_free(voices[i]);
      voices[i] = voices[--count];
    }
  }
}

static void a_double_free_into_the_reserve_faults(void)
{
  struct thing *voice = NULL;
  if (TP_CHECKS < TP_CHECKS_FAST) return;
  start();
  for (uint32_t i = 0; i <= HOME; i++) voice = voices_alloc_urgent();
  voices_free(voice);

  CHECK_FAULTS(TP_FAULT_DOUBLE_FREE, voices_free(voice));

  CHECK(tp_fault_record.pool == &voices_reserve_pool);
}

static void a_stealing_pool_s_urgent_requests_steal_when_the_reserve_is_out(
    void)
{
  struct thing *first;
  start();
  rung = NULL;
  first = bells_alloc();
  for (uint32_t i = 1; i < HOME; i++) bells_alloc();
  for (uint32_t i = 0; i < KEPT; i++) CHECK(bells_alloc_urgent() != NULL);
  CHECK(rung == NULL);

  CHECK(bells_alloc_urgent() == first);

  CHECK(rung == first);
  CHECK_EQ(bells_pool.state->steals, 1);
}

static void nobody_steals_from_the_reserve(void)
{
  start();
  for (uint32_t i = 0; i < HOME; i++) bells_alloc();
  for (uint32_t i = 0; i < KEPT; i++) bells_alloc_urgent();

  for (uint32_t i = 0; i < 100; i++) {
    CHECK(is_of(&bells_pool, bells_alloc()));
    CHECK(is_of(&bells_pool, bells_alloc_urgent()));
  }

  CHECK_EQ(bells_spill.state->live, KEPT);
  CHECK_EQ(bells_pool.state->refused_by_rule, 0);
}

static void an_asserting_pool_faults_on_a_normal_request_only(void)
{
  start();
  guards_alloc();
  CHECK(guards_alloc_urgent() != NULL);
  CHECK_FAULTS(TP_FAULT_FULL, guards_alloc());
  CHECK_FAULTS(TP_FAULT_FULL, guards_alloc_urgent());

  CHECK(tp_fault_record.name == guards_pool.name);
}

static void a_refusal_while_the_reserve_is_not_to_be_had_is_a_drop(void)
{
  start();
  for (uint32_t i = 0; i < HOME; i++) voices_alloc();
  voices_reserve_chunk.state->phase = TP_CHUNK_BUSY;
  CHECK(voices_alloc() == NULL);
  CHECK_EQ(voices_pool.state->refused_by_rule, 0);
  voices_reserve_chunk.state->phase = TP_CHUNK_OPEN;
  CHECK(voices_alloc() == NULL);
  CHECK_EQ(voices_pool.state->refused_by_rule, 1);
}

static struct tp_age_link aged_age[2 + 1];
TP_POOL_DEFINE_TAGGED(aged, sizeof(struct thing), 2, 4,
                      .policy = &tp_steal_oldest, .age = aged_age);

static void what_the_reserve_lent_is_as_if_it_were_pinned(void)
{
  start();
  for (uint32_t i = 0; i < HOME; i++) bells_alloc();
  struct thing *lent = bells_alloc_urgent();
  CHECK(is_of(bells_reserve_chunk.pool, lent));
  tp_pool_pin(&bells_pool, lent);
  tp_pool_unpin(&bells_pool, lent);
  if (TP_CHECKS < TP_CHECKS_FAST) return;
  for (uint32_t i = 0; i < HOME; i++) {
    struct thing *home = bells_alloc();
    bells_free(home);
    CHECK_FAULTS(TP_FAULT_DOUBLE_FREE, tp_pool_pin(&bells_pool, home));
    CHECK(bells_alloc() == home);
  }
  CHECK_FAULTS(TP_FAULT_FOREIGN, tp_pool_pin(&aged_pool, lent));
  tp_pool_pin(&bells_pool, (char *)bells_pool.storage +
                               bells_pool.capacity * bells_pool.stride);
}

void suite_reserve(void)
{
  RUN(normal_requests_see_the_pool_full_while_the_reserve_is_left);
  RUN(urgent_requests_take_the_reserve_too_and_no_more);
  RUN(urgent_requests_take_a_free_slot_at_home_first);
  RUN(a_refusal_with_the_reserve_used_up_is_a_drop);
  RUN(a_refusal_while_the_reserve_is_not_to_be_had_is_a_drop);
  RUN(what_the_reserve_lent_is_as_if_it_were_pinned);
  RUN(the_same_call_frees_both_and_refills_the_reserve);
  RUN(no_history_lets_a_normal_request_into_the_reserve);
  RUN(a_double_free_into_the_reserve_faults);
  RUN(a_stealing_pool_s_urgent_requests_steal_when_the_reserve_is_out);
  RUN(nobody_steals_from_the_reserve);
  RUN(an_asserting_pool_faults_on_a_normal_request_only);
}
