// SPDX-License-Identifier: MIT
// What happens once in a life: an interrupt between two steps of a call, which
// the test plays; a generation that wraps; damage to the pool's own words.
#include "unit.h"

#include "config/tp_define.h"
#include "core/tp_core.h"

static struct crate *crates[5];

static void fill(void)
{
  tp_test_forget(&crates_pool);
  for (uint32_t i = 0; i < 5; i++) crates[i] = crates_alloc();
}

// An interrupt freed it after the call had found no slot.
static void what_was_freed_before_the_policy_is_asked_is_issued(void)
{
  fill();
  crates_free(crates[3]);
  CHECK(tp_quick_extend(&crates_pool, NULL, NULL) == crates[3]);
  crates_free(crates[2]);
  CHECK(tp_pool_extend(&crates_pool, NULL, NULL) == crates[2]);
  CHECK(tp_quick_extend(&crates_pool, NULL, NULL) == NULL);
  CHECK(tp_pool_verify(&crates_pool, NULL));
}

// Another context took the last slot after this one had seen it.
static void without_tags_a_dropping_pool_counts_no_refusal(void)
{
  struct tp_stats stats;
  fill();
  CHECK(tp_pool_extend(&crates_pool, NULL, NULL) == NULL);
  tp_pool_stats(&crates_pool, &stats);
  CHECK_EQ(stats.refused, TP_CHECKS >= TP_CHECKS_FAST ? 1 : 0);
}

// What stands where they would be is another's.
static void off_looks_at_no_tag_of_a_pool_that_keeps_none(void)
{
  static uint32_t words[6];
  struct tp_pool untagged = crates_pool;
  fill();
  untagged.tag = words;
  for (uint32_t i = 2; i < 6; i++) words[i] = 0x80000001u;
  tp_test_forget(&untagged);
  for (uint32_t i = 0; i < 5; i++) crates[i] = tp_pool_alloc(&untagged);
  tp_pool_free(&untagged, crates[3]);
  CHECK(tp_quick_extend(&untagged, NULL, NULL) == crates[3]);
  tp_pool_reset(&untagged);
  CHECK_EQ(untagged.state->fresh, 0);
}

static void the_general_calls_serve_pools_without_a_ring_too(void)
{
  fill();
  tp_general.free(&crates_pool, crates[1], NULL);
  CHECK(tp_general.alloc(&crates_pool, NULL, NULL) == crates[1]);
  CHECK(tp_general.alloc(&crates_pool, NULL, NULL) == NULL);
  CHECK(tp_pool_verify(&crates_pool, NULL));
  tp_test_forget(&notes_pool);
  void *note = tp_pool_alloc(&notes_pool);
  tp_pool_free(&notes_pool, note);
  CHECK(tp_pool_alloc(&notes_pool) == note);
  CHECK(tp_pool_verify(&notes_pool, NULL));
}

static void a_pool_of_handles_knows_a_second_free_at_every_level(void)
{
  tp_test_forget(&vault_pool);
  void *note = tp_pool_alloc(&vault_pool);
  tp_pool_free(&vault_pool, note);
  CHECK_FAULTS(TP_FAULT_DOUBLE_FREE, tp_pool_free(&vault_pool, note));
}

// The list word, which stands where the tag of slot 0 would, is an address at
// off: one above 2 GiB looks like the tag of a live slot.
static void off_takes_back_to_a_pool_of_handles_its_own_slots_alone(void)
{
  struct tp_pool less = vault_pool;
  char *before = (char *)vault_pool.storage - vault_pool.stride;
  void *last = NULL;
  less.capacity = 3;
  tp_test_forget(&vault_pool);
  for (uint32_t i = 0; i < 4; i++) last = tp_pool_alloc(&vault_pool);
  CHECK_FAULTS(TP_FAULT_FOREIGN, tp_pool_free(&less, last));
  CHECK_EQ(tp_pool_live(&vault_pool), 4);

  vault_pool.tag[0] = 0x80000005u;
  CHECK_FAULTS(TP_FAULT_FOREIGN, tp_pool_free(&vault_pool, before));
  CHECK_EQ(vault_pool.tag[0], 0x80000005u);
  tp_test_forget(&vault_pool);
}

