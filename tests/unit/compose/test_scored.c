// SPDX-License-Identifier: MIT
// Objects that are made with a score, a handle or both, in one call.
#include "compose.h"

static struct voice *sing(uint32_t loudness, voices_handle_t *handle)
{
  return voices_create_scored(&loudness, loudness, handle);
}

static void fill(void)
{
  voices_handle_t handle;
  compose_start();
  for (uint32_t i = 0; i < 4; i++) sing(40 - i * 10, &handle);
}

static void an_object_is_made_with_its_score_and_its_handle(void)
{
  voices_handle_t handle = VOICES_NO_HANDLE;
  fill();

  struct voice *voice = sing(11, &handle);

  CHECK(voice && voice == hooks.died);
  CHECK_EQ(hooks.loudness, 10);
  CHECK(voices_get(handle) == voice);
  CHECK(voices_same(handle, voices_handle(voice)));
}

static void an_object_below_all_is_refused_before_its_init(void)
{
  voices_handle_t handle = {1};
  fill();

  CHECK(!sing(9, &handle));

  CHECK_EQ(handle.bits, TP_NO_HANDLE);
  CHECK_EQ(hooks.inits, 4);
  CHECK_EQ(hooks.deinits, 0);
  CHECK_EQ(voices_pool.state->refused_by_rule, 1);
}

static void without_a_score_an_object_matters_most(void)
{
  uint32_t loudness = 0;
  voices_handle_t handle = VOICES_NO_HANDLE;
  fill();

  CHECK(voices_create(&loudness) == hooks.died);
  struct voice *voice = voices_create_handle(&loudness, &handle);
  CHECK(voice && voices_get(handle) == voice);
  CHECK(voices_alloc_handle(&handle) == voice);
  CHECK_EQ(hooks.deinits, 3);
}

static void without_a_score_even_the_highest_score_makes_room(void)
{
  uint32_t loudest = UINT32_MAX;
  compose_start();
  for (uint32_t i = 0; i < 4; i++) CHECK(voices_create(&loudest));

  CHECK(voices_create(&loudest));

  CHECK_EQ(hooks.deinits, 1);
  CHECK_EQ(voices_pool.state->refused_by_rule, 0);
}

static void an_object_that_init_cannot_make_has_no_handle(void)
{
  voices_handle_t handle = {1};
  compose_start();
  hooks.fails = true;

  CHECK(!sing(9, &handle));
  CHECK_EQ(handle.bits, TP_NO_HANDLE);
  handle.bits = 1;
  CHECK(!voices_create_handle(NULL, &handle));
  CHECK_EQ(handle.bits, TP_NO_HANDLE);

  CHECK_EQ(hooks.inits, 2);
  CHECK_EQ(hooks.deinits, 0);
  CHECK_EQ(tp_pool_live(&voices_pool), 0);
}

static void a_slot_is_had_with_its_score_and_its_handle(void)
{
  voices_handle_t handle = {1};
  fill();

  CHECK(!voices_alloc_scored(9, &handle));
  CHECK_EQ(handle.bits, TP_NO_HANDLE);
  struct voice *voice = voices_alloc_scored(10, &handle);
  CHECK(voice && voices_get(handle) == voice);
}

static void handles_of_64_bits_come_with_a_score_too(void)
{
  tracks_handle_t handle = {1};
  compose_start();
  for (uint32_t i = 0; i < 4; i++) {
    uint32_t loudness = 40 - i * 10;
    struct voice *voice = tracks_create_scored(&loudness, loudness, &handle);
    CHECK(voice && tracks_get(handle) == voice);
  }

  CHECK(!tracks_create_scored(NULL, 9, &handle));
  CHECK(handle.bits == TP_NO_HANDLE);
  CHECK(!tracks_alloc_scored(9, &handle));
  CHECK(handle.bits == TP_NO_HANDLE);
  struct voice *voice = tracks_alloc_scored(10, &handle);
  CHECK(voice && tracks_get(handle) == voice);
  voice->loudness = 50;
  voice = tracks_create_handle(NULL, &handle);
  CHECK(voice && tracks_get(handle) == voice);
}

static void a_score_is_enough_where_there_are_no_handles(void)
{
  compose_start();
  for (uint32_t i = 0; i < 4; i++) {
    struct voice *voice = mutes_create_scored(NULL, 10 + i);
    CHECK(voice);
    *voice = (struct voice){.loudness = 10 + i};
  }

  CHECK(!mutes_create_scored(NULL, 9));
  CHECK(mutes_create_scored(NULL, 10) == hooks.died);
}

// At off the list's word is an address, which may look like the tag of one that
// lives.
static void what_the_list_s_word_says_is_no_handle_of_an_object(void)
{
  voices_handle_t handle = {1u << voices_pool.handle_bits};
  compose_start();
  uint32_t word = voices_pool.tag[0];
  voices_pool.tag[0] = 0x80000001u;

  CHECK(!voices_destroy_handle(handle));

  CHECK_EQ(hooks.deinits, 0);
  voices_pool.tag[0] = word;
}

void suite_scored(void)
{
  RUN(an_object_is_made_with_its_score_and_its_handle);
  RUN(an_object_below_all_is_refused_before_its_init);
  RUN(without_a_score_an_object_matters_most);
  RUN(without_a_score_even_the_highest_score_makes_room);
  RUN(an_object_that_init_cannot_make_has_no_handle);
  RUN(a_slot_is_had_with_its_score_and_its_handle);
  RUN(handles_of_64_bits_come_with_a_score_too);
  RUN(a_score_is_enough_where_there_are_no_handles);
  RUN(what_the_list_s_word_says_is_no_handle_of_an_object);
}
