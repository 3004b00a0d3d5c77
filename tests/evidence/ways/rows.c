// SPDX-License-Identifier: MIT
// What rows ask for and no table's own code does by calls of any pool: hardened
// pools that steal, whatever they mask, and notes by handles of both widths.
#define TP_HARDENED 1

#include "core/tp_core.h"
#include "core/tp_harden.h"
#include "object/tp_build.h"
#include "object/tp_owner.h"
#include "ways.h"

TP_HARDENED_CALLS;

static struct tp_pool pool;
static uint32_t told;

static void count_evicted(void *victim)
{
  told += victim != NULL;
}

// With [rules], who is stolen from is told, and none is that is younger than 5.
static void build(uint8_t lock, bool hardened, bool steals, bool rules)
{
  build_of(&pool, lock,
           (struct tp_build){.aged = steals,
                             .timed = rules,
                             .tagged = 1,
                             .refuses = !steals,
                             .min_age = rules ? 5 : 0,
                             .evict = rules ? count_evicted : NULL,
                             .policy = steals ? &tp_steal_oldest : &tp_drop});
  if (!hardened) return;
  pool.hardened = 1;
  pool.gate &= 0xffff;  // Quick calls are closed to it.
  pool.general = &tp_hardened_general;
  if (steals) pool.policy = &tp_hardened_oldest;
}

static void *taken[SLOTS];

static void fill(void)
{
  for (uint32_t slot = 0; slot < SLOTS; slot++) {
    taken[slot] = tp_pool_alloc(&pool);
    CHECK(taken[slot]);
  }
}

static void a_hardened_pool_of_any_lock_serves_all_calls(void)
{
  for (uint32_t i = 0; TP_CHECKS >= TP_CHECKS_FAST && i < 12; i++) {
    bool steals = i & 1, rules = i & 2;
    build(locks[i / 4], true, steals, steals && rules);
    tp_clock_now = told = 0;
    fill();
    tp_clock_now = 3;
    CHECK((tp_pool_alloc(&pool) == taken[0]) == (steals && !rules));
    tp_clock_now = 5;
    CHECK((tp_pool_alloc(&pool) != NULL) == steals);
    CHECK_EQ(told, steals && rules);
    tp_pool_free(&pool, taken[1]);
    uint32_t tag;
    CHECK(tp_hardened_alloc(&pool, &tag, NULL) == taken[1]);
    CHECK_EQ(tag, pool.tag[2]);
    tp_pool_free(&pool, taken[1]);
    CHECK_FAULTS(TP_FAULT_DOUBLE_FREE, tp_pool_free(&pool, taken[1]));
    struct tp_finding finding;
    CHECK(tp_pool_verify(&pool, &finding));
    tp_pool_reset(&pool);
    struct tp_stats stats;
    tp_pool_stats(&pool, &stats);
    CHECK_EQ(stats.live, 0);
  }
}

// As if the slot had died as often as its code counts.
static void age(uint32_t slot, bool live)
{
  uint32_t deaths = live ? TP_CODE_LIVES - 1 : TP_CODE_LIVES;
  pool.tag[slot] = deaths * TP_CODE_LIFE + (live ? TP_CODE_BIRTH : 0);
}

static void a_code_begins_again_whatever_is_masked(void)
{
  for (uint32_t i = 0; TP_CHECKS >= TP_CHECKS_FAST && i < 3; i++) {
    build(locks[i], true, true, false);
    fill();
    age(1, true);
    CHECK(tp_pool_alloc(&pool) == taken[0]);
    CHECK_EQ(tp_code_issues(pool.tag[1]), 2);
    tp_pool_free(&pool, taken[1]);
    age(2, false);
    CHECK(tp_pool_alloc(&pool) == taken[1]);
    CHECK_EQ(tp_code_issues(pool.tag[2]), 2);
  }
}

