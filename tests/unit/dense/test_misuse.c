// SPDX-License-Identifier: MIT
#include "dense.h"

static tp_handle_t handles[3];

static void shoot(void)
{
  forget(&bullets_dense);
  for (uint32_t i = 0; i < 3; i++) bullets_alloc(&handles[i])->id = i;
}

static void freeing_by_a_stale_handle_says_so_and_changes_nothing(void)
{
  shoot();
  CHECK(bullets_free(handles[1]));

  CHECK(!bullets_free(handles[1]));
  bullets_alloc(NULL);
  CHECK(!bullets_free(handles[1]));

  CHECK_EQ(bullets_count(), 3);
  CHECK(tp_dense_verify(&bullets_dense));
}

static void freeing_by_no_handle_says_so_and_changes_nothing(void)
{
  shoot();

  CHECK(!bullets_free(TP_NO_HANDLE));

  CHECK_EQ(bullets_count(), 3);
}

static void freeing_by_a_handle_of_another_pool_faults(void)
{
  tp_handle_t foreign;
  shoot();
  forget(&shells_dense);
  shells_alloc(&foreign);

  CHECK_FAULTS(TP_FAULT_HANDLE_POOL, bullets_free(foreign));
  CHECK_FAULTS(TP_FAULT_HANDLE_POOL, shells_free(handles[0]));
}

static void freeing_by_a_handle_that_was_never_given_faults(void)
{
  shoot();
  uint32_t next_generation = 1u << bullets_dense.bits;

  CHECK_FAULTS(TP_FAULT_HANDLE_POOL,
               bullets_free(handles[0] + next_generation));
  CHECK_RECORD(bullets_dense.name, NULL, handles[0] + next_generation,
               handles[0]);
  CHECK_FAULTS(TP_FAULT_HANDLE_POOL, bullets_free(handles[2] + 1));
  CHECK_RECORD(bullets_dense.name, NULL, handles[2] + 1, TP_NO_HANDLE);
  bullets_free(handles[0]);
  CHECK_FAULTS(TP_FAULT_HANDLE_POOL,
               bullets_free(handles[0] + next_generation));
  CHECK_FAULTS(TP_FAULT_HANDLE_POOL,
               bullets_free(handles[0] - next_generation));
}

// As if the number of handles[0] had been used until its generation wraps next.
static void wear(void)
{
  uint32_t *place = &bullets_dense.place[1], before = *place;
  *place |= 0u - (1u << bullets_dense.bits);
  bullets_dense.state->frees += (*place - before) >> bullets_dense.bits;
}

static void a_handle_from_before_its_generation_wrapped_is_stale(void)
{
  shoot();
  wear();
  tp_handle_t last = bullets_handle(0);
  CHECK(bullets_free(last));

  CHECK(!bullets_free(last));
  bullets_alloc(NULL);
  CHECK(!bullets_free(last));

  CHECK_EQ(bullets_count(), 3);
  CHECK(tp_dense_verify(&bullets_dense));
}

static void until_a_generation_wraps_no_handle_was_given_that_never_was(void)
{
  shoot();
  wear();
  tp_handle_t next = handles[1] + (1u << bullets_dense.bits);
  CHECK_EQ(bullets_dense.state->frees, UINT32_MAX >> bullets_dense.bits);
  CHECK_FAULTS(TP_FAULT_HANDLE_POOL, bullets_free(next));
  CHECK(bullets_free(bullets_handle(0)));
  CHECK(!bullets_free(next));
}

static void of_a_number_never_taken_none_was_given_though_one_wrapped(void)
{
  shoot();
  wear();
  CHECK(bullets_free(bullets_handle(0)));
  CHECK_FAULTS(TP_FAULT_HANDLE_POOL, bullets_free(handles[2] + 1));
  CHECK_RECORD(bullets_dense.name, NULL, handles[2] + 1, TP_NO_HANDLE);
  CHECK_FAULTS(TP_FAULT_HANDLE_POOL, bullets_free(BULLETS));
}

