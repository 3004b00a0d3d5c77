// SPDX-License-Identifier: MIT
#include "unit.h"

#include "core/tp_shape.h"

static void a_handle_resolves_to_its_object(void)
{
  tp_test_forget(&ticks_pool);
  struct note *note = ticks_alloc();

  ticks_handle_t handle = ticks_handle(note);

  CHECK(handle.bits != TP_NO_HANDLE);
  CHECK(ticks_get(handle) == note);
}

static void what_has_handles_is_freed_by_address_once_at_any_level(void)
{
  tp_test_forget(&vault_pool);
  struct note *note = vault_alloc(), other;
  vault_free(note);

  CHECK_FAULTS(TP_FAULT_DOUBLE_FREE, vault_free(note));
  CHECK_FAULTS(TP_FAULT_FOREIGN, vault_free(&other));
}

static void no_handle_resolves_to_nothing(void)
{
  tp_test_forget(&ticks_pool);
  ticks_alloc();

  CHECK(ticks_get(TICKS_NO_HANDLE) == NULL);
  CHECK(!ticks_free_handle(TICKS_NO_HANDLE));
}

static void a_handle_is_stale_after_its_object_was_freed_and_for_ever(void)
{
  tp_test_forget(&ticks_pool);
  struct note *note = ticks_alloc();
  ticks_handle_t handle = ticks_handle(note);
  CHECK(ticks_free_handle(handle));

  for (uint32_t i = 0; i < 1000; i++) {
    CHECK(ticks_get(handle) == NULL);
    CHECK(!ticks_free_handle(handle));
    note = ticks_alloc();
    CHECK(ticks_get(handle) == NULL);
    CHECK(!ticks_free_handle(handle));
    CHECK(ticks_free_handle(ticks_handle(note)));
  }
}

static void a_handle_is_stale_once_its_object_was_stolen(void)
{
  tp_test_forget(&ticks_pool);
  struct note *first = ticks_alloc();
  ticks_handle_t old = ticks_handle(first);
  for (uint32_t i = 0; i < 3; i++) ticks_alloc();

  struct note *thief = ticks_alloc();

  CHECK(thief == first);
  CHECK(ticks_get(old) == NULL);
  CHECK(!ticks_free_handle(old));
  CHECK(ticks_get(ticks_handle(thief)) == thief);
}

static void what_is_no_live_object_has_no_handle(void)
{
  tp_test_forget(&ticks_pool);
  struct note *note = ticks_alloc();
  CHECK(ticks_free_handle(ticks_handle(note)));

  CHECK_EQ(ticks_handle(note).bits, TP_NO_HANDLE);
  CHECK_EQ(ticks_handle(NULL).bits, TP_NO_HANDLE);
  CHECK_EQ(ticks_handle((struct note *)((char *)note + 4)).bits, TP_NO_HANDLE);
  CHECK_EQ(tp_handle_of(&ticks_pool, crates_pool.storage), TP_NO_HANDLE);
}

static void a_handle_with_an_impossible_slot_resolves_to_nothing(void)
{
  tp_test_forget(&ticks_pool);
  ticks_alloc();

  for (uint32_t slot = 2; slot < 8; slot++) {
    ticks_handle_t handle = {1u << ticks_pool.handle_bits | slot};
    CHECK(ticks_get(handle) == NULL);
  }
}

static void generations_survive_their_own_wrap(void)
{
  tp_test_forget(&ticks_pool);
  struct note *note = ticks_alloc();
  CHECK(ticks_free_handle(ticks_handle(note)));
  tp_test_set_tag(&ticks_pool, 1, 0x7fffffff);  // The last life but none.

  note = ticks_alloc();

  CHECK(note != NULL);
  CHECK(ticks_get(ticks_handle(note)) == note);
  CHECK(tp_pool_verify(&ticks_pool, NULL));
}

