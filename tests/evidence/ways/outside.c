// SPDX-License-Identifier: MIT
// Rows with link = "outside", by the calls of any pool, whatever they mask: at
// off too, where they are all that has a pool of tp_harden.c.
#define TP_HARDENED 1

#include "core/tp_core.h"
#include "core/tp_slot.h"
#include "object/tp_build.h"
#include "ways.h"

static struct tp_pool pool;
static uint32_t tags[SLOTS + 1 + SLOTS];  // And the links behind them.
static uint8_t links = TP_OUTSIDE;        // Or 0: in the slots, as of any pool.
static uint32_t told;
static void *taken[SLOTS];

static void count_evicted(void *victim)
{
  told += victim != NULL;
}

// With [rules], who is stolen from is told, and none is that is younger than 5.
static void build(uint8_t lock, bool tagged, bool steals, bool rules)
{
  build_of(
      &pool, lock,
      (struct tp_build){.aged = steals,
                        .timed = rules,
                        .tagged = tagged,
                        .refuses = !steals,
                        .min_age = rules ? 5 : 0,
                        .evict = rules ? count_evicted : NULL,
                        .policy = steals ? &tp_hardened_oldest : &tp_drop});
  for (uint32_t i = 0; i < sizeof tags / sizeof tags[0]; i++) tags[i] = 0;
  pool.tag = tags;
  pool.hardened = links;
  pool.gate &= 0xffff;  // Quick calls are closed to it.
  pool.general = &tp_hardened_general;
  tp_clock_now = told = 0;
}

static void fill(void)
{
  for (uint32_t slot = 0; slot < SLOTS; slot++) {
    taken[slot] = tp_pool_alloc(&pool);
    CHECK(taken[slot]);
  }
}

// What is written to a dead slot leads nowhere.
static void free_and_write_over(void *object)
{
  tp_pool_free(&pool, object);
  if (links) *(tp_word_t *)object = (tp_word_t)0xdeadbeefu;
}

static void a_pool_of_any_lock_serves_all_calls(void)
{
  for (uint32_t i = 0; i < 24; i++) {
    bool steals = i & 1, rules = i & 2;
    build(locks[i / 8], i & 4, steals, steals && rules);
    fill();
    tp_clock_now = 3;
    CHECK((tp_pool_alloc(&pool) == taken[0]) == (steals && !rules));
    CHECK(steals || !tp_hardened_alloc(&pool, NULL, NULL));
    tp_clock_now = 5;
    CHECK((tp_pool_alloc(&pool) != NULL) == steals);
    CHECK_EQ(told, steals && rules);
    free_and_write_over(taken[1]);
    free_and_write_over(taken[2]);
    CHECK(tp_hardened_extend(&pool, NULL, NULL) == taken[2]);
    CHECK(tp_hardened_alloc(&pool, NULL, NULL) == taken[1]);
    CHECK(tp_pool_verify(&pool, NULL));
    tp_pool_reset(&pool);
    CHECK_EQ(tp_pool_live(&pool), 0);
    CHECK(tp_pool_alloc(&pool) == taken[0]);
  }
}

static void each_request_is_told_the_tag_that_it_has(void)
{
  for (uint32_t i = 0; i < 12; i++) {
    bool steals = i & 1, rules = i & 2;
    uint32_t tag = 0;
    build(locks[i / 4], true, steals, steals && rules);
    for (uint32_t slot = 0; slot < SLOTS; slot++) {
      taken[slot] = tp_hardened_alloc(&pool, &tag, NULL);
      CHECK_EQ(tag, pool.tag[slot + 1]);
    }
    tp_clock_now = 5;
    CHECK((tp_hardened_alloc(&pool, &tag, NULL) != NULL) == steals);
    CHECK(!steals || tag == pool.tag[1]);
    free_and_write_over(taken[1]);
    CHECK(tp_hardened_alloc(&pool, &tag, NULL) == taken[1]);
    CHECK_EQ(tag, pool.tag[2]);
  }
}

// Of a slot on the list, of one that was never issued, and of one stolen.
static void a_generation_begins_anew_wherever_it_ends(void)
{
  for (uint32_t i = 0; i < 6; i++) {
    build(locks[i / 2], true, i & 1, false);
    pool.tag[1] = 0x7fffffffu;
    fill();
    CHECK_EQ(pool.tag[1], 0x80000001u);
    free_and_write_over(taken[1]);
    pool.tag[2] = 0x7fffffffu;
    CHECK(tp_pool_alloc(&pool) == taken[1]);
    CHECK_EQ(pool.tag[2], 0x80000001u);
    pool.tag[1] = ~0u;
    CHECK((tp_pool_alloc(&pool) == taken[0]) == (i & 1));
    CHECK_EQ(pool.tag[1], i & 1 ? 0x80000001u : ~0u);
  }
}