// The count goes on with the least that says that one may have wrapped.
static void a_handle_is_stale_once_more_was_freed_than_is_counted(void)
{
  struct tp_stats stats;
  shoot();
  wear();
  bullets_dense.state->frees = UINT32_MAX;
  tp_handle_t last = bullets_handle(0);
  CHECK(bullets_free(last));

  CHECK_EQ(bullets_dense.state->frees, 1u << (32 - bullets_dense.bits));
  CHECK(!bullets_free(last));
  bullets_alloc(NULL);
  CHECK(!bullets_free(last));

  tp_dense_stats(&bullets_dense, &stats);
  CHECK_EQ(stats.allocs - stats.frees, 3);
  CHECK(tp_dense_verify(&bullets_dense));
}

static void an_index_past_the_last_object_faults(void)
{
  shoot();

  CHECK_FAULTS(TP_FAULT_FOREIGN, bullets_at(3));
  CHECK_FAULTS(TP_FAULT_FOREIGN, bullets_handle(3));

  CHECK_RECORD(bullets_dense.name, NULL, 3, 3);
  CHECK_FAULTS(TP_FAULT_FOREIGN, bullets_at(5));
  CHECK_RECORD(bullets_dense.name, NULL, 5, 3);
}

static void a_full_asserting_dense_pool_faults(void)
{
  forget(&shells_dense);
  for (uint32_t i = 0; i < 3; i++) shells_alloc(NULL);

  CHECK_FAULTS(TP_FAULT_FULL, shells_alloc(NULL));

  CHECK_RECORD(shells_dense.name, NULL, 4, 3);
  CHECK_EQ(shells_count(), 3);
}

static void a_write_past_the_last_object_is_found_by_the_next_request(void)
{
  for (uint32_t bit = 0; bit < 96; bit++) {
    shoot();
    tp_word_t *dead = (tp_word_t *)bullets_at(2);
    bullets_free(handles[0]);
    dead[bit / 32] ^= 1u << bit % 32;
    CHECK(!tp_dense_verify(&bullets_dense));

    CHECK_FAULTS(TP_FAULT_POISON, bullets_alloc(NULL));

    CHECK_RECORD(bullets_dense.name, dead + bit / 32,
                 TP_POISON ^ 1u << bit % 32, TP_POISON);
  }
}

static void a_new_object_holds_the_pattern_for_new_ones(void)
{
  shoot();
  bullets_free(handles[2]);

  struct bullet *bullet = bullets_alloc(NULL);

  CHECK_EQ(bullet->id, TP_POISON_NEW);
  CHECK_EQ(bullet->words[1], TP_POISON_NEW);
}

static void a_count_that_leads_out_of_the_pool_faults(void)
{
  struct tp_dense_state *state = bullets_dense.state;
  shoot();
  state->fresh ^= 0x4000;
  CHECK_FAULTS(TP_FAULT_INVARIANT, bullets_alloc(NULL));
  CHECK_RECORD(bullets_dense.name, &state->fresh, state->fresh, BULLETS);
  shoot();
  state->count ^= 0x4000;
  CHECK_FAULTS(TP_FAULT_INVARIANT, bullets_alloc(NULL));
  CHECK_RECORD(bullets_dense.name, &state->count, state->count, 3);
  CHECK_FAULTS(TP_FAULT_INVARIANT, bullets_at(0));
  CHECK_FAULTS(TP_FAULT_INVARIANT, bullets_handle(0));
  CHECK_FAULTS(TP_FAULT_INVARIANT, bullets_free(handles[0]));
  CHECK_RECORD(bullets_dense.name, &state->count, state->count, 3);
}

static void a_walk_that_leads_out_of_the_objects_faults(void)
{
  tp_handle_t handle;
  struct tp_dense_state *state = bullets_dense.state;
  shoot();
  state->seen ^= 8;
  CHECK_FAULTS(TP_FAULT_INVARIANT, bullets_next(&handle));
  CHECK_RECORD(bullets_dense.name, &state->seen, 8, 0);
  CHECK_FAULTS(TP_FAULT_INVARIANT, bullets_free(handles[0]));
  CHECK_RECORD(bullets_dense.name, &state->seen, 8, 0);
  shoot();
  state->old ^= 8;
  CHECK_FAULTS(TP_FAULT_INVARIANT, bullets_next(&handle));
  CHECK_RECORD(bullets_dense.name, &state->old, 8, 3);
}