static void damage_of_a_hardened_pool_that_steals_is_found(void)
{
  for (uint32_t i = 0; TP_CHECKS >= TP_CHECKS_FAST && i < 3; i++) {
    build(locks[i], true, true, false);
    fill();
    pool.tag[1] ^= 2;
    CHECK_FAULTS(TP_FAULT_TAG, tp_pool_alloc(&pool));
    CHECK_FAULTS(TP_FAULT_TAG, tp_pool_free(&pool, taken[0]));
    build(locks[i], true, true, false);
    fill();
    pool.age[0].newer = 9;
    CHECK_FAULTS(TP_FAULT_INVARIANT, tp_pool_alloc(&pool));
    pool.age[0].newer = 1;
    pool.age[1].newer = 9;
    CHECK_FAULTS(TP_FAULT_INVARIANT, tp_pool_alloc(&pool));
    CHECK_FAULTS(TP_FAULT_INVARIANT, tp_pool_free(&pool, taken[0]));
    build(locks[i], true, true, false);
    taken[0] = tp_pool_alloc(&pool);
    pool.age[0].older = 9;
    CHECK_FAULTS(TP_FAULT_INVARIANT, tp_pool_alloc(&pool));
    build(locks[i], true, true, false);
    taken[0] = tp_pool_alloc(&pool);
    tp_pool_free(&pool, taken[0]);
    pool.age[0].older = 9;
    CHECK_FAULTS(TP_FAULT_INVARIANT, tp_pool_alloc(&pool));
    for (uint32_t slot = 0; slot <= SLOTS; slot++) pool.age[slot].newer = 0;
  }
}

// Of slot 2, the middle one: its own links lead out of the pool, or those of
// its neighbours do not lead to it.
static void each_link_that_a_free_goes_by_is_looked_at(void)
{
  for (uint32_t i = 0; TP_CHECKS >= TP_CHECKS_FAST && i < 12; i++) {
    build(locks[i / 4], true, true, false);
    fill();
    if (i % 4 == 0) pool.age[2].older = 9;
    if (i % 4 == 1) pool.age[2].newer = 9;
    if (i % 4 == 2) pool.age[1].newer = 3;
    if (i % 4 == 3) pool.age[3].older = 1;
    CHECK_FAULTS(TP_FAULT_INVARIANT, tp_pool_free(&pool, taken[1]));
    CHECK_EQ(tp_fault_record.slot, 2);
  }
}

static void who_joins_a_hardened_ring_finds_its_head_broken(void)
{
  for (uint32_t i = 0; TP_CHECKS >= TP_CHECKS_FAST && i < 3; i++) {
    build(locks[i], true, true, false);
    fill();
    pool.age[0].older = 9;
    CHECK_FAULTS(TP_FAULT_INVARIANT, tp_pool_alloc(&pool));
    CHECK_EQ(tp_fault_record.slot, 0);
    build(locks[i], true, true, false);
    fill();
    tp_pool_free(&pool, taken[1]);
    pool.age[0].older = 9;
    CHECK_FAULTS(TP_FAULT_INVARIANT, tp_pool_alloc(&pool));
    CHECK_EQ(tp_fault_record.slot, 0);
  }
}

static void of_two_things_that_are_wrong_the_tag_is_told(void)
{
  for (uint32_t i = 0; TP_CHECKS >= TP_CHECKS_FAST && i < 3; i++) {
    build(locks[i], true, true, false);
    fill();
    pool.tag[1] ^= 2;
    pool.age[1].newer = 9;
    CHECK_FAULTS(TP_FAULT_TAG, tp_pool_alloc(&pool));
    CHECK_EQ(tp_fault_record.slot, 1);
  }
}

static void break_tag(void *victim)
{
  (void)victim;
  pool.tag[1] ^= 2;
}