static void without_tags_whatever_is_pinned_is_not_stolen(void)
{
  tp_test_forget(&notes_pool);
  struct note *notes[4];
  for (uint32_t i = 0; i < 4; i++) notes[i] = notes_alloc();
  tp_pool_pin(&notes_pool, notes[0]);
  CHECK(notes_alloc() == notes[1]);
  tp_pool_unpin(&notes_pool, notes[0]);
  CHECK(notes_alloc() == notes[2]);
  tp_test_forget(&ticks_pool);
  tp_handle_t handle;
  void *tick = tp_handle_alloc(&ticks_pool, &handle);
  tp_pool_free(&ticks_pool, tick);
  tp_pool_alloc(&ticks_pool);
  CHECK(!tp_handle_pin(&ticks_pool, handle));
}

static void the_first_slot_s_worn_out_generation_begins_again(void)
{
  tp_test_forget(&ticks_pool);
  for (uint32_t slot = 1; slot <= 4; slot++) {
    tp_test_set_tag(&ticks_pool, slot, 0x7fffffffu);
  }
  tp_pool_alloc(&ticks_pool);
  CHECK_EQ(ticks_pool.tag[1], 0x80000001u);
  for (uint32_t slot = 2; slot <= 4; slot++) tp_pool_alloc(&ticks_pool);
  tp_test_set_tag(&ticks_pool, 1, 0xffffffffu);
  tp_pool_alloc(&ticks_pool);
  CHECK_EQ(ticks_pool.tag[1], 0x80000001u);
  CHECK(tp_pool_verify(&ticks_pool, NULL));
}

static void a_list_word_that_names_no_slot_faults_before_anything_is_read(void)
{
  static const uint32_t tops[] = {6, 7, 0x7fff, 0xffff};
  for (uint32_t i = 0; i < sizeof tops / sizeof tops[0]; i++) {
    fill();
    crates_free(crates[4]);
    crates_pool.tag[0] = 0x40000 | tops[i];
    CHECK_FAULTS(AUDITED ? TP_FAULT_INVARIANT : TP_FAULT_LINK, crates_alloc());
    if (AUDITED) continue;
    CHECK_EQ(tp_fault_record.slot, 0);
    CHECK_EQ(tp_fault_record.offset, 0);
    CHECK_EQ(tp_fault_record.found, 0x40000 | tops[i]);
    CHECK_EQ(tp_fault_record.expected, 5);
  }
}

static void a_live_bit_set_in_a_free_slot_is_a_fault(void)
{
  for (uint32_t i = 0; i < 2; i++) {
    fill();
    crates_free(crates[1]);
    crates_pool.tag[2] = 0x80000001u - i;
    CHECK_FAULTS(TP_FAULT_TAG, crates_alloc());
    CHECK_EQ(tp_fault_record.slot, 2);
    CHECK_EQ(tp_fault_record.offset, 0);
    CHECK_EQ(tp_fault_record.found, 0x80000001u - i);
    CHECK_EQ(tp_fault_record.expected, 1 - i);
  }
}

// A count that was written over: no slot is made up, nor is one issued by it.
static void a_list_word_that_counts_every_slot_live_has_the_policy_asked(void)
{
  fill();
  crates_free(crates[1]);
  crates_pool.tag[0] += 0x10000;
  CHECK(crates_alloc() == NULL);
  CHECK_EQ(crates_pool.state->overflows, 1);
}

// Even one that was never issued: the live bit alone.
static void a_live_slot_is_named_before_its_link_is(void)
{
  fill();
  crates_free(crates[1]);
  crates_pool.tag[2] = 0x80000000u;
  crates[1]->word[0] = 0x70000;
  CHECK_FAULTS(TP_FAULT_TAG, crates_alloc());
  CHECK_EQ(tp_fault_record.slot, 2);
}

static void a_record_holds_nothing_of_the_fault_before(void)
{
  struct crate own;
  fill();
  CHECK_FAULTS(TP_FAULT_INTERIOR, crates_free((void *)&crates[2]->word[1]));
  CHECK_EQ(tp_fault_record.offset, 4);
  CHECK_FAULTS(TP_FAULT_FOREIGN, crates_free(&own));
  CHECK_EQ(tp_fault_record.slot, 0);
  CHECK_EQ(tp_fault_record.offset, 0);
  crates_free(crates[1]);
  uint32_t link = crates[1]->word[0];
  crates[1]->word[0] = 0x70000;
  CHECK_FAULTS(TP_FAULT_LINK, crates_alloc());
  CHECK_EQ(tp_fault_record.offset, 0);
  CHECK_EQ(tp_fault_record.found, 0x70000);
  CHECK_EQ(tp_fault_record.expected, 0x50000);
  CHECK(tp_fault_record.address == crates[1]);
  crates[1]->word[0] = link;
  CHECK_FAULTS(TP_FAULT_DOUBLE_FREE, crates_free(crates[1]));
  CHECK_EQ(tp_fault_record.found, 0);
  CHECK_EQ(tp_fault_record.expected, 0);
}