static void a_count_that_makes_a_pool_look_full_is_no_refusal(void)
{
  struct tp_dense_state *state = bullets_dense.state;
  shoot();
  state->count = BULLETS;
  CHECK_FAULTS(TP_FAULT_INVARIANT, bullets_alloc(NULL));
  CHECK_RECORD(bullets_dense.name, &state->count, BULLETS, 3);
  CHECK_EQ(state->refused, 0);
}

static void a_count_below_what_a_walk_met_makes_no_index_foreign(void)
{
  struct tp_dense_state *state = bullets_dense.state;
  tp_handle_t handle;
  shoot();
  bullets_first(&handle);
  state->count = 0;
  CHECK_FAULTS(TP_FAULT_INVARIANT, bullets_at(0));
  CHECK_RECORD(bullets_dense.name, &state->old, 3, 0);
  CHECK_FAULTS(TP_FAULT_INVARIANT, bullets_handle(0));
  CHECK_RECORD(bullets_dense.name, &state->old, 3, 0);
}

static void a_reset_looks_at_how_far_a_walk_is_before_it_ends_that(void)
{
  struct tp_dense_state *state = bullets_dense.state;
  shoot();
  state->seen = 1;
  CHECK_FAULTS(TP_FAULT_INVARIANT, tp_dense_reset(&bullets_dense));
  CHECK_RECORD(bullets_dense.name, &state->seen, 1, 0);
  shoot();
  state->old = 4;
  CHECK_FAULTS(TP_FAULT_INVARIANT, tp_dense_reset(&bullets_dense));
  CHECK_RECORD(bullets_dense.name, &state->old, 4, 3);
}

static void a_walk_looks_at_how_far_the_last_one_is_before_it_begins(void)
{
  struct tp_dense_state *state = bullets_dense.state;
  tp_handle_t handle;
  shoot();
  state->seen = 1;
  CHECK_FAULTS(TP_FAULT_INVARIANT, tp_dense_first(&bullets_dense, &handle));
  CHECK_RECORD(bullets_dense.name, &state->seen, 1, 0);
  shoot();
  state->old = 4;
  CHECK_FAULTS(TP_FAULT_INVARIANT, tp_dense_first(&bullets_dense, &handle));
  CHECK_RECORD(bullets_dense.name, &state->old, 4, 3);
}

static void an_entry_that_does_not_lead_back_faults(void)
{
  for (uint32_t bit = 0; bit < 16; bit++) {
    shoot();
    bullets_dense.entry[1] ^= (tp_slot_t)(1u << bit);
    CHECK_FAULTS(TP_FAULT_INVARIANT, bullets_handle(1));
    const tp_slot_t *entry = &bullets_dense.entry[1];
    CHECK_RECORD(bullets_dense.name, entry, *entry, 0);
  }
}

// The place of who was never taken is 0, and so leads to index 0.
static void an_entry_that_was_never_taken_faults(void)
{
  shoot();
  bullets_dense.entry[0] = 4;
  CHECK_FAULTS(TP_FAULT_INVARIANT, bullets_handle(0));
  CHECK_RECORD(bullets_dense.name, &bullets_dense.entry[0], 4, 0);
}

static void a_place_that_was_written_over_faults(void)
{
  shoot();
  bullets_dense.place[2] ^= 1;
  const tp_slot_t *entry = &bullets_dense.entry[AUDITED ? 1 : 0];
  uint32_t wanted = AUDITED ? 0 : 2;
  CHECK_FAULTS(TP_FAULT_INVARIANT, bullets_get(handles[1]));
  CHECK_RECORD(bullets_dense.name, entry, *entry, wanted);
  CHECK_FAULTS(TP_FAULT_INVARIANT, bullets_free(handles[1]));
  CHECK_RECORD(bullets_dense.name, entry, *entry, wanted);
}

