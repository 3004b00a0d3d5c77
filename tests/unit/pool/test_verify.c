// SPDX-License-Identifier: MIT
#include "unit.h"

static struct tp_finding finding;
static struct note *notes[4];

// Slots 1, 2 and 4 are live, 3 is dead.
static void start(void)
{
  tp_test_forget(&notes_pool);
  for (uint32_t i = 0; i < 4; i++) notes[i] = notes_alloc();
  notes_free(notes[2]);
  finding = (struct tp_finding){0};
}

static void verify_finds_nothing_wrong_with_a_sound_pool(void)
{
  tp_test_forget(&notes_pool);
  CHECK(tp_pool_verify(&notes_pool, &finding));
  start();
  CHECK(tp_pool_verify(&notes_pool, &finding));
  CHECK_EQ(finding.broken, TP_SOUND);
  CHECK(tp_pool_verify(&notes_pool, NULL));
}

static void verify_finds_more_slots_issued_than_there_are(void)
{
  start();
  notes_pool.state->fresh = 5;
  CHECK(!tp_pool_verify(&notes_pool, &finding));
  CHECK_EQ(finding.broken, TP_BROKEN_FRESH);
  CHECK_EQ(finding.slot, 0);
}

// The second time the live bit alone.
static void verify_finds_a_list_that_leads_to_a_live_slot(void)
{
  start();
  for (uint32_t i = 0; i < 2; i++) {
    notes_pool.tag[3] = 0x80000001u - i;
    CHECK(!tp_pool_verify(&notes_pool, &finding));
    CHECK_EQ(finding.broken, TP_BROKEN_LIST);
    CHECK_EQ(finding.slot, 3);
  }
}

static void verify_finds_a_list_that_leads_nowhere(void)
{
  start();
  notes[2]->pitch = notes[2]->pitch | 0xfff0u;
  CHECK(!tp_pool_verify(&notes_pool, &finding));
  bool checked = TP_CHECKS >= TP_CHECKS_FAST;
  CHECK_EQ(finding.broken, checked ? TP_BROKEN_LINK : TP_BROKEN_LIST);
}

static void verify_finds_a_list_that_goes_in_circles(void)
{
  start();
  notes[2]->pitch |= 3;
  CHECK(!tp_pool_verify(&notes_pool, &finding));
  bool checked = TP_CHECKS >= TP_CHECKS_FAST;
  CHECK_EQ(finding.broken, checked ? TP_BROKEN_LINK : TP_BROKEN_LIST);
}

static void verify_finds_a_live_slot_nobody_counted(void)
{
  start();
  notes_pool.tag[2] &= 0x7fffffffu;
  CHECK(!tp_pool_verify(&notes_pool, &finding));
  CHECK_EQ(finding.broken, TP_BROKEN_LIVE);
  CHECK_EQ(finding.slot, 0);
}

static void verify_finds_a_slot_that_is_neither_live_nor_on_the_list(void)
{
  start();
  notes_pool.state->fresh = 3;
  notes_pool.tag[4] = 0;
  notes_pool.tag[0] -= 0x10000;
  notes_pool.tag[0] &= 0xffff0000u;
  CHECK(!tp_pool_verify(&notes_pool, &finding));
  CHECK_EQ(finding.broken, TP_BROKEN_LENGTH);
  CHECK_EQ(finding.slot, 0);
}

// Each wrong number in each link of the ring, one way around it or the other.
static void break_each_link(bool newer)
{
  for (uint32_t i = 0; i <= 4; i++) {
    if (i == 3) continue;  // Dead: on no ring.
    for (uint32_t value = 0; value <= 5; value++) {
      start();
      struct tp_age_link *link = &notes_pool.age[i];
      tp_slot_t *number = newer ? &link->newer : &link->older;
      if (*number == value) continue;
      *number = (tp_slot_t)value;
      CHECK(!tp_pool_verify(&notes_pool, &finding));
      CHECK_EQ(finding.broken, TP_BROKEN_AGE);
    }
  }
}

