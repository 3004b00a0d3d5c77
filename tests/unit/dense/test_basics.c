// SPDX-License-Identifier: MIT
#include "dense.h"

#include "object/tp_scene.h"

static tp_handle_t handles[BULLETS];

// Bullets with the ids 0 to count - 1.
static void shoot(uint32_t count)
{
  forget(&bullets_dense);
  for (uint32_t i = 0; i < count; i++) {
    *bullets_alloc(&handles[i]) = (struct bullet){i, {~i, i * i}};
  }
}

static void zeroed_memory_is_an_empty_dense_pool(void)
{
  tp_handle_t handle;
  forget(&bullets_dense);

  CHECK_EQ(bullets_count(), 0);
  CHECK(bullets_first(&handle) == NULL);
  CHECK_EQ(handle, TP_NO_HANDLE);
  CHECK(tp_dense_verify(&bullets_dense));
}

static void objects_are_created_at_the_end(void)
{
  shoot(5);

  CHECK_EQ(bullets_count(), 5);
  for (uint32_t i = 0; i < 5; i++) {
    CHECK_EQ(bullets_at(i)->id, i);
    CHECK(bullets_at(i) == bullets_at(0) + i);
    CHECK_EQ(bullets_handle(i), handles[i]);
  }
}

static void removal_copies_the_last_into_the_hole(void)
{
  shoot(5);
  struct bullet *hole = bullets_at(1);

  bullets_free(handles[1]);

  CHECK_EQ(bullets_count(), 4);
  CHECK_EQ(hole->id, 4);
  CHECK_EQ(hole->words[0], ~4u);
  CHECK_EQ(hole->words[1], 16);
  CHECK(bullets_get(handles[4]) == hole);
  CHECK(bullets_get(handles[1]) == NULL);
}

static void the_hook_is_told_from_where_to_where(void)
{
  shoot(5);
  struct bullet *last = bullets_at(4);

  bullets_free(handles[1]);

  CHECK_EQ(moves, 1);
  CHECK(moved_from == last);
  CHECK(moved_to == bullets_at(1));
  CHECK_EQ(moved_handle, handles[4]);
}

static void removing_the_last_copies_nothing(void)
{
  shoot(5);

  bullets_free(handles[4]);

  CHECK_EQ(moves, 0);
  CHECK_EQ(bullets_count(), 4);
  for (uint32_t i = 0; i < 4; i++) CHECK_EQ(bullets_at(i)->id, i);
}

static void removing_the_only_one_leaves_none(void)
{
  shoot(1);

  bullets_free(handles[0]);

  CHECK_EQ(bullets_count(), 0);
  CHECK_EQ(moves, 0);
  CHECK(tp_dense_verify(&bullets_dense));
}

static void a_full_dense_pool_refuses_and_counts(void)
{
  tp_handle_t handle = 1;
  shoot(BULLETS);

  for (uint32_t i = 0; i < 7; i++) CHECK(bullets_alloc(&handle) == NULL);

  struct tp_stats stats;
  tp_dense_stats(&bullets_dense, &stats);
  CHECK_EQ(handle, TP_NO_HANDLE);
  CHECK_EQ(stats.refused, 7);
  CHECK_EQ(stats.live, BULLETS);
  for (uint32_t i = 0; i < BULLETS; i++) CHECK_EQ(bullets_at(i)->id, i);
}

static void the_peak_outlives_the_objects(void)
{
  struct tp_stats stats;
  shoot(7);
  for (uint32_t i = 0; i < 7; i++) bullets_free(handles[i]);
  bullets_alloc(NULL);

  tp_dense_stats(&bullets_dense, &stats);

  CHECK_EQ(stats.peak, 7);
  CHECK_EQ(stats.live, 1);
  CHECK_EQ(stats.allocs, 8);
  CHECK_EQ(stats.frees, 7);
}

static void a_stale_handle_resolves_to_nothing_for_ever(void)
{
  shoot(3);
  tp_handle_t old = handles[1];
  bullets_free(old);

  for (uint32_t i = 0; i < 1000; i++) {
    CHECK(bullets_get(old) == NULL);
    bullets_alloc(&handles[1]);
    CHECK(bullets_get(old) == NULL);
    CHECK(handles[1] != old);
    bullets_free(handles[1]);
  }
}