static void a_handle_of_64_bits_is_stale_after_its_object_and_for_ever(void)
{
  tp_test_forget(&vault_pool);
  struct note *note = vault_alloc();
  vault_handle_t handle = vault_handle(note);
  CHECK(handle.bits != TP_NO_HANDLE);
  CHECK(vault_get(handle) == note);

  CHECK(vault_free_handle(handle));

  for (uint32_t i = 0; i < 1000; i++) {
    CHECK(vault_get(handle) == NULL);
    CHECK(!vault_free_handle(handle));
    note = vault_alloc();
    CHECK(vault_get(handle) == NULL);
    CHECK(vault_free_handle(vault_handle(note)));
  }
}

static void no_bits_make_a_handle_of_64_that_was_never_given(void)
{
  tp_test_forget(&vault_pool);
  vault_handle_t handle = vault_handle(vault_alloc());

  for (uint32_t bit = 0; bit < 64; bit++) {
    vault_handle_t other = {handle.bits ^ (tp_handle64_t)1 << bit};
    CHECK(vault_get(other) == NULL);
  }
}

static void no_bits_make_a_handle_of_32_that_was_never_given(void)
{
  tp_test_forget(&ticks_pool);
  ticks_handle_t handle = ticks_handle(ticks_alloc());

  for (uint32_t bit = 0; bit < 32; bit++) {
    ticks_handle_t other = {handle.bits ^ 1u << bit};
    CHECK(ticks_get(other) == NULL);
  }
}

static void an_object_comes_with_its_handle(void)
{
  tp_test_forget(&ticks_pool);
  tp_test_forget(&vault_pool);
  ticks_handle_t handle;
  vault_handle_t wide;

  for (uint32_t i = 0; i < 12; i++) {
    struct note *note = ticks_alloc_handle(&handle);
    CHECK(note != NULL);
    CHECK(ticks_same(handle, ticks_handle(note)));
    CHECK(ticks_get(handle) == note);
  }
  struct note *note = vault_alloc_handle(&wide);
  CHECK(vault_same(wide, vault_handle(note)));
  CHECK(vault_get(wide) == note);
}

static void a_refused_request_gives_no_handle(void)
{
  tp_test_forget(&vault_pool);
  vault_handle_t handle;
  for (uint32_t i = 0; i < 4; i++) CHECK(vault_alloc_handle(&handle) != NULL);

  CHECK(vault_alloc_handle(&handle) == NULL);

  CHECK(vault_same(handle, VAULT_NO_HANDLE));
}

// Of slots that died, which a quick call takes from the list.
static void let_all_die(void)
{
  struct note *note[4];
  tp_test_forget(&vault_pool);
  for (uint32_t i = 0; i < 4; i++) note[i] = vault_alloc();
  for (uint32_t i = 0; i < 4; i++) vault_free(note[i]);
}

static void slots_that_died_are_issued_once_each_with_their_handles(void)
{
  struct note *note[4];
  tp_handle_t handle[5];
  let_all_die();

  for (uint32_t i = 0; i < 4; i++) {
    note[i] = tp_handle_alloc(&vault_pool, &handle[i]);
    CHECK(note[i] != NULL);
    CHECK_EQ(tp_pool_live(&vault_pool), i + 1);
    for (uint32_t k = 0; k <= i; k++) {
      CHECK(tp_handle_get(&vault_pool, handle[k]) == note[k]);
      CHECK_EQ(note[k] == note[i], k == i);
    }
  }
  CHECK(tp_handle_alloc(&vault_pool, &handle[4]) == NULL);
  CHECK_EQ(handle[4], TP_NO_HANDLE);
  for (uint32_t i = 0; i < 4; i++) {
    CHECK(tp_handle_free(&vault_pool, handle[i]));
    CHECK(!tp_handle_free(&vault_pool, handle[i]));
    CHECK_EQ(tp_pool_live(&vault_pool), 3 - i);
  }
}