static void verify_finds_a_broken_age_ring_at_every_link(void)
{
  break_each_link(true);
}

static void verify_finds_a_ring_that_does_not_lead_back_at_every_link(void)
{
  break_each_link(false);
}

// Slot 4, of the pool with one slot less, is none.
static void verify_follows_no_link_to_a_slot_that_the_pool_does_not_have(void)
{
  struct tp_pool less = notes_pool;
  less.capacity = 3;
  tp_test_forget(&notes_pool);
  for (uint32_t i = 0; i < 3; i++) notes_alloc();
  CHECK(tp_pool_verify(&less, &finding));
  less.age[3].newer = 4;
  less.age[4] = (struct tp_age_link){.older = 3, .newer = 0};
  less.age[0].older = 4;
  CHECK(!tp_pool_verify(&less, &finding));
  CHECK_EQ(finding.broken, TP_BROKEN_AGE);
  CHECK_EQ(finding.slot, 3);
}

static void verify_finds_a_pinned_slot_with_half_a_ring(void)
{
  start();
  tp_pool_pin(&notes_pool, notes[1]);
  CHECK(tp_pool_verify(&notes_pool, &finding));
  notes_pool.age[2].older = 1;
  CHECK(!tp_pool_verify(&notes_pool, &finding));
  CHECK_EQ(finding.broken, TP_BROKEN_AGE);
  notes_pool.age[2].older = 2;
  notes_pool.age[2].newer = 1;
  CHECK(!tp_pool_verify(&notes_pool, &finding));
  CHECK_EQ(finding.broken, TP_BROKEN_AGE);
}

// A flipped bit can make it so.
static void the_live_bit_alone_says_that_a_slot_is_live(void)
{
  tp_test_forget(&ticks_pool);
  void *ringed = tp_pool_alloc(&ticks_pool);
  void *pinned = tp_pool_alloc(&ticks_pool);
  tp_pool_pin(&ticks_pool, pinned);
  tp_test_set_tag(&ticks_pool, 1, 0x80000000u);
  tp_test_set_tag(&ticks_pool, 2, 0x80000000u);
  CHECK(tp_pool_verify(&ticks_pool, &finding));
  CHECK_EQ(tp_handle_of(&ticks_pool, ringed), 1);
  tp_pool_scrub(&ticks_pool, 2);
}

static void verify_finds_a_live_tag_of_a_slot_never_issued(void)
{
  tp_test_forget(&heap_pool);
  tp_pool_alloc(&heap_pool);
  for (uint32_t slot = 2; slot <= 33; slot += 31) {
    heap_pool.tag[slot] = 0x80000000u;
    CHECK(!tp_pool_verify(&heap_pool, &finding));
    CHECK_EQ(finding.broken, TP_BROKEN_LIVE);
    CHECK_EQ(finding.slot, slot);
    heap_pool.tag[slot] = 0;
  }
  CHECK(tp_pool_verify(&heap_pool, &finding));
  CHECK_EQ(finding.slot, 0);
}

// At off the list is of addresses, and the ring all that is known of the live.
static void off_verifies_that_the_list_stays_in_the_pool(void)
{
  start();
  uint32_t storage = (uint32_t)(uintptr_t)notes_pool.storage;
  uint32_t stride = notes_pool.stride;
  uint32_t list = notes_pool.tag[0];
  CHECK(tp_pool_verify(&notes_pool, &finding));
  notes_pool.tag[0] = storage - stride;
  CHECK(!tp_pool_verify(&notes_pool, &finding));
  CHECK_EQ(finding.broken, TP_BROKEN_LIST);
  notes_pool.tag[0] = storage + 4 * stride;
  CHECK(!tp_pool_verify(&notes_pool, &finding));
  notes_pool.tag[0] = list;
  notes[2]->pitch = list;
  CHECK(!tp_pool_verify(&notes_pool, &finding));
  CHECK_EQ(finding.broken, TP_BROKEN_LIST);
}

