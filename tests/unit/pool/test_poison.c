// SPDX-License-Identifier: MIT
#include "unit.h"

#include "check/tp_level.h"
#include "core/tp_registry.h"

static struct note *freed_note(void)
{
  tp_test_forget(&notes_pool);
  notes_alloc();
  struct note *note = notes_alloc();
  *note = (struct note){1, {2, 3, 4}};
  notes_free(note);
  return note;
}

static void a_freed_object_is_poison_but_for_its_link(void)
{
  const uint8_t *bytes = (const uint8_t *)freed_note();

  for (uint32_t i = 4; i < sizeof(struct note); i += 4) {
    CHECK_EQ(bytes[i], 0x0b);
    CHECK_EQ(bytes[i + 1], 0xdb);
    CHECK_EQ(bytes[i + 2], 0xea);
    CHECK_EQ(bytes[i + 3], 0x1d);
  }
}

static void an_issued_object_holds_the_pattern_for_new_ones(void)
{
  tp_test_forget(&notes_pool);
  struct note *note = notes_alloc();
  CHECK_EQ(note->pitch, TP_POISON_NEW);
  notes_free(note);

  note = notes_alloc();

  CHECK_EQ(note->pitch, TP_POISON_NEW);
  CHECK_EQ(note->words[2], TP_POISON_NEW);
}

static void a_bit_flipped_in_a_dead_object_faults_when_it_is_issued(void)
{
  for (uint32_t bit = 32; bit < 128; bit++) {
    struct note *note = freed_note();
    ((uint8_t *)note)[bit / 8] ^= (uint8_t)(1 << bit % 8);

    CHECK_FAULTS(TP_FAULT_POISON, notes_alloc());

    CHECK(tp_fault_record.pool == &notes_pool);
    CHECK(tp_fault_record.address == note);
    CHECK_EQ(tp_fault_record.slot, 2);
    CHECK_EQ(tp_fault_record.offset, bit / 32 * 4);
    CHECK_EQ(tp_fault_record.expected, TP_POISON);
    CHECK_EQ(tp_fault_record.found, TP_POISON ^ 1u << bit % 32);
  }
}

static void a_bit_flipped_in_a_link_faults(void)
{
  for (uint32_t bit = 0; bit < 32; bit++) {
    struct note *note = freed_note();
    note->pitch ^= 1u << bit;
    if (setjmp(tp_test_resume) == 0) {
      tp_test_expect_fault();
      for (uint32_t i = 0; i < 4; i++) notes_alloc();
      tp_test_fail(__FILE__, __LINE__, "no fault");
      return;
    }
  }
}

static void scrubbing_finds_damage_that_no_request_would(void)
{
  tp_test_forget(&notes_pool);
  struct note *notes[4];
  for (uint32_t i = 0; i < 4; i++) notes[i] = notes_alloc();
  for (uint32_t i = 0; i < 4; i++) notes_free(notes[i]);
  notes[0]->words[1] = 7;
  for (uint32_t i = AUDITED ? 100 : 0; i < 100; i++) notes_free(notes_alloc());

  CHECK_FAULTS(TP_FAULT_POISON, tp_pool_scrub(&notes_pool, 4));

  CHECK_EQ(tp_fault_record.slot, 1);
  CHECK_EQ(tp_fault_record.offset, 8);
}

static void scrubbing_leaves_a_sound_pool_in_peace(void)
{
  freed_note();
  tp_pool_scrub(&notes_pool, 100);
  CHECK(tp_pool_verify(&notes_pool, NULL));
}

static void a_scrub_looks_at_no_more_slots_than_its_budget(void)
{
  tp_test_forget(&notes_pool);
  for (uint32_t i = 1; i <= 4; i++) {
    tp_pool_scrub(&notes_pool, 1);
    CHECK_EQ(notes_pool.state->scrubbed, i);
  }
  tp_pool_scrub(&notes_pool, 3);
  CHECK_EQ(notes_pool.state->scrubbed, 3);
}

static void scrubbing_a_pool_of_one_slot_looks_at_that(void)
{
  static const struct tp_entry entry = {
      .name = "lone", .kind = &tp_pool_kind, .allocator = &lone_pool};
  tp_test_forget(&lone_pool);
  struct crate *crate = tp_pool_alloc(&lone_pool);
  tp_pool_free(&lone_pool, crate);
  crate->word[2] ^= 1;
  CHECK_FAULTS(TP_FAULT_POISON, tp_entry_scrub(&entry, 4));
}

// Writes a byte at [offset] from a live note and expects its free to fault.
static void a_byte_outside_at(int32_t offset)
{
  tp_test_forget(&notes_pool);
  notes_alloc();
  struct note *note = notes_alloc();
  notes_alloc();
  ((uint8_t *)note)[offset] ^= 0x80;

  CHECK_FAULTS(TP_FAULT_RED_ZONE, notes_free(note));

  if (AUDITED) return;  // It names the first slot beside the damage.
  CHECK(tp_fault_record.address == note);
  CHECK_EQ(tp_fault_record.slot, 2);
  CHECK_EQ(tp_fault_record.offset, (uint32_t)(offset & ~3));
  CHECK_EQ(tp_fault_record.expected, TP_RED_WORD);
  CHECK_EQ(tp_fault_record.found, TP_RED_WORD ^ 0x80u << (offset & 3) * 8);
}