// By who is told of the theft; and of a slot that was never issued.
static void a_tag_that_is_none_is_not_issued_whatever_is_masked(void)
{
  for (uint32_t i = 0; TP_CHECKS >= TP_CHECKS_FAST && i < 3; i++) {
    build(locks[i], true, true, false);
    fill();
    pool.evict = break_tag;
    CHECK_FAULTS(TP_FAULT_TAG, tp_pool_alloc(&pool));
    CHECK_EQ(tp_fault_record.slot, 1);
    build(locks[i], true, true, false);
    pool.tag[1] = 2;
    CHECK_FAULTS(TP_FAULT_TAG, tp_pool_alloc(&pool));
    CHECK_EQ(tp_fault_record.slot, 1);
    build(locks[i], true, true, false);
    age(1, false);
    CHECK(tp_pool_alloc(&pool));
    CHECK_EQ(tp_code_issues(pool.tag[1]), 2);
  }
}

static void a_count_that_is_wrong_is_found_whatever_is_masked(void)
{
  for (uint32_t i = 0; TP_CHECKS >= TP_CHECKS_FAST && i < 3; i++) {
    build(locks[i], true, false, false);
    fill();
    pool.tag[0] = 0x10000u;
    CHECK_FAULTS(TP_FAULT_INVARIANT, tp_pool_alloc(&pool));
    CHECK_EQ(tp_fault_record.found, SLOTS);
    CHECK_EQ(tp_fault_record.expected, 1);
  }
}

static void a_tag_that_is_none_counts_for_no_request(void)
{
  if (TP_CHECKS < TP_CHECKS_FAST) return;
  struct tp_stats stats;
  build(TP_LOCK_PRIMASK, true, false, false);
  fill();
  pool.tag[1] ^= 2;
  tp_pool_stats(&pool, &stats);
  CHECK_EQ(stats.allocs, SLOTS - 1);
}

static struct tp_owner owners[SLOTS];
static const struct tp_owned owned = {.pool = &pool, .owners = owners};

static void notes_are_made_by_handles_of_both_widths_whatever_is_masked(void)
{
  for (uint32_t i = 0; i < 3; i++) {
    build(locks[i], false, false, false);
    tp_handle_t handle;
    tp_handle64_t wide;
    void *object = tp_handle_alloc_aged(&pool, &handle);
    CHECK(tp_owner_take_handle(&owned, object, &handle) == object);
    CHECK(tp_owner_of(&owned, object));
    CHECK(tp_owner_give_handle(&owned, handle) == handle);
    CHECK(tp_handle_free_aged(&pool, handle));
    CHECK(tp_owner_take_handle(&owned, object, &handle) == object);
    CHECK(tp_owner_give_handle(&owned, handle) == handle);
    object = tp_handle64_alloc_aged(&pool, &wide);
    CHECK(tp_owner_take_handle64(&owned, object, &wide) == object);
    CHECK(tp_owner_of(&owned, object));
    CHECK(tp_owner_give_handle64(&owned, wide) == wide);
    CHECK(tp_handle64_free_aged(&pool, wide));
    CHECK(tp_owner_take_handle64(&owned, object, &wide) == object);
    CHECK(tp_owner_give_handle64(&owned, wide) == wide);
    wide = TP_NO_HANDLE;
    CHECK(tp_owner_take_handle64(&owned, object, &wide) == object);
    CHECK(tp_owner_give_handle64(&owned, wide) == wide);
    wide = (tp_handle64_t)1 << 47 | 0xffff;
    CHECK(tp_owner_give_handle64(&owned, wide) == wide);
    CHECK(tp_owner_take(&owned, object) == object);
    CHECK(tp_owner_give(&owned, object) == object);
  }
}

void suite_rows(void)
{
  RUN(a_hardened_pool_of_any_lock_serves_all_calls);
  RUN(a_code_begins_again_whatever_is_masked);
  RUN(damage_of_a_hardened_pool_that_steals_is_found);
  RUN(each_link_that_a_free_goes_by_is_looked_at);
  RUN(who_joins_a_hardened_ring_finds_its_head_broken);
  RUN(of_two_things_that_are_wrong_the_tag_is_told);
  RUN(a_tag_that_is_none_is_not_issued_whatever_is_masked);
  RUN(a_count_that_is_wrong_is_found_whatever_is_masked);
  RUN(a_tag_that_is_none_counts_for_no_request);
  RUN(notes_are_made_by_handles_of_both_widths_whatever_is_masked);
}