static void off_verifies_that_the_ring_is_not_longer_than_it_can_be(void)
{
  start();
  notes_pool.age[2].newer = 3;
  notes_pool.age[3] = (struct tp_age_link){.older = 2, .newer = 4};
  notes_pool.age[4].older = 3;
  CHECK(!tp_pool_verify(&notes_pool, &finding));
  CHECK_EQ(finding.broken, TP_BROKEN_AGE);
}

static void verify_finds_a_live_slot_on_the_list_of_a_pool_of_handles(void)
{
  tp_test_forget(&vault_pool);
  tp_pool_free(&vault_pool, tp_pool_alloc(&vault_pool));
  CHECK(tp_pool_verify(&vault_pool, &finding));
  vault_pool.tag[1] |= 0x80000000u;
  CHECK(!tp_pool_verify(&vault_pool, &finding));
  CHECK_EQ(finding.broken, TP_BROKEN_LIST);
  CHECK_EQ(finding.slot, 1);
}

static void verify_finds_a_dead_slot_on_the_ring_of_a_pool_of_handles(void)
{
  tp_test_forget(&ticks_pool);
  void *tick[3];
  for (uint32_t i = 0; i < 3; i++) tick[i] = tp_pool_alloc(&ticks_pool);
  tp_pool_free(&ticks_pool, tick[1]);
  CHECK(tp_pool_verify(&ticks_pool, &finding));
  ticks_pool.age[1].newer = 2;
  ticks_pool.age[2] = (struct tp_age_link){.older = 1, .newer = 3};
  ticks_pool.age[3].older = 2;
  CHECK(!tp_pool_verify(&ticks_pool, &finding));
  CHECK_EQ(finding.broken, TP_BROKEN_AGE);
  CHECK_EQ(finding.slot, 2);
}

static void verify_finds_damaged_poison(void)
{
  for (uint32_t i = 0; i < 3; i++) {
    start();
    notes[2]->words[i] ^= 1;
    CHECK(!tp_pool_verify(&notes_pool, &finding));
    CHECK_EQ(finding.broken, TP_BROKEN_POISON);
    CHECK_EQ(finding.slot, 3);
  }
}

static void verify_finds_a_damaged_red_zone(void)
{
  for (uint32_t slot = 2; slot <= 4; slot += 2) {
    start();
    tp_word_t *behind = (tp_word_t *)(notes[slot - 1] + 1);
    *behind ^= 1;
    CHECK(!tp_pool_verify(&notes_pool, &finding));
    CHECK_EQ(finding.broken, TP_BROKEN_ZONE);
    CHECK_EQ(finding.slot, slot);
  }
}

static void at_full_any_call_finds_damage_anywhere_in_the_pool(void)
{
  start();
  notes_free(notes[1]);
  notes_free(notes[0]);
  notes[2]->words[1] = 7;  // Not the one that is issued next.
  CHECK_FAULTS(TP_FAULT_POISON, notes_alloc());
  CHECK_EQ(tp_fault_record.slot, 3);
  CHECK_EQ(tp_fault_record.offset, 8);

  start();
  notes_free(notes[0]);
  notes[2]->pitch += 0x10000;
  CHECK_FAULTS(TP_FAULT_LINK, notes_free(notes[3]));
  CHECK_EQ(tp_fault_record.slot, 3);
}

static void at_full_counts_that_disagree_are_a_fault_of_the_next_call(void)
{
  start();
  notes_pool.age[2].newer = 1;

  CHECK_FAULTS(TP_FAULT_INVARIANT, notes_alloc());

  CHECK_EQ(tp_fault_record.found, TP_BROKEN_AGE);
}