static void a_handle_is_its_entry_below_its_generation_plus_the_salt(void)
{
  shoot(2);
  CHECK_EQ(handles[0], bullets_dense.salt | 1);
  CHECK_EQ(handles[1], bullets_dense.salt | 2);
  bullets_free(handles[1]);
  bullets_alloc(&handles[1]);
  uint32_t one = 1u << bullets_dense.bits;
  CHECK_EQ(handles[1], (bullets_dense.salt + one) | 2);
}

static void no_bits_make_a_handle_that_was_never_given(void)
{
  forget(&bullets_dense);
  tp_handle_t handle;
  bullets_alloc(&handle);

  CHECK(bullets_get(TP_NO_HANDLE) == NULL);
  for (uint32_t bit = 0; bit < 32; bit++) {
    CHECK(bullets_get(handle ^ 1u << bit) == NULL);
  }
}

static void a_handle_of_another_dense_pool_resolves_to_nothing(void)
{
  forget(&bullets_dense);
  forget(&shells_dense);
  tp_handle_t mine, foreign;
  bullets_alloc(&mine);
  shells_alloc(&foreign);

  CHECK(bullets_get(foreign) == NULL);
  CHECK(shells_get(mine) == NULL);
}

// After 2^26 lives of an entry here; then handles of its first life hold again.
static void a_generation_that_can_count_no_further_starts_again(void)
{
  shoot(1);
  tp_handle_t first = handles[0];
  bullets_free(first);
  bullets_dense.place[1] |= ~((1u << bullets_dense.bits) - 1);
  bullets_dense.state->frees = UINT32_MAX;
  bullets_alloc(&handles[0]);
  CHECK(bullets_get(handles[0]) == bullets_at(0));
  bullets_free(handles[0]);

  bullets_alloc(&handles[0]);

  CHECK_EQ(handles[0], first);
  CHECK(bullets_get(first) == bullets_at(0));
  CHECK(tp_dense_verify(&bullets_dense));
}

static void clearing_makes_every_handle_stale_and_moves_nothing(void)
{
  shoot(9);

  bullets_reset();

  CHECK_EQ(bullets_count(), 0);
  CHECK_EQ(moves, 0);
  CHECK(tp_dense_verify(&bullets_dense));
  for (uint32_t i = 0; i < 9; i++) bullets_alloc(NULL);
  for (uint32_t i = 0; i < 9; i++) CHECK(bullets_get(handles[i]) == NULL);
}

static void objects_keep_their_alignment_and_every_word_when_they_move(void)
{
  tp_handle_t first;
  forget(&wide_dense);
  CHECK_EQ((uintptr_t)wide_alloc(&first) % 16, 0);
  uint32_t *last = wide_alloc(NULL);
  CHECK_EQ((uintptr_t)last % 16, 0);
  for (uint32_t i = 0; i < 10; i++) last[i] = 100 + i;

  wide_free(first);

  CHECK_EQ((uintptr_t)wide_at(0) % 16, 0);
  for (uint32_t i = 0; i < 10; i++) CHECK_EQ(wide_at(0)[i], 100 + i);
}

static void verify_finds_what_breaks_an_invariant(void)
{
  struct tp_dense_state *state = bullets_dense.state;
  shoot(5);
  state->seen = 1;
  CHECK(!tp_dense_verify(&bullets_dense));
  state->old = 6;
  CHECK(!tp_dense_verify(&bullets_dense));
  shoot(5);
  state->count = 6;
  CHECK(!tp_dense_verify(&bullets_dense));
  shoot(5);
  bullets_dense.entry[2] = 2;
  CHECK(!tp_dense_verify(&bullets_dense));
  shoot(5);
  bullets_dense.entry[2] = 0;
  CHECK(!tp_dense_verify(&bullets_dense));
  shoot(5);
  bullets_dense.place[2]++;
  CHECK(!tp_dense_verify(&bullets_dense));
}

static void the_first_use_of_a_dense_pool_touches_no_other_object(void)
{
  forget(&bullets_dense);
  struct bullet *second = (struct bullet *)bullets_dense.storage + 1;
  *second = (struct bullet){1, {2, 3}};

  bullets_alloc(NULL);

  CHECK_EQ(second->id, 1);
  CHECK_EQ(second->words[0], 2);
  CHECK_EQ(second->words[1], 3);
}

