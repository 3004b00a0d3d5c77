// SPDX-License-Identifier: MIT
#include "unit.h"

#include "tp_port.h"

static struct crate *taken[5];

static void every_slot_is_distinct_aligned_and_inside_its_storage(void)
{
  const struct tp_pool *pool = &crates_pool;
  uintptr_t start = (uintptr_t)pool->storage;
  tp_test_forget(pool);

  for (uint32_t i = 0; i < 5; i++) taken[i] = crates_alloc();

  for (uint32_t i = 0; i < 5; i++) {
    uintptr_t address = (uintptr_t)taken[i];
    CHECK(address >= start);
    CHECK(address + sizeof(struct crate) <= start + 5u * pool->stride);
    CHECK_EQ(address % 4, 0);
    for (uint32_t j = 0; j < i; j++) {
      CHECK(taken[i] >= taken[j] + 1 || taken[j] >= taken[i] + 1);
    }
  }
}

static void wide_slots_keep_their_alignment(void)
{
  tp_test_forget(&wide_pool);

  for (uint32_t i = 0; i < 3; i++) {
    CHECK_EQ((uintptr_t)wide_alloc() % 64, 0);
  }

  CHECK(wide_alloc() == NULL);
}

static void zeroed_memory_is_a_pool_with_every_slot_available(void)
{
  tp_test_forget(&crates_pool);

  for (uint32_t i = 0; i < 5; i++) CHECK(crates_alloc() != NULL);

  CHECK(crates_alloc() == NULL);
}

static void the_first_use_of_a_slot_touches_no_other_slot(void)
{
  const struct tp_pool *pool = &crates_pool;
  tp_test_forget(pool);
  tp_word_t *second = pool->storage + pool->stride / 4;
  for (uint32_t i = 0; i < 3; i++) second[i] = 0xabcd0000u + i;

  CHECK(crates_alloc() != NULL);

  for (uint32_t i = 0; i < 3; i++) CHECK_EQ(second[i], 0xabcd0000u + i);
}

static void marks(tp_word_t *word, bool fresh)
{
  uint32_t words = 5u * crates_pool.stride / 4;
  for (uint32_t i = 0; i < words; i++) {
    if (fresh) word[i] = 0xabcd0000u + i;
    CHECK_EQ(word[i], 0xabcd0000u + i);
  }
}

// A link on every slot, or a pattern in it, would be written at start-up by
// whoever wants one. Below poison not even the slot that is issued is touched.
static void the_first_use_of_a_pool_touches_no_slot_memory(void)
{
  tp_test_forget(&crates_pool);
  marks(crates_pool.storage, true);

  for (uint32_t i = 0; i < 5; i++) taken[i] = crates_alloc();

  marks(crates_pool.storage, false);
  CHECK(taken[4] != NULL);
}

static void shuffle(void)
{
  for (uint32_t i = 4; i > 0; i--) {
    uint32_t j = (uint32_t)((uint64_t)tp_test_random() * (i + 1) >> 32);
    struct crate *other = taken[j];
    taken[j] = taken[i];
    taken[i] = other;
  }
}

// Each crate is where no other is: its bytes say which one it is.
static void take_all(void)
{
  for (uint32_t i = 0; i < 5; i++) {
    taken[i] = crates_alloc();
    CHECK(taken[i] != NULL);
    *taken[i] = (struct crate){{i, i, i}};
  }
  CHECK(crates_alloc() == NULL);
  for (uint32_t i = 0; i < 5; i++) {
    CHECK_EQ(taken[i]->word[0] + taken[i]->word[1] + taken[i]->word[2], 3 * i);
  }
}

static void all_slots_are_taken_and_given_back_a_million_times(void)
{
  tp_test_forget(&crates_pool);
  tp_test_seed(31);
  for (uint32_t round = 0; round < 1000000 / 5; round++) {
    take_all();
    shuffle();
    for (uint32_t i = 0; i < 5; i++) crates_free(taken[i]);
    if (round % 1000 == 0) CHECK(tp_pool_verify(&crates_pool, NULL));
  }
  CHECK(tp_pool_verify(&crates_pool, NULL));
  CHECK_EQ(crates_pool.state->fresh, 5);
}

static void used_and_free_slots_add_up_to_all_of_them(void)
{
  tp_test_forget(&crates_pool);
  tp_test_seed(37);
  for (uint32_t i = 0; i < 5; i++) taken[i] = NULL;
  for (uint32_t step = 0; step < 10000; step++) {
    struct crate **crate = &taken[tp_test_random() % 5];
    if (*crate) crates_free(*crate);
    *crate = *crate ? NULL : crates_alloc();
    uint32_t used = 0;
    for (uint32_t i = 0; i < 5; i++) used += taken[i] != NULL;
    uint32_t available = 0;
    struct crate *probe[5];
    while (available < 5 && (probe[available] = crates_alloc())) available++;
    for (uint32_t i = available; i > 0; i--) crates_free(probe[i - 1]);
    CHECK_EQ(used + available, 5);
  }
}