static void a_live_slot_on_the_list_is_found_whatever_is_masked(void)
{
  for (uint32_t i = 0; i < 6; i++) {
    build(locks[i / 2], true, i & 1, false);
    fill();
    free_and_write_over(taken[1]);
    CHECK_FAULTS(TP_FAULT_DOUBLE_FREE, tp_pool_free(&pool, taken[1]));
    pool.tag[2] |= 0x80000000u;
    CHECK_FAULTS(TP_FAULT_TAG, tp_pool_alloc(&pool));
    CHECK_EQ(tp_fault_record.slot, 2);
  }
}

// Who lives, which the list word counts from fast up; and how many were ever
// issued. No slot is made up.
static void what_counts_wrong_makes_no_slot_up(void)
{
  for (uint32_t i = 0; i < 3; i++) {
    build(locks[i], true, false, false);
    fill();
    if (TP_CHECKS >= TP_CHECKS_FAST) pool.tag[0] = 0x10000u;
    CHECK(!tp_pool_alloc(&pool));
    CHECK_EQ(pool.state->overflows, 1);
    build(locks[i], true, false, false);
    pool.state->fresh = SLOTS + 1;
    CHECK(!tp_pool_alloc(&pool));
    CHECK_EQ(pool.state->overflows, 1);
  }
}

static void a_reset_of_what_was_written_over_is_a_fault(void)
{
  for (uint32_t i = 0; i < 3; i++) {
    build(locks[i], true, false, false);
    fill();
    pool.state->fresh = SLOTS + 1;
    if (!links && TP_CHECKS < TP_CHECKS_FAST) return;
    CHECK_FAULTS(TP_FAULT_INVARIANT, tp_pool_reset(&pool));
    pool.state->fresh = SLOTS;
    tp_pool_reset(&pool);
    CHECK_EQ(tp_pool_live(&pool), 0);
  }
}

static void who_steals_finds_all_pinned(void)
{
  for (uint32_t i = 0; i < 6; i++) {
    build(locks[i / 2], i & 1, true, false);
    fill();
    for (uint32_t slot = 0; slot < SLOTS; slot++) {
      tp_pool_pin(&pool, taken[slot]);
    }
    CHECK(!tp_pool_alloc(&pool));
    CHECK_EQ(pool.state->refused_by_rule, 1);
  }
}

static bool known;

static bool take_back(const struct tp_pool *of, void *object, tp_site_t site)
{
  (void)of;
  (void)site;
  known = object == &known;
  return known;
}

static void what_no_slot_is_is_asked_of_who_may_know_it(void)
{
  struct tp_policy knows = tp_drop;
  knows.take_back = take_back;
  for (uint32_t i = 0; i < 6; i++) {
    build(locks[i / 2], i & 1, false, false);
    if (TP_CHECKS >= TP_CHECKS_FAST || (i & 1) || links) {  // Slots are known.
      CHECK_FAULTS(TP_FAULT_FOREIGN, tp_pool_free(&pool, &pool));
    }
    pool.policy = &knows;
    pool.takes_foreign = 1;
    known = false;
    tp_pool_free(&pool, &known);
    CHECK(known);
    CHECK_FAULTS(TP_FAULT_FOREIGN, tp_pool_free(&pool, &pool));
  }
}

static void a_list_that_leads_nowhere_is_found_whatever_is_masked(void)
{
  for (uint32_t i = 0; TP_CHECKS >= TP_CHECKS_FAST && i < 12; i++) {
    build(locks[i / 4], true, i & 1, false);
    fill();
    tp_pool_free(&pool, taken[1]);
    pool.tag[0] |= 0x7000u;
    CHECK_FAULTS(TP_FAULT_LINK, tp_pool_alloc(&pool));
    CHECK_FAULTS(TP_FAULT_LINK, tp_hardened_alloc(&pool, NULL, NULL));
    pool.tag[0] = 0x20002u;
    tp_list_link(&pool, taken[1], 2)[0] ^= 0x10000u;
    CHECK_FAULTS(TP_FAULT_LINK, tp_hardened_alloc(&pool, NULL, NULL));
    CHECK_FAULTS(TP_FAULT_FOREIGN,
                 tp_hardened_general.free(&pool, &told, NULL));
  }
}

static void run_all(void)
{
  RUN(a_pool_of_any_lock_serves_all_calls);
  RUN(each_request_is_told_the_tag_that_it_has);
  RUN(a_generation_begins_anew_wherever_it_ends);
  RUN(a_live_slot_on_the_list_is_found_whatever_is_masked);
  RUN(a_list_that_leads_nowhere_is_found_whatever_is_masked);
  RUN(what_counts_wrong_makes_no_slot_up);
  RUN(a_reset_of_what_was_written_over_is_a_fault);
  RUN(who_steals_finds_all_pinned);
  RUN(what_no_slot_is_is_asked_of_who_may_know_it);
}

// The same calls serve a pool whose links are in its slots.
void suite_outside(void)
{
  run_all();
  links = 0;
  run_all();
}