static void the_peak_is_kept_when_a_pool_is_forgotten(void)
{
  struct tp_stats stats;
  fill();
  for (uint32_t i = 0; i < 5; i++) crates_free(crates[i]);
  tp_pool_forget(&crates_pool);
  crates_free(crates_alloc());
  tp_pool_forget(&crates_pool);
  tp_pool_stats(&crates_pool, &stats);
  CHECK_EQ(stats.peak, 5);
}

static void a_pool_that_is_forgotten_has_nobody_on_its_ring(void)
{
  tp_test_forget(&notes_pool);
  notes_alloc();
  notes_alloc();
  tp_pool_forget(&notes_pool);
  CHECK_EQ(notes_pool.age[0].newer, TP_NO_SLOT);
  CHECK_EQ(notes_pool.age[0].older, TP_NO_SLOT);
}

static void an_audit_names_the_last_slot_and_none_behind_it(void)
{
  struct tp_pool less = crates_pool;
  fill();
  crates_free(crates[4]);
  crates_pool.tag[5] |= 0x80000000u;
  CHECK_FAULTS(TP_FAULT_TAG, crates_alloc());
  CHECK_EQ(tp_fault_record.slot, 5);
  less.capacity = 4;
  less.state->fresh = 4;
  CHECK_FAULTS(TP_FAULT_INVARIANT, tp_pool_alloc(&less));
  CHECK_EQ(tp_fault_record.slot, 5);
  CHECK_EQ(tp_fault_record.found, TP_BROKEN_LIST);
}

static void an_audit_of_more_slots_than_there_are_names_none(void)
{
  fill();
  crates_pool.state->fresh = 6;
  CHECK_FAULTS(TP_FAULT_INVARIANT, crates_alloc());
  CHECK_EQ(tp_fault_record.slot, 0);
  CHECK_EQ(tp_fault_record.found, TP_BROKEN_FRESH);
}

// The fault alone: of this pool there are no slots.
static void a_slot_of_a_large_pool_is_named(void)
{
  static tp_word_t ground[1];
  struct tp_pool large = crates_pool;
  large.storage = ground;
  large.capacity = TP_CAPACITY_MAX;
  large.stride = 8;
  for (uint32_t slot = 1; slot < TP_CAPACITY_MAX; slot = 2 * slot + 1) {
    uintptr_t object = (uintptr_t)ground + (slot - 1) * 8;
    CHECK_FAULTS(TP_FAULT_DOUBLE_FREE,
                 tp_raise_free(&large, (const void *)object, tp_site(NULL)));
    CHECK_EQ(tp_fault_record.slot, slot);
    CHECK_FAULTS(
        TP_FAULT_INTERIOR,
        tp_raise_free(&large, (const void *)(object + 4), tp_site(NULL)));
    CHECK_EQ(tp_fault_record.slot, slot);
    CHECK_EQ(tp_fault_record.offset, 4);
  }
}

void suite_rare(void)
{
  RUN(a_slot_of_a_large_pool_is_named);
  RUN(what_was_freed_before_the_policy_is_asked_is_issued);
  RUN(without_tags_a_dropping_pool_counts_no_refusal);
  RUN(the_general_calls_serve_pools_without_a_ring_too);
  RUN(the_peak_is_kept_when_a_pool_is_forgotten);
  RUN(a_pool_that_is_forgotten_has_nobody_on_its_ring);
  RUN(a_pool_of_handles_knows_a_second_free_at_every_level);
  RUN(without_tags_whatever_is_pinned_is_not_stolen);
  RUN(the_first_slot_s_worn_out_generation_begins_again);
  if (TP_CHECKS < TP_CHECKS_FAST) {
    RUN(off_looks_at_no_tag_of_a_pool_that_keeps_none);
    RUN(off_takes_back_to_a_pool_of_handles_its_own_slots_alone);
    return;
  }
  RUN(a_list_word_that_names_no_slot_faults_before_anything_is_read);
  RUN(a_live_bit_set_in_a_free_slot_is_a_fault);
  RUN(a_live_slot_is_named_before_its_link_is);
  RUN(a_record_holds_nothing_of_the_fault_before);
  if (AUDITED) RUN(an_audit_names_the_last_slot_and_none_behind_it);
  if (AUDITED) RUN(an_audit_of_more_slots_than_there_are_names_none);
  if (!AUDITED)
    RUN(a_list_word_that_counts_every_slot_live_has_the_policy_asked);
}
