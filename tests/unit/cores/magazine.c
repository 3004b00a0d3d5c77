// SPDX-License-Identifier: MIT
// Slots that a core keeps for itself. A pool of four, two of them each core's.
#include "magazine.h"

#include "core/tp_slot.h"
#include "core/tp_totals.h"
#include "tp_pools.h"
#include "tp_test.h"

enum { COUNT = 4, KEPT = 2 };

static void *crate[COUNT];

static uint32_t *magazine(uint32_t core)
{
  return tp_slot_magazines(&crates_pool) + core;
}

static uint32_t count_of(uint32_t word)
{
  return (uint16_t)-(word >> 16);
}

static uint32_t kept(uint32_t core)
{
  return count_of(*magazine(core));
}

static void begin(void)
{
  tp_test_forget(&crates_pool);
  for (uint32_t i = 0; i < COUNT * crates_pool.stride / 4u; i++) {
    crates_pool.storage[i] = 0;
  }
  cores_number = 0;
  cores_taken = 0;
}

// As at boot, but core 0 was issued so many, which stand in crate[].
static void issue(uint32_t count)
{
  begin();
  for (uint32_t i = 0; i < count; i++) crate[i] = crates_alloc();
}

// And gave them back, the first one first.
static void keep(uint32_t count)
{
  issue(count);
  for (uint32_t i = 0; i < count; i++) crates_free(crate[i]);
}

// How often [core] takes the lock of both to allocate, and what it is issued.
static uint32_t windows_of_alloc(uint32_t core, void **object)
{
  cores_number = core;
  uint32_t before = cores_windows;
  *object = crates_alloc();
  return cores_windows - before;
}

static uint32_t windows_of_free(uint32_t core, void *object)
{
  cores_number = core;
  uint32_t before = cores_windows;
  crates_free(object);
  return cores_windows - before;
}

static enum tp_broken broken(void)
{
  struct tp_finding finding;
  tp_pool_verify(&crates_pool, &finding);
  return (enum tp_broken)finding.broken;
}

static void what_a_core_gives_back_it_is_issued_without_the_lock_of_both(void)
{
  void *again;
  issue(2);
  for (uint32_t i = 0; i < 2; i++) {
    CHECK((windows_of_free(0, crate[i]) == 0) != AUDITED);
  }
  for (uint32_t i = 2; i-- > 0;) {
    CHECK((windows_of_alloc(0, &again) == 0) != AUDITED);
    CHECK(again == crate[i]);
  }
  CHECK(tp_pool_verify(&crates_pool, NULL));
}

static void one_whose_last_slot_is_the_newest_is_issued_too(void)
{
  issue(2);
  crates_free(crate[1]);
  crates_free(crate[0]);
  CHECK(crates_alloc() == crate[0]);
  CHECK(crates_alloc() == crate[1]);
}

static void what_a_magazine_has_no_room_for_is_for_both(void)
{
  void *other;
  issue(3);
  crates_free(crate[0]);
  crates_free(crate[1]);
  CHECK(windows_of_free(0, crate[2]) > 0);
  CHECK_EQ(kept(0), KEPT);
  CHECK(windows_of_alloc(1, &other) > 0);
  CHECK(other == crate[2]);
  CHECK(tp_pool_verify(&crates_pool, NULL));
}

// How many of all its slots, given back by one core, the other is not issued.
static uint32_t kept_of(const struct tp_pool *pool)
{
  static void *object[300];
  tp_test_forget(pool);
  cores_number = 0;
  for (uint32_t i = 0; i < 300; i++) object[i] = tp_magazine_alloc(pool);
  for (uint32_t i = 0; i < 300; i++) tp_magazine_free(pool, object[i]);
  return count_of(tp_slot_magazines(pool)[0]);
}

static void a_core_keeps_as_many_as_its_row_says(void)
{
  CHECK_EQ(kept_of(&jars_pool), 1);
  CHECK(tp_pool_verify(&jars_pool, NULL));
  CHECK_EQ(kept_of(&barrels_pool), 255);
  CHECK(tp_pool_verify(&barrels_pool, NULL));
  cores_number = 1;
  for (uint32_t i = 0; i < 45; i++) CHECK(barrels_alloc() != NULL);
  CHECK_FAULTS(TP_FAULT_FULL, barrels_alloc());
  cores_number = 0;
  for (uint32_t i = 0; i < 255; i++) CHECK(barrels_alloc() != NULL);
  CHECK_EQ(tp_pool_live(&barrels_pool), TP_CHECKS >= TP_CHECKS_FAST ? 300 : 0);
}