// Of live slots and dead ones, issued before or never.
static bool finds_each_flip(const struct tp_pool *pool, uint32_t bits)
{
  for (uint32_t slot = 1; slot <= pool->capacity; slot++) {
    for (uint32_t bit = 0; bit < bits; bit++) {
      pool->tag[slot] ^= 1u << bit;
      bool found = !tp_pool_verify(pool, &finding);
      pool->tag[slot] ^= 1u << bit;
      if (!found || finding.broken != TP_BROKEN_TAG) return false;
    }
  }
  return tp_pool_verify(pool, NULL);
}

static void verify_finds_each_flipped_bit_of_a_generation_of_handles(void)
{
  tp_test_forget(&ticks_pool);
  for (uint32_t i = 0; i < 100; i++) ticks_free(ticks_alloc());
  ticks_alloc();
  CHECK(finds_each_flip(&ticks_pool, 31));
  for (uint32_t i = 0; i < 9; i++) ticks_alloc();
  CHECK(finds_each_flip(&ticks_pool, 31));
  tp_test_forget(&vault_pool);
  for (uint32_t i = 0; i < 3; i++) vault_alloc();
  CHECK(finds_each_flip(&vault_pool, 31));
}

static void the_sum_of_generations_goes_on_where_it_wraps(void)
{
  tp_test_forget(&vault_pool);
  for (uint32_t i = 0; i < 2 * UINT16_MAX; i++) {
    tp_pool_free(&vault_pool, tp_pool_alloc(&vault_pool));
    if (i % 1000 != 0 && vault_pool.state->generations > 2) continue;
    CHECK(tp_pool_verify(&vault_pool, NULL));
  }
}

static void at_full_a_generation_that_was_written_over_faults_at_the_next_call(
    void)
{
  tp_test_forget(&crates_pool);
  struct crate *crate = crates_alloc();
  crates_pool.tag[1] ^= 0x400;
  CHECK_FAULTS(TP_FAULT_INVARIANT, crates_free(crate));
  CHECK_EQ(tp_fault_record.found, TP_BROKEN_TAG);
}

void suite_verify(void)
{
  RUN(verify_finds_nothing_wrong_with_a_sound_pool);
  RUN(verify_finds_more_slots_issued_than_there_are);
  RUN(verify_finds_a_broken_age_ring_at_every_link);
  RUN(verify_finds_a_ring_that_does_not_lead_back_at_every_link);
  RUN(verify_follows_no_link_to_a_slot_that_the_pool_does_not_have);
  RUN(the_live_bit_alone_says_that_a_slot_is_live);
  RUN(verify_finds_a_live_slot_on_the_list_of_a_pool_of_handles);
  RUN(verify_finds_a_dead_slot_on_the_ring_of_a_pool_of_handles);
  if (TP_CHECKS < TP_CHECKS_FAST) {
    RUN(off_verifies_that_the_list_stays_in_the_pool);
    RUN(off_verifies_that_the_ring_is_not_longer_than_it_can_be);
    return;
  }
  RUN(verify_finds_a_pinned_slot_with_half_a_ring);
  RUN(verify_finds_a_live_tag_of_a_slot_never_issued);
  RUN(verify_finds_a_list_that_leads_to_a_live_slot);
  RUN(verify_finds_a_list_that_leads_nowhere);
  RUN(verify_finds_a_list_that_goes_in_circles);
  RUN(verify_finds_a_live_slot_nobody_counted);
  RUN(verify_finds_a_slot_that_is_neither_live_nor_on_the_list);
  if (TP_CHECKS < TP_CHECKS_POISON) return;
  RUN(verify_finds_damaged_poison);
  RUN(verify_finds_each_flipped_bit_of_a_generation_of_handles);
  RUN(the_sum_of_generations_goes_on_where_it_wraps);
  if (TP_CHECKS < TP_CHECKS_FULL) return;
  RUN(verify_finds_a_damaged_red_zone);
  if (!AUDITED) return;
  RUN(at_full_any_call_finds_damage_anywhere_in_the_pool);
  RUN(at_full_counts_that_disagree_are_a_fault_of_the_next_call);
  RUN(at_full_a_generation_that_was_written_over_faults_at_the_next_call);
}