static void the_slot_freed_last_is_issued_next(void)
{
  tp_test_forget(&crates_pool);
  struct crate *first = crates_alloc();
  struct crate *second = crates_alloc();

  crates_free(first);
  crates_free(second);

  CHECK(crates_alloc() == second);
  CHECK(crates_alloc() == first);
}

static void freed_slots_are_issued_before_fresh_ones(void)
{
  tp_test_forget(&crates_pool);
  struct crate *first = crates_alloc();
  crates_free(first);

  CHECK(crates_alloc() == first);

  CHECK_EQ(crates_pool.state->fresh, 1);
}

static void a_pool_compiled_for_itself_behaves_like_the_shared_one(void)
{
  tp_test_forget(&crates_pool);
  tp_test_forget(&quick_pool);
  struct crate *shared[5] = {0};
  struct crate *own[5] = {0};
  tp_test_seed(11);

  for (uint32_t step = 0; step < 2000; step++) {
    uint32_t i = tp_test_random() % 5;
    if (shared[i]) {
      crates_free(shared[i]);
      quick_free(own[i]);
      shared[i] = own[i] = NULL;
    } else {
      shared[i] = crates_alloc();
      own[i] = quick_alloc();
      CHECK_EQ((char *)shared[i] - (char *)crates_pool.storage,
               (char *)own[i] - (char *)quick_pool.storage);
    }
  }
}

static void a_pool_of_one_slot_issues_it_again_and_again(void)
{
  tp_test_forget(&lone_pool);
  struct crate *only = lone_alloc();

  for (uint32_t i = 0; i < 1000; i++) {
    CHECK(lone_alloc() == NULL);
    lone_free(only);
    CHECK(lone_alloc() == only);
  }
}

static void objects_keep_their_bytes_while_others_come_and_go(void)
{
  tp_test_forget(&crates_pool);
  struct crate *kept = crates_alloc();
  struct crate *other = crates_alloc();
  *kept = (struct crate){{1, 2, 3}};

  for (uint32_t i = 0; i < 100; i++) {
    *other = (struct crate){{~0u, ~0u, ~0u}};
    crates_free(other);
    other = crates_alloc();
  }

  CHECK_EQ(kept->word[0], 1);
  CHECK_EQ(kept->word[1], 2);
  CHECK_EQ(kept->word[2], 3);
}

static void every_call_gives_the_lock_back(void)
{
  tp_test_forget(&crates_pool);
  uint32_t before = tp_port_lock();
  tp_port_unlock(before);

  struct crate *crate = crates_alloc();
  crates_free(crate);
  while (crates_alloc()) {
  }

  uint32_t after = tp_port_lock();
  tp_port_unlock(after);
  CHECK_EQ(before, after);
}

static void a_caller_that_locked_stays_locked(void)
{
  tp_test_forget(&crates_pool);
  uint32_t outer = tp_port_lock();
  uint32_t held = tp_port_lock();

  crates_free(crates_alloc());

  uint32_t now = tp_port_lock();
  tp_port_unlock(now);
  tp_port_unlock(held);
  tp_port_unlock(outer);
  CHECK(held != outer);
  CHECK(now != outer);
}

void suite_alloc_and_free(void)
{
  RUN(every_slot_is_distinct_aligned_and_inside_its_storage);
  RUN(wide_slots_keep_their_alignment);
  RUN(zeroed_memory_is_a_pool_with_every_slot_available);
  RUN(the_first_use_of_a_slot_touches_no_other_slot);
  if (TP_CHECKS < TP_CHECKS_POISON) {
    RUN(the_first_use_of_a_pool_touches_no_slot_memory);
  }
  RUN(all_slots_are_taken_and_given_back_a_million_times);
  RUN(used_and_free_slots_add_up_to_all_of_them);
  RUN(the_slot_freed_last_is_issued_next);
  RUN(freed_slots_are_issued_before_fresh_ones);
  RUN(a_pool_compiled_for_itself_behaves_like_the_shared_one);
  RUN(a_pool_of_one_slot_issues_it_again_and_again);
  RUN(objects_keep_their_bytes_while_others_come_and_go);
  RUN(every_call_gives_the_lock_back);
  RUN(a_caller_that_locked_stays_locked);
}
