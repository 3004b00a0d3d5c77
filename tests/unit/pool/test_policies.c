// SPDX-License-Identifier: MIT
#include "unit.h"

struct note *evicted;
uint32_t evictions;
static uint32_t evicted_pitch;
void (*during_eviction)(void);

void note_evicted(struct note *victim)
{
  void (*then)(void) = during_eviction;
  evicted = victim;
  evicted_pitch = victim->pitch;
  evictions++;
  during_eviction = NULL;
  if (then) then();
}

static void start(const struct tp_pool *pool)
{
  tp_test_forget(pool);
  evicted = NULL;
  evictions = 0;
  during_eviction = NULL;
}

static void a_dropping_pool_refuses_and_leaves_live_objects_as_they_were(void)
{
  struct crate *taken[5];
  start(&crates_pool);
  for (uint32_t i = 0; i < 5; i++) {
    taken[i] = crates_alloc();
    taken[i]->word[0] = i;
  }

  for (uint32_t i = 0; i < 100; i++) CHECK(crates_alloc() == NULL);

  for (uint32_t i = 0; i < 5; i++) CHECK_EQ(taken[i]->word[0], i);
  bool counts = TP_CHECKS >= TP_CHECKS_FAST;
  CHECK_EQ(crates_pool.state->overflows, counts ? 100 : 0);
}

static void an_asserting_pool_faults_with_its_name_and_capacity(void)
{
  start(&bosses_pool);
  bosses_alloc();
  bosses_alloc();

  CHECK_FAULTS(TP_FAULT_FULL, bosses_alloc());

  CHECK(tp_fault_record.pool == &bosses_pool);
  CHECK_RECORD(bosses_pool.name, NULL, 3, 2);
}

static void a_full_pool_steals_its_oldest_object(void)
{
  start(&notes_pool);
  struct note *first = notes_alloc();
  struct note *second = notes_alloc();
  notes_alloc();
  notes_alloc();

  CHECK(notes_alloc() == first);
  CHECK(evicted == first);
  CHECK(notes_alloc() == second);
  CHECK(evicted == second);
  CHECK_EQ(evictions, 2);
}

static void a_stolen_slot_counts_as_the_newest(void)
{
  start(&notes_pool);
  struct note *notes[4];
  for (uint32_t i = 0; i < 4; i++) notes[i] = notes_alloc();

  for (uint32_t i = 0; i < 12; i++) CHECK(notes_alloc() == notes[i % 4]);
}

static void a_freed_object_is_no_longer_the_oldest(void)
{
  start(&notes_pool);
  struct note *first = notes_alloc();
  struct note *second = notes_alloc();
  notes_alloc();
  notes_alloc();
  notes_free(first);
  CHECK(notes_alloc() == first);

  CHECK(notes_alloc() == second);
}

static void evict_sees_the_bytes_of_the_victim(void)
{
  start(&notes_pool);
  notes_alloc()->pitch = 440;
  for (uint32_t i = 0; i < 4; i++) notes_alloc();

  CHECK_EQ(evictions, 1);
  CHECK_EQ(evicted_pitch, 440);
}

static struct note *issued_meanwhile[4];

static void alloc_four_notes(void)
{
  for (uint32_t i = 0; i < 4; i++) issued_meanwhile[i] = notes_alloc();
}

static void evict_may_allocate_from_the_same_pool(void)
{
  start(&notes_pool);
  struct note *notes[4];
  for (uint32_t i = 0; i < 4; i++) notes[i] = notes_alloc();
  during_eviction = alloc_four_notes;

  struct note *outer = notes_alloc();

  CHECK(outer == notes[0]);
  for (uint32_t i = 0; i < 4; i++) CHECK(issued_meanwhile[i] != outer);
  CHECK(tp_pool_verify(&notes_pool, NULL));
}

static struct note *second_thief;

static void alloc_single(void)
{
  second_thief = single_alloc();
}

static void stealing_refuses_when_every_slot_is_being_evicted(void)
{
  start(&single_pool);
  struct note *only = single_alloc();
  second_thief = only;
  during_eviction = alloc_single;

  CHECK(single_alloc() == only);

  CHECK(second_thief == NULL);
  CHECK_EQ(evictions, 1);
  CHECK_EQ(single_pool.state->overflows, 2);
  CHECK_EQ(single_pool.state->steals, 1);
}

static void a_stealing_pool_compiled_for_itself_steals_its_oldest(void)
{
  start(&brisk_pool);
  struct note *notes[4];
  for (uint32_t i = 0; i < 4; i++) notes[i] = brisk_alloc();

  for (uint32_t i = 0; i < 8; i++) CHECK(brisk_alloc() == notes[i % 4]);

  CHECK_EQ(evictions, 8);
}

static void a_pool_steals_without_evict_when_it_hands_out_handles(void)
{
  start(&ticks_pool);
  struct note *first = ticks_alloc();
  ticks_handle_t handle = ticks_handle(first);
  for (uint32_t i = 0; i < 3; i++) ticks_alloc();

  CHECK(ticks_alloc() == first);

  CHECK(ticks_get(handle) == NULL);
}

static void a_pool_whose_live_count_was_damaged_issues_no_slot_it_has_not(void)
{
  start(&crates_pool);
  for (uint32_t i = 0; i < 5; i++) CHECK(crates_alloc() != NULL);
  crates_pool.tag[0] = 0;

  CHECK(crates_alloc() == NULL);

  CHECK_EQ(crates_pool.state->fresh, 5);
  CHECK_EQ(crates_pool.state->overflows, 1);
}

void suite_policies(void)
{
  RUN(a_dropping_pool_refuses_and_leaves_live_objects_as_they_were);
  RUN(an_asserting_pool_faults_with_its_name_and_capacity);
  RUN(a_full_pool_steals_its_oldest_object);
  RUN(a_stolen_slot_counts_as_the_newest);
  RUN(a_freed_object_is_no_longer_the_oldest);
  RUN(evict_sees_the_bytes_of_the_victim);
  RUN(evict_may_allocate_from_the_same_pool);
  RUN(stealing_refuses_when_every_slot_is_being_evicted);
  RUN(a_stealing_pool_compiled_for_itself_steals_its_oldest);
  RUN(a_pool_steals_without_evict_when_it_hands_out_handles);
  // Nothing is counted at off; at full, the audit finds it before.
  if (TP_CHECKS == TP_CHECKS_OFF || TP_CHECKS == TP_CHECKS_FULL) return;
  RUN(a_pool_whose_live_count_was_damaged_issues_no_slot_it_has_not);
}