static void the_other_core_is_refused_what_this_one_keeps(void)
{
  void *other[COUNT];
  keep(2);
  cores_number = 1;
  for (uint32_t i = 0; i < COUNT; i++) other[i] = crates_alloc();
  CHECK(other[1] && !other[2] && !other[3]);
  CHECK(other[0] != crate[0] && other[0] != crate[1]);
  CHECK(other[1] != crate[0] && other[1] != crate[1]);
  cores_number = 0;
  CHECK(crates_alloc() == crate[1]);
  CHECK(crates_alloc() == crate[0]);
  CHECK(crates_alloc() == NULL);
}

static void a_core_keeps_what_the_other_was_issued(void)
{
  void *again;
  issue(1);
  (void)windows_of_free(1, crate[0]);
  CHECK_EQ(kept(1), 1);
  CHECK_EQ(kept(0), 0);
  (void)windows_of_alloc(1, &again);
  CHECK(again == crate[0]);
}

static void slots_that_are_kept_do_not_live(void)
{
  bool counts = TP_CHECKS >= TP_CHECKS_FAST;
  struct tp_stats stats;
  keep(2);
  cores_number = 1;
  void *other = crates_alloc();
  crate[0] = crates_alloc();
  crates_free(other);
  tp_pool_stats(&crates_pool, &stats);
  CHECK_EQ(stats.live, counts ? 1 : 0);
  CHECK_EQ(stats.allocs, counts ? 4 : 0);
  CHECK_EQ(tp_pool_live(&crates_pool), counts ? 1 : 0);
  CHECK(tp_pool_verify(&crates_pool, NULL));
  crates_free(crate[0]);
  CHECK_EQ(tp_pool_live(&crates_pool), 0);
  CHECK(tp_pool_verify(&crates_pool, NULL));
}

static void calls_that_know_no_magazine_use_the_list_of_both(void)
{
  keep(1);
  void *object = tp_pool_alloc(&crates_pool);
  CHECK(object && object != crate[0]);
  tp_pool_free(&crates_pool, object);
  CHECK_EQ(kept(0), 1);
  CHECK(tp_pool_alloc(&crates_pool) == object);
  CHECK(tp_pool_verify(&crates_pool, NULL));
}

static void a_reset_empties_both_magazines(void)
{
  for (uint32_t how = 0; how < 2; how++) {
    issue(3);
    for (uint32_t i = 0; i < 3; i++) windows_of_free(i % 2, crate[i]);
    CHECK(kept(0) == 2 && kept(1) == 1);
    if (how == 0) tp_pool_reset(&crates_pool);
    if (how == 1) tp_pool_forget(&crates_pool);
    CHECK(kept(0) == 0 && kept(1) == 0);
    CHECK(tp_pool_verify(&crates_pool, NULL));
    cores_number = 1;
    for (uint32_t i = 0; i < COUNT; i++) crate[i] = crates_alloc();
    CHECK(crate[COUNT - 1] && !crates_alloc());
    CHECK(tp_pool_verify(&crates_pool, NULL));
  }
}

static void what_is_kept_cannot_be_given_back_again(void)
{
  if (TP_CHECKS < TP_CHECKS_FAST) return;
  for (uint32_t core = 0; core < 2; core++) {
    keep(2);
    cores_number = core;
    CHECK_FAULTS(TP_FAULT_DOUBLE_FREE, crates_free(crate[0]));
    CHECK_EQ(tp_fault_record.slot, 1);
    CHECK(!cores_held);
    CHECK(tp_pool_verify(&crates_pool, NULL));
  }
}

static void nor_is_what_is_no_object_of_it_taken(void)
{
  if (TP_CHECKS < TP_CHECKS_FAST) return;
  uint32_t foreign[4] = {0};
  issue(1);
  CHECK_FAULTS(TP_FAULT_FOREIGN, crates_free(foreign));
  CHECK_FAULTS(TP_FAULT_INTERIOR, crates_free((char *)crate[0] + 4));
  CHECK_EQ(kept(0), 0);
}

