// SPDX-License-Identifier: MIT
// What a note says, and of which object.
#include "check/tp_check.h"
#include "owner.h"

static TP_NOINLINE void *ask(void)
{
  void *object = crates_alloc();
  TP_BARRIER();  // So that this is no jump.
  return object;
}

// Not the same code, or a compiler makes one of both.
static TP_NOINLINE void *ask_elsewhere(void)
{
  void *object = crates_alloc();
  if (object) *(volatile uint32_t *)object = 1;
  return object;
}

static TP_NOINLINE void give(void *object)
{
  crates_free(object);
  TP_BARRIER();
}

static void a_live_slot_tells_who_asked_and_when(void)
{
  FORGET(crates);
  tp_clock_now = 88;
  void *first = ask();
  tp_clock_now = 89;
  void *second = ask_elsewhere();

  const struct tp_owner *owner = crates_owner_of(first);

  CHECK(owner);
  CHECK(LIES_IN(owner->asked, ask));
  CHECK(owner->freed == NULL);
  CHECK_EQ(owner->since, 88);
  CHECK_EQ(owner->context, 0);
  CHECK_EQ(owner->generation, 1);
  CHECK(crates_owner_of(second)->asked != owner->asked);
  CHECK_EQ(crates_owner_of(second)->since, 89);
}

static void a_dead_slot_tells_who_had_it_and_who_gave_it_back(void)
{
  FORGET(crates);
  tp_clock_now = 5;
  void *object = ask();
  tp_clock_now = 7;
  give(object);

  const struct tp_owner *owner = crates_owner_of(object);

  CHECK(owner);
  CHECK(LIES_IN(owner->asked, ask));
  CHECK(LIES_IN(owner->freed, give));
  CHECK_EQ(owner->since, 7);
  CHECK_EQ(owner->context, TP_OWNER_FREED);
}

static void a_live_slot_tells_who_gave_it_back_before(void)
{
  FORGET(crates);
  give(ask_elsewhere());
  void *object = ask();

  const struct tp_owner *owner = crates_owner_of(object);

  CHECK(LIES_IN(owner->freed, give));
  CHECK(LIES_IN(owner->asked, ask));
  CHECK_EQ(owner->context, 0);
  CHECK_EQ(owner->generation, 2);
}

static void what_is_issued_without_a_note_has_no_owner(void)
{
  FORGET(crates);
  give(ask());
  void *object = tp_pool_alloc(&crates_pool);

  CHECK(crates_owner_of(object) == NULL);
  give(object);
  CHECK(crates_owner_of(object)->asked == NULL);
  CHECK(LIES_IN(crates_owner_of(object)->freed, give));
}

static void what_is_noted_is_not_noted_again(void)
{
  FORGET(crates);
  tp_clock_now = 11;
  void *object = ask();
  tp_clock_now = 12;

  CHECK(tp_owner_take(&crates_owned, object) == object);

  CHECK(LIES_IN(crates_owner_of(object)->asked, ask));
  CHECK_EQ(crates_owner_of(object)->since, 11);
}

static void what_is_dead_before_its_note_gets_none(void)
{
  FORGET(crates);
  void *object = tp_pool_alloc(&crates_pool);
  tp_pool_free(&crates_pool, object);

  CHECK(tp_owner_take(&crates_owned, object) == object);

  CHECK(crates_owner_of(object) == NULL);
}

static void of_what_is_taken_back_without_a_note_nobody_knows_by_whom(void)
{
  FORGET(crates);
  void *object = ask();
  tp_pool_reset(&crates_pool);

  const struct tp_owner *owner = crates_owner_of(object);

  CHECK(LIES_IN(owner->asked, ask));
  CHECK_EQ(owner->context & TP_OWNER_FREED, 0);
}

static void a_note_shows_again_after_65536_lives_without_one(void)
{
  FORGET(crates);
  void *object = ask();
  uint32_t tag = crates_pool.tag[1];

  tp_test_set_tag(&crates_pool, 1, tag + 0xffff);
  CHECK(crates_owner_of(object) == NULL);
  tp_test_set_tag(&crates_pool, 1, tag + 0x10000);
  CHECK(crates_owner_of(object) != NULL);
}

static void what_is_no_slot_or_was_never_issued_has_no_owner(void)
{
  FORGET(crates);
  char *object = ask();

  CHECK(crates_owner_of(NULL) == NULL);
  CHECK(crates_owner_of(object + 4) == NULL);
  CHECK(crates_owner_of(object + crates_pool.stride) == NULL);
  CHECK(crates_owner_of(object + crates_pool.capacity * crates_pool.stride) ==
        NULL);
}

static void a_second_free_leaves_the_note_of_the_first(void)
{
  FORGET(crates);
  void *object = ask();
  tp_clock_now = 3;
  give(object);
  tp_clock_now = 4;

  CHECK(tp_owner_give(&crates_owned, object) == object);

  CHECK(LIES_IN(crates_owner_of(object)->freed, give));
  CHECK_EQ(crates_owner_of(object)->since, 3);
#if TP_CHECKS >= TP_CHECKS_FAST
  CHECK_FAULTS(TP_FAULT_DOUBLE_FREE, crates_free(object));
  CHECK_EQ(crates_owner_of(object)->since, 3);
#endif
}