static void slots_that_died_are_issued_once_each_with_wide_handles(void)
{
  struct note *note[4];
  vault_handle_t handle[5];
  let_all_die();

  for (uint32_t i = 0; i < 4; i++) {
    note[i] = vault_alloc_handle(&handle[i]);
    CHECK(note[i] != NULL);
    CHECK_EQ(tp_pool_live(&vault_pool), i + 1);
    for (uint32_t k = 0; k <= i; k++) {
      CHECK(vault_get(handle[k]) == note[k]);
      CHECK_EQ(note[k] == note[i], k == i);
    }
  }
  CHECK(vault_alloc_handle(&handle[4]) == NULL);
  for (uint32_t i = 0; i < 4; i++) {
    CHECK(vault_free_handle(handle[i]));
    CHECK(!vault_free_handle(handle[i]));
    CHECK_EQ(tp_pool_live(&vault_pool), 3 - i);
  }
}

// What lies behind the last slot is another's, whatever its tag says.
static void a_handle_of_a_slot_past_the_last_resolves_to_nothing(void)
{
  struct tp_pool less = vault_pool;
  tp_handle_t handle;
  void *last = NULL;
  less.capacity = 3;
  less.gate = TP_GATE(less.stride, TP_TAGGED(3));
  tp_test_forget(&vault_pool);
  for (uint32_t i = 0; i < 4; i++) last = tp_handle_alloc(&vault_pool, &handle);
  tp_handle64_t wide = tp_handle64_of(&vault_pool, last);
  CHECK(tp_handle_get(&vault_pool, handle) == last);
  CHECK(tp_handle_get(&less, handle) == NULL);
  CHECK(!tp_handle_free(&less, handle));
  CHECK_EQ(tp_handle_of(&less, last), TP_NO_HANDLE);
  CHECK(tp_handle64_get(&less, wide) == NULL);
  CHECK(!tp_handle64_free(&less, wide));
}

// The list word stands where the tag of slot 0 would.
static void a_handle_of_slot_0_is_none_though_the_list_word_looks_like_its_tag(
    void)
{
  tp_test_forget(&vault_pool);
  vault_pool.tag[0] = 0x80000005u;
  tp_handle_t handle = 5u << vault_pool.handle_bits;
  CHECK(tp_handle_get(&vault_pool, handle) == NULL);
  CHECK(!tp_handle_free(&vault_pool, handle));
  CHECK(!tp_handle_pin(&vault_pool, handle));
  tp_handle64_t wide = (tp_handle64_t)0x80000005u << 16;
  CHECK(tp_handle64_get(&vault_pool, wide) == NULL);
  vault_pool.tag[0] = 0;
  CHECK(tp_handle64_get(&vault_pool, wide) == NULL);
  CHECK(tp_handle64_get(&vault_pool, TP_NO_HANDLE) == NULL);
  vault_pool.tag[0] = 0x80000005u;
  CHECK(!tp_handle64_free(&vault_pool, wide));
  CHECK_EQ(vault_pool.tag[0], 0x80000005u);
}

void suite_handles(void)
{
  RUN(slots_that_died_are_issued_once_each_with_their_handles);
  RUN(slots_that_died_are_issued_once_each_with_wide_handles);
  RUN(a_handle_of_a_slot_past_the_last_resolves_to_nothing);
  RUN(a_handle_of_slot_0_is_none_though_the_list_word_looks_like_its_tag);
  RUN(an_object_comes_with_its_handle);
  RUN(a_refused_request_gives_no_handle);
  RUN(a_handle_of_64_bits_is_stale_after_its_object_and_for_ever);
  RUN(no_bits_make_a_handle_of_64_that_was_never_given);
  RUN(no_bits_make_a_handle_of_32_that_was_never_given);
  RUN(a_handle_resolves_to_its_object);
  RUN(what_has_handles_is_freed_by_address_once_at_any_level);
  RUN(no_handle_resolves_to_nothing);
  RUN(a_handle_is_stale_after_its_object_was_freed_and_for_ever);
  RUN(a_handle_is_stale_once_its_object_was_stolen);
  RUN(what_is_no_live_object_has_no_handle);
  RUN(a_handle_with_an_impossible_slot_resolves_to_nothing);
  RUN(generations_survive_their_own_wrap);
}