static void a_write_to_what_is_kept_is_found_when_it_is_issued(void)
{
  if (TP_CHECKS < TP_CHECKS_FAST) return;
  keep(2);
  *(uint32_t *)crate[1] = 0x12345678;
  CHECK_EQ(broken(), TP_BROKEN_LINK);
  CHECK_FAULTS(TP_FAULT_LINK, crates_alloc());
  CHECK_RECORD(crates_pool.name, crate[1], 0x12345678, 0xfffe0000);
  CHECK_EQ(tp_fault_record.slot, 2);
  CHECK_EQ(tp_fault_record.offset, 0);
  CHECK(!cores_held);
  if (TP_CHECKS < TP_CHECKS_POISON) return;
  keep(2);
  ((uint32_t *)crate[1])[2] = 0x12345678;
  CHECK_EQ(broken(), TP_BROKEN_POISON);
  CHECK_FAULTS(TP_FAULT_POISON, crates_alloc());
  CHECK_EQ(tp_fault_record.slot, 2);
}

static void a_magazine_that_names_no_slot_is_a_broken_list(void)
{
  if (TP_CHECKS < TP_CHECKS_FAST) return;
  keep(2);
  *magazine(0) = 0xfffe0000u + COUNT + 1;
  CHECK_EQ(broken(), TP_BROKEN_LIST);
  if (AUDITED) {
    CHECK_FAULTS(TP_FAULT_INVARIANT, crates_alloc());
    return;
  }
  CHECK_FAULTS(TP_FAULT_LINK, crates_alloc());
  CHECK_EQ(tp_fault_record.slot, 0);
  CHECK_EQ(tp_fault_record.offset, 0);
  CHECK_EQ(tp_fault_record.found, 0xfffe0000u + COUNT + 1);
  CHECK_EQ(tp_fault_record.expected, 2);
  CHECK(!cores_held);
}

static void one_that_leads_to_a_live_slot_issues_it_to_nobody(void)
{
  if (TP_CHECKS < TP_CHECKS_FAST) return;
  keep(2);
  tp_test_set_tag(&crates_pool, 2, TP_LIVE + 1);
  CHECK_EQ(broken(), TP_BROKEN_LIST);
  CHECK_FAULTS(TP_FAULT_TAG, crates_alloc());
  CHECK_EQ(tp_fault_record.slot, 2);
  CHECK_EQ(tp_fault_record.found, TP_LIVE + 1);
  CHECK_EQ(tp_fault_record.expected, 1);
  CHECK(!cores_held);
}

// Whose owner wrote to it: what stands there is no link.
static void nor_one_that_leads_to_what_its_owner_wrote(void)
{
  if (TP_CHECKS < TP_CHECKS_FAST) return;
  issue(3);
  crates_free(crate[0]);
  *(uint32_t *)crate[2] = 0x12345678;
  *magazine(0) += 2;
  CHECK_EQ(broken(), TP_BROKEN_LIST);
  CHECK_FAULTS(TP_FAULT_TAG, crates_alloc());
  CHECK_EQ(tp_fault_record.slot, 3);
  CHECK_EQ(tp_fault_record.found, TP_LIVE + 1);
  CHECK(!cores_held);
}

static void the_other_magazine_is_looked_at_too(void)
{
  if (TP_CHECKS < TP_CHECKS_FAST) return;
  issue(1);
  cores_number = 1;
  crates_free(crate[0]);
  *(uint32_t *)crate[0] = 0x12345678;
  CHECK_EQ(broken(), TP_BROKEN_LINK);
}

// What a list of two cores is not compared with, these are.
static void a_slot_that_a_magazine_lost_is_missed(void)
{
  keep(2);
  const bool counts = TP_CHECKS >= TP_CHECKS_FAST;
  *magazine(0) += 0x10000;
  CHECK_EQ(broken(), counts ? TP_BROKEN_LINK : TP_BROKEN_LENGTH);
  *magazine(0) -= 0x10000;
  *magazine(1) += 0x10000;
  CHECK_EQ(broken(), counts ? TP_BROKEN_LENGTH : TP_BROKEN_LIST);
  *magazine(1) -= 0x10000;
  CHECK_EQ(broken(), TP_SOUND);
  if (TP_CHECKS < TP_CHECKS_FAST) return;
  *magazine(0) = 0;
  CHECK_EQ(broken(), TP_BROKEN_LIVE);
}