static void of_a_fault_it_is_the_note_of_its_slot(void)
{
  FORGET(crates);
  FORGET(inner);
  void *object = ask(), *other = inner_alloc();
  give(object);
  struct tp_fault_record record = {.pool = &crates_pool, .slot = 1};

  CHECK(tp_fault_owner_of(&record));
  CHECK(tp_fault_owner_of(&record) == crates_owner_of(object));
  record.pool = &inner_pool;
  CHECK(tp_fault_owner_of(&record));
  CHECK(tp_fault_owner_of(&record) == inner_owner_of(other));
#if TP_CHECKS >= TP_CHECKS_FAST
  CHECK_FAULTS(TP_FAULT_DOUBLE_FREE, crates_free(object));
  CHECK(tp_fault_owner_of(&tp_fault_record) == crates_owner_of(object));
#endif
}

// Which has another descriptor of the same slots.
static void a_fault_of_an_urgent_request_has_the_owner_of_its_slot(void)
{
  FORGET(seats);
  uint32_t *object = seats_alloc();
  struct tp_fault_record record = {.pool = &seats_urgent_pool, .slot = 1};

  CHECK(seats_owner_of(object));
  CHECK(tp_fault_owner_of(&record) == seats_owner_of(object));
#if TP_AUDITED
  seats_free(object);
  object[1] ^= 1;
  CHECK_FAULTS(TP_FAULT_POISON, seats_alloc_urgent());
  CHECK(tp_fault_owner_of(&tp_fault_record) == seats_owner_of(object));
  CHECK(seats_owner_of(object)->freed);
  FORGET(seats);
#endif
}

static void a_fault_of_no_slot_or_of_one_nobody_notes_has_no_owner(void)
{
  FORGET(crates);
  ask();
  struct tp_fault_record record = {.pool = &crates_pool, .slot = 0};

  CHECK(tp_fault_owner_of(&record) == NULL);
  record.slot = 2;  // Never issued.
  CHECK(tp_fault_owner_of(&record) == NULL);
  record.slot = 1;
  record.pool = &deep_pool;
  CHECK(tp_fault_owner_of(&record) == NULL);
  record.pool = NULL;
  CHECK(tp_fault_owner_of(&record) == NULL);
}

static void a_request_that_is_refused_is_noted_nowhere(void)
{
  FORGET(crates);
  for (uint32_t i = 0; i < CRATES_COUNT; i++) ask();
  tp_clock_now++;

  CHECK(ask_elsewhere() == NULL);

  for (uint32_t i = 0; i < CRATES_COUNT; i++) {
    CHECK(LIES_IN(crates_owned.owners[i].asked, ask));
    CHECK_EQ(crates_owned.owners[i].since, tp_clock_now - 1);
  }
}

static void a_pool_that_masks_by_basepri_has_notes_too(void)
{
  FORGET(crates);
  struct tp_pool masked = crates_pool;
  masked.lock = 64;
  const struct tp_owned owned = {&masked, crates_owned.owners, NULL};
  void *object = tp_pool_alloc(&crates_pool);

  tp_owner_take(&owned, object);
  CHECK(crates_owner_of(object)->asked);
  tp_owner_give(&owned, object);
  CHECK(crates_owner_of(object)->freed);
}

// Before the notes stands what would be that of slot 0, whose tag is the
// list's.
static void no_note_is_of_slot_0(void)
{
  struct tp_owner owners[CRATES_COUNT + 1] = {{0}};
  const struct tp_owned owned = {&crates_pool, owners + 1, NULL};
  FORGET(crates);
  uint32_t word = 0;
  owners[0] = (struct tp_owner){ask, NULL, 7, 0, (uint16_t)word};
  CHECK(tp_owner_of(&owned, &word) == NULL);
  CHECK(tp_owner_give(&owned, &word) == &word);
  CHECK(tp_owner_give(&owned, NULL) == NULL);
  CHECK(tp_owner_take(&owned, &word) == &word);
  CHECK_EQ(owners[0].since, 7);
  CHECK(owners[0].freed == NULL);
}

static void a_note_takes_16_bytes_a_slot_of_a_32_bit_core(void)
{
  CHECK_EQ(sizeof(struct tp_owner), sizeof(void *) == 4 ? 16 : 24);
}

void suite_notes(void)
{
  RUN(a_live_slot_tells_who_asked_and_when);
  RUN(a_dead_slot_tells_who_had_it_and_who_gave_it_back);
  RUN(a_live_slot_tells_who_gave_it_back_before);
  RUN(what_is_issued_without_a_note_has_no_owner);
  RUN(what_is_noted_is_not_noted_again);
  RUN(what_is_dead_before_its_note_gets_none);
  RUN(of_what_is_taken_back_without_a_note_nobody_knows_by_whom);
  RUN(a_note_shows_again_after_65536_lives_without_one);
  RUN(what_is_no_slot_or_was_never_issued_has_no_owner);
  RUN(a_second_free_leaves_the_note_of_the_first);
  RUN(of_a_fault_it_is_the_note_of_its_slot);
  RUN(a_fault_of_an_urgent_request_has_the_owner_of_its_slot);
  RUN(a_fault_of_no_slot_or_of_one_nobody_notes_has_no_owner);
  RUN(a_request_that_is_refused_is_noted_nowhere);
  RUN(a_pool_that_masks_by_basepri_has_notes_too);
  RUN(no_note_is_of_slot_0);
  RUN(a_note_takes_16_bytes_a_slot_of_a_32_bit_core);
}