static void verify_finds_entries_and_counts_that_cannot_be(void)
{
  forget(&bullets_dense);
  for (uint32_t i = 0; i < 3; i++) bullets_alloc(NULL);
  CHECK(tp_dense_verify(&bullets_dense));
  for (uint32_t i = 0; i < 3; i++) {
    uint16_t entry = bullets_dense.entry[i];
    bullets_dense.entry[i] = 0;
    CHECK(!tp_dense_verify(&bullets_dense));
    bullets_dense.entry[i] = 4;
    CHECK(!tp_dense_verify(&bullets_dense));
    bullets_dense.entry[i] = entry;
  }
  bullets_dense.state->fresh = BULLETS + 1;
  CHECK(!tp_dense_verify(&bullets_dense));
  bullets_dense.state->fresh = 3;
  CHECK(tp_dense_verify(&bullets_dense));
}

static void what_is_in_use_is_not_closed_for_another_scene(void)
{
  struct tp_dense dense = bullets_dense;
  forget(&bullets_dense);
  tp_handle_t handle;
  bullets_alloc(&handle);
  CHECK(!tp_scene_dense.close(&dense));
  CHECK_EQ(dense.capacity, BULLETS);
  bullets_free(handle);
  CHECK(tp_scene_dense.close(&dense));
  CHECK_EQ(dense.capacity, 0);
  forget(&bullets_dense);
}

static void a_scene_is_told_of_objects_slots_and_bytes(void)
{
  shoot(5);
  bullets_free(handles[2]);
  CHECK_EQ(tp_scene_dense.live(&bullets_dense), 4);
  CHECK_EQ(tp_scene_dense.peak(&bullets_dense), 5);
  CHECK_EQ(tp_scene_dense.bytes(&bullets_dense, 3), 3 * bullets_dense.stride);
  forget(&bullets_dense);
}

// Of a handle from a scene that had more entries, too.
static void a_scene_opens_an_empty_pool_whose_generations_go_on(void)
{
  static tp_word_t memory[2 * sizeof(struct bullet) / sizeof(tp_word_t)];
  struct tp_dense dense = bullets_dense;
  shoot(5);
  bullets_dense.state->seen = bullets_dense.state->old = 2;
  for (uint32_t i = 0; i < 5; i++) bullets_free(handles[i]);
  CHECK(tp_scene_dense.close(&dense));
  tp_scene_dense.open(&dense, memory, 2);
  tp_handle_t handle;
  CHECK(tp_dense_alloc(&dense, &handle) == memory);
  CHECK(handle != handles[0] && tp_dense_get(&dense, handle) == memory);
  CHECK(tp_dense_alloc(&dense, NULL) && !tp_dense_alloc(&dense, NULL));
  for (uint32_t i = 0; i < 5; i++) CHECK(!tp_dense_free(&dense, handles[i]));
  CHECK(tp_dense_verify(&dense));
  forget(&bullets_dense);
}

void suite_basics(void)
{
  RUN(zeroed_memory_is_an_empty_dense_pool);
  RUN(objects_are_created_at_the_end);
  RUN(removal_copies_the_last_into_the_hole);
  RUN(the_hook_is_told_from_where_to_where);
  RUN(removing_the_last_copies_nothing);
  RUN(removing_the_only_one_leaves_none);
  RUN(a_full_dense_pool_refuses_and_counts);
  RUN(the_peak_outlives_the_objects);
  RUN(a_stale_handle_resolves_to_nothing_for_ever);
  RUN(a_handle_is_its_entry_below_its_generation_plus_the_salt);
  RUN(no_bits_make_a_handle_that_was_never_given);
  RUN(a_handle_of_another_dense_pool_resolves_to_nothing);
  RUN(a_generation_that_can_count_no_further_starts_again);
  RUN(clearing_makes_every_handle_stale_and_moves_nothing);
  RUN(objects_keep_their_alignment_and_every_word_when_they_move);
  RUN(verify_finds_what_breaks_an_invariant);
  RUN(verify_finds_entries_and_counts_that_cannot_be);
  RUN(what_is_in_use_is_not_closed_for_another_scene);
  RUN(a_scene_is_told_of_objects_slots_and_bytes);
  RUN(a_scene_opens_an_empty_pool_whose_generations_go_on);
  RUN(the_first_use_of_a_dense_pool_touches_no_other_object);
}