// One bit of a word, and its core keeps what the other does.
static void a_slot_that_two_magazines_lead_to_is_found(void)
{
  issue(2);
  windows_of_free(0, crate[0]);
  windows_of_free(1, crate[1]);
  CHECK_EQ(broken(), TP_SOUND);
  *magazine(0) ^= 1u ^ 2u;
  CHECK_EQ(broken(), TP_BROKEN_LIST);
}

// Each bit of the word, with nothing kept, something, and all.
static void a_bit_that_was_flipped_issues_no_slot_twice(void)
{
  if (TP_CHECKS < TP_CHECKS_FAST) return;
  for (uint32_t i = 0; i < 32 * (KEPT + 1); i++) {
    volatile uint32_t count = 0;
    keep(i / 32);
    *magazine(0) ^= 1u << i % 32;
    if (setjmp(tp_test_resume) == 0) {
      tp_test_expect_fault();
      for (; count < COUNT; count++) crate[count] = crates_alloc();
    }
    for (uint32_t j = 1; j < count; j++) {
      for (uint32_t k = 0; k < j; k++) CHECK(!crate[j] || crate[j] != crate[k]);
    }
  }
}

static void a_generation_that_can_count_no_further_starts_again(void)
{
  if (TP_CHECKS < TP_CHECKS_FAST) return;
  keep(2);
  tp_test_set_tag(&crates_pool, 2, TP_GENERATION_MAX);
  CHECK(crates_alloc() == crate[1]);
  CHECK_EQ(crates_pool.tag[2], TP_LIVE + 1);
  CHECK_EQ(kept(0), 1);
  CHECK(tp_pool_verify(&crates_pool, NULL));
}

static void *taken;

static void take(void)
{
  taken = crates_alloc();
}

static void give(void)
{
  taken = NULL;
  crates_free(crate[3]);
}

// Of [kept] slots in the magazine, the first one's generation begins again.
static uint32_t interrupt_allocs(uint32_t kept, void (*handler)(void))
{
  for (uint32_t edge = 1;; edge++) {
    keep(kept);
    crate[3] = handler == give ? tp_pool_alloc(&crates_pool) : NULL;
    if (TP_CHECKS >= TP_CHECKS_FAST) {
      tp_test_set_tag(&crates_pool, kept, TP_GENERATION_MAX);
    }
    tp_port_interrupt_after(edge, handler);
    void *object = crates_alloc();
    if (tp_port_due > 0) {
      tp_port_interrupt_after(0, NULL);
      return edge;
    }
    if (!object || object == taken || !tp_pool_verify(&crates_pool, NULL)) {
      return 0;
    }
  }
}

static void an_interrupt_at_any_edge_of_a_request_takes_no_slot_of_it(void)
{
  for (uint32_t kept = 1; kept <= KEPT; kept++) {
    CHECK(interrupt_allocs(kept, take) > 2);
    CHECK(interrupt_allocs(kept, give) > 2);
  }
}

// Once its core's magazine was empty, and it looks at the list of both.
static void what_an_interrupt_gives_back_while_it_looks_may_be_refused(void)
{
  uint32_t refused = 0, served = 0;
  for (uint32_t edge = 1;; edge++) {
    issue(COUNT);
    tp_port_interrupt_after(edge, give);
    void *object = crates_alloc();
    if (tp_port_due > 0) break;
    CHECK(!object || object == crate[3]);
    served += object != NULL;
    refused += object == NULL;
    if (!object) CHECK(crates_alloc() == crate[3]);
  }
  tp_port_interrupt_after(0, NULL);
  CHECK(refused > 0 && served > 0);
}