static void a_byte_written_around_an_object_faults_when_it_is_freed(void)
{
  for (int32_t i = 1; i <= 8; i++) a_byte_outside_at(-i);
  for (int32_t i = 0; i < 8; i++) a_byte_outside_at(16 + i);
}

// A zone is as wide as the alignment; the first word of the object is no part.
static void a_word_written_anywhere_in_a_wide_zone_is_named(void)
{
  int32_t zone = wide_pool.zone, behind = wide_pool.size;
  CHECK_EQ(wide_pool.zone, 64);
  for (int32_t at = -zone; at < behind + zone; at += 4) {
    if (at == 0) at = behind;
    tp_test_forget(&wide_pool);
    uint8_t *object = wide_alloc();
    *(tp_word_t *)(object + at) = 5;

    CHECK_FAULTS(TP_FAULT_RED_ZONE, wide_free(object));

    CHECK_RECORD(wide_pool.name, object, 5, TP_RED_WORD);
    CHECK_EQ(tp_fault_record.offset, (uint32_t)at);
  }
}

static void a_byte_before_the_first_object_faults(void)
{
  tp_test_forget(&notes_pool);
  struct note *first = notes_alloc();
  ((uint8_t *)first)[-1] ^= 1;

  CHECK_FAULTS(TP_FAULT_RED_ZONE, notes_free(first));

  CHECK_EQ(tp_fault_record.slot, 1);
}

// A byte behind a note that is live, or dead, becomes another.
static void damage_behind(struct note *note)
{
  ((uint8_t *)note)[16] ^= 0x80;
}

static void free_when_another_was_issued(struct note *note)
{
  notes_alloc();
  notes_free(note);
}

// The zone between two slots is filled with the first of them, and never again.
static void a_byte_written_behind_the_newest_object_outlasts_the_next_issue(
    void)
{
  tp_test_forget(&notes_pool);
  struct note *first = notes_alloc();
  damage_behind(first);

  CHECK_FAULTS(TP_FAULT_RED_ZONE, free_when_another_was_issued(first));

  CHECK_EQ(tp_fault_record.slot, 1);
}

static void a_byte_written_around_an_object_faults_when_its_handle_is_freed(
    void)
{
  tp_handle_t handle;
  tp_test_forget(&ticks_pool);
  damage_behind(tp_handle_alloc(&ticks_pool, &handle));
  CHECK_FAULTS(TP_FAULT_RED_ZONE, tp_handle_free(&ticks_pool, handle));
}

static void a_byte_written_around_an_object_faults_when_the_pool_is_reset(void)
{
  tp_test_forget(&notes_pool);
  damage_behind(tp_pool_alloc(&notes_pool));
  CHECK_FAULTS(TP_FAULT_RED_ZONE, tp_pool_reset(&notes_pool));
}

static void a_byte_written_around_a_victim_faults_when_it_is_stolen(void)
{
  tp_test_forget(&notes_pool);
  struct note *oldest = tp_pool_alloc(&notes_pool);
  for (uint32_t i = 0; i < 3; i++) tp_pool_alloc(&notes_pool);
  damage_behind(oldest);
  CHECK_FAULTS(TP_FAULT_RED_ZONE, tp_pool_alloc(&notes_pool));
}

static void a_byte_written_around_a_dead_object_faults_when_it_is_issued(void)
{
  struct note *freed = freed_note();
  damage_behind(freed);
  CHECK_FAULTS(TP_FAULT_RED_ZONE, tp_pool_alloc(&notes_pool));
  CHECK(tp_fault_record.pool == &notes_pool);
  CHECK(tp_fault_record.address == freed);
  CHECK_EQ(tp_fault_record.offset, notes_pool.size);
}

static void scrubbing_finds_a_byte_written_around_a_dead_object(void)
{
  damage_behind(freed_note());
  CHECK_FAULTS(TP_FAULT_RED_ZONE, tp_pool_scrub(&notes_pool, 4));
}

void suite_poison(void)
{
  if (TP_CHECKS >= TP_CHECKS_FAST) RUN(a_bit_flipped_in_a_link_faults);
  if (TP_CHECKS < TP_CHECKS_POISON) return;
  RUN(a_freed_object_is_poison_but_for_its_link);
  RUN(an_issued_object_holds_the_pattern_for_new_ones);
  RUN(a_bit_flipped_in_a_dead_object_faults_when_it_is_issued);
  RUN(scrubbing_finds_damage_that_no_request_would);
  RUN(scrubbing_leaves_a_sound_pool_in_peace);
  RUN(a_scrub_looks_at_no_more_slots_than_its_budget);
  RUN(scrubbing_a_pool_of_one_slot_looks_at_that);
  if (TP_CHECKS < TP_CHECKS_FULL) return;
  RUN(a_byte_written_around_an_object_faults_when_it_is_freed);
  RUN(a_word_written_anywhere_in_a_wide_zone_is_named);
  RUN(a_byte_before_the_first_object_faults);
  RUN(a_byte_written_behind_the_newest_object_outlasts_the_next_issue);
  RUN(a_byte_written_around_an_object_faults_when_its_handle_is_freed);
  RUN(a_byte_written_around_an_object_faults_when_the_pool_is_reset);
  RUN(a_byte_written_around_a_victim_faults_when_it_is_stolen);
  RUN(a_byte_written_around_a_dead_object_faults_when_it_is_issued);
  RUN(scrubbing_finds_a_byte_written_around_a_dead_object);
}