static void a_handle_that_a_flipped_generation_made_stale_does_not_verify(void)
{
  for (uint32_t bit = bullets_dense.bits; bit < 32; bit++) {
    shoot();
    bullets_dense.place[1] ^= 1u << bit;
    if (AUDITED) {
      CHECK_FAULTS(TP_FAULT_INVARIANT, bullets_get(handles[0]));
    } else {
      CHECK(!bullets_get(handles[0]));
    }
    CHECK(!tp_dense_verify(&bullets_dense));
  }
  shoot();
  bullets_dense.place[0] ^= 1u << 31;
  CHECK(!tp_dense_verify(&bullets_dense));
  bullets_dense.place[0] ^= 1u << 31;
}

static void a_count_raised_to_where_objects_were_faults(void)
{
  for (uint16_t count = 1; count <= 3; count++) {
    shoot();
    for (uint32_t i = 0; i < 3; i++) bullets_free(handles[i]);
    bullets_dense.state->count = count;
    CHECK(!tp_dense_verify(&bullets_dense));
    CHECK_FAULTS(TP_FAULT_INVARIANT, bullets_get(handles[0]));
    CHECK_RECORD(bullets_dense.name, bullets_dense.state, TP_BROKEN_OTHER,
                 TP_SOUND);
  }
}

static void a_count_above_what_bounds_it_does_not_verify(void)
{
  struct tp_dense_state *state = bullets_dense.state;
  shoot();
  state->seen = 1;
  CHECK(!tp_dense_verify(&bullets_dense));
  state->old = 3;
  CHECK(tp_dense_verify(&bullets_dense));
  state->old = 4;
  CHECK(!tp_dense_verify(&bullets_dense));
  shoot();
  state->count = 4;
  if (AUDITED) bullets_dense.place[0] += 0x10000;
  CHECK(!tp_dense_verify(&bullets_dense));
  forget(&bullets_dense);
}

void suite_misuse(void)
{
  RUN(a_full_asserting_dense_pool_faults);
  RUN(a_count_above_what_bounds_it_does_not_verify);
  if (TP_CHECKS < TP_CHECKS_FAST) return;
  RUN(freeing_by_a_stale_handle_says_so_and_changes_nothing);
  RUN(freeing_by_no_handle_says_so_and_changes_nothing);
  RUN(freeing_by_a_handle_of_another_pool_faults);
  RUN(freeing_by_a_handle_that_was_never_given_faults);
  RUN(a_handle_from_before_its_generation_wrapped_is_stale);
  RUN(until_a_generation_wraps_no_handle_was_given_that_never_was);
  RUN(of_a_number_never_taken_none_was_given_though_one_wrapped);
  RUN(a_handle_is_stale_once_more_was_freed_than_is_counted);
  RUN(an_index_past_the_last_object_faults);
  RUN(a_count_that_leads_out_of_the_pool_faults);
  RUN(a_walk_that_leads_out_of_the_objects_faults);
  RUN(a_count_that_makes_a_pool_look_full_is_no_refusal);
  RUN(a_count_below_what_a_walk_met_makes_no_index_foreign);
  RUN(a_reset_looks_at_how_far_a_walk_is_before_it_ends_that);
  RUN(a_walk_looks_at_how_far_the_last_one_is_before_it_begins);
  RUN(an_entry_that_does_not_lead_back_faults);
  RUN(an_entry_that_was_never_taken_faults);
  RUN(a_place_that_was_written_over_faults);
  RUN(a_handle_that_a_flipped_generation_made_stale_does_not_verify);
  if (AUDITED) RUN(a_count_raised_to_where_objects_were_faults);
  if (TP_CHECKS < TP_CHECKS_POISON) return;
  RUN(a_write_past_the_last_object_is_found_by_the_next_request);
  RUN(a_new_object_holds_the_pattern_for_new_ones);
}