static void nor_of_a_free(void)
{
  uint32_t edge = 0;
  for (taken = NULL; tp_port_due == 0; edge++) {
    issue(3);
    crates_free(crate[0]);
    tp_port_interrupt_after(edge + 1, take);
    crates_free(crate[1]);
    if (tp_port_due == 0) {
      CHECK(taken == crate[0] || taken == crate[1]);
      CHECK_EQ(kept(0), 1);
      CHECK(tp_pool_verify(&crates_pool, NULL));
    }
  }
  tp_port_interrupt_after(0, NULL);
  CHECK(edge > 2);
}

static void damage(void)
{
  *(uint32_t *)crate[2] = 0x12345678;
}

// An interrupt of a call writes to what the other core keeps.
static bool damaged_at(uint32_t edge, bool frees)
{
  volatile bool found = false;
  issue(3);
  (void)windows_of_free(1, crate[2]);
  (void)windows_of_free(0, crate[1]);
  tp_port_interrupt_after(edge, damage);
  if (setjmp(tp_test_resume) == 0) {
    tp_test_expect_fault();
    if (frees) {
      crates_free(crate[0]);
    } else {
      (void)crates_alloc();
    }
  } else {
    found = true;
  }
  return found && tp_fault_record.kind == TP_FAULT_LINK;
}

static void at_full_a_call_finds_what_was_damaged_before_it_does_anything(void)
{
  if (!AUDITED) return;
  issue(3);
  (void)windows_of_free(1, crate[2]);
  damage();
  CHECK_FAULTS(TP_FAULT_LINK, crates_free(crate[0]));
  CHECK_EQ(crates_pool.tag[1], TP_LIVE + 1);
  CHECK_FAULTS(TP_FAULT_LINK, crates_alloc());
  CHECK_EQ(crates_pool.state->fresh, 3);
}

static void at_full_a_call_finds_what_was_damaged_while_it_went_on(void)
{
  if (!AUDITED) return;
  for (uint32_t frees = 0; frees < 2; frees++) {
    uint32_t edge = 1;
    while (damaged_at(edge, frees == 1)) edge++;
    CHECK(edge > 4);
    CHECK_EQ(tp_port_due, 0);
    CHECK(!damaged_at(edge + 1, frees == 1));  // That was the last edge.
    CHECK(tp_port_due > 0);
    tp_port_interrupt_after(0, NULL);
  }
}

static void nothing_stays_masked(void)
{
  keep(2);
  for (uint32_t i = 0; i < 5; i++) (void)crates_alloc();
  CHECK_EQ(tp_port_depth, 0);
  CHECK(!cores_held);
}

void run_magazines(void)
{
  RUN(what_a_core_gives_back_it_is_issued_without_the_lock_of_both);
  RUN(one_whose_last_slot_is_the_newest_is_issued_too);
  RUN(what_a_magazine_has_no_room_for_is_for_both);
  RUN(a_core_keeps_as_many_as_its_row_says);
  RUN(the_other_core_is_refused_what_this_one_keeps);
  RUN(a_core_keeps_what_the_other_was_issued);
  RUN(slots_that_are_kept_do_not_live);
  RUN(calls_that_know_no_magazine_use_the_list_of_both);
  RUN(a_reset_empties_both_magazines);
  RUN(what_is_kept_cannot_be_given_back_again);
  RUN(nor_is_what_is_no_object_of_it_taken);
  RUN(a_write_to_what_is_kept_is_found_when_it_is_issued);
  RUN(a_magazine_that_names_no_slot_is_a_broken_list);
  RUN(one_that_leads_to_a_live_slot_issues_it_to_nobody);
  RUN(nor_one_that_leads_to_what_its_owner_wrote);
  RUN(the_other_magazine_is_looked_at_too);
  RUN(a_slot_that_a_magazine_lost_is_missed);
  RUN(a_slot_that_two_magazines_lead_to_is_found);
  RUN(a_bit_that_was_flipped_issues_no_slot_twice);
  RUN(a_generation_that_can_count_no_further_starts_again);
  RUN(an_interrupt_at_any_edge_of_a_request_takes_no_slot_of_it);
  RUN(what_an_interrupt_gives_back_while_it_looks_may_be_refused);
  RUN(nor_of_a_free);
  RUN(at_full_a_call_finds_what_was_damaged_before_it_does_anything);
  RUN(at_full_a_call_finds_what_was_damaged_while_it_went_on);
  RUN(nothing_stays_masked);
}
