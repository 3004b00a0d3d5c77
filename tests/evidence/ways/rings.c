// SPDX-License-Identifier: MIT
// Rings and lists that were written over, found by each call that goes by them,
// whatever it masks.
#include "core/tp_core.h"
#include "object/tp_build.h"
#include "policy/tp_steal.h"
#include "policy/tp_steal_least.h"
#include "ways.h"

static struct tp_pool pool;
static void *taken[SLOTS];

static void build(uint8_t lock, const struct tp_policy *policy)
{
  build_of(&pool, lock,
           (struct tp_build){
               .aged = policy != &tp_drop, .tagged = 1, .policy = policy});
}

static void fill(void)
{
  for (uint32_t slot = 0; slot < SLOTS; slot++) {
    taken[slot] = tp_pool_alloc_for(&pool, NULL, NULL);
  }
}

// Slot 3 is on the ring no longer. Without tags it may be pinned.
static void verify_ends_where_a_ring_is_too_short(void)
{
  for (uint32_t tagged = 0; tagged < 2; tagged++) {
    struct tp_finding finding;
    bool known = TP_CHECKS >= TP_CHECKS_FAST || tagged;
    build(TP_LOCK_PRIMASK, &tp_steal_oldest);
    pool.tagged = (uint8_t)tagged;
    fill();
    CHECK(tp_pool_verify(&pool, NULL));
    pool.age[2].newer = 0;
    pool.age[0].older = 2;
    CHECK(tp_pool_verify(&pool, &finding) == !known);
    CHECK(tp_pool_verify(&pool, NULL) == !known);
    pool.age[3] = (struct tp_age_link){.older = 3, .newer = 3};  // Pinned.
    CHECK(tp_pool_verify(&pool, &finding));
  }
}

static void verify_ends_where_a_ring_does_not_lead_back(void)
{
  for (uint32_t tagged = 0; tagged < 2; tagged++) {
    struct tp_finding finding;
    build(TP_LOCK_PRIMASK, &tp_steal_oldest);
    pool.tagged = (uint8_t)tagged;
    fill();
    pool.age[3].newer = 1;
    CHECK(!tp_pool_verify(&pool, &finding));
    CHECK_EQ(finding.broken, TP_BROKEN_AGE);
    CHECK(!tp_pool_verify(&pool, NULL));
  }
}

static void what_is_freed_twice_is_a_fault_of_each_call(void)
{
  for (uint32_t i = 0; i < 6; i++) {
    build(locks[i / 2], i & 1 ? &tp_steal_oldest : &tp_drop);
    fill();
    tp_pool_free_for(&pool, taken[1], NULL);
    CHECK_FAULTS(TP_FAULT_DOUBLE_FREE, tp_aged_free(&pool, taken[1]));
    CHECK_FAULTS(TP_FAULT_DOUBLE_FREE, tp_unlocked_free(&pool, taken[1]));
    CHECK_FAULTS(TP_FAULT_DOUBLE_FREE, tp_pool_free_for(&pool, taken[1], NULL));
    CHECK_EQ(tp_fault_record.slot, 2);
  }
}

#if TP_CHECKS >= TP_CHECKS_FAST

enum { DAMAGES = 4 };

// Slot 2 is the middle one: its own links lead out of the pool, or those of its
// neighbours do not lead to it.
static void damage(uint32_t i)
{
  struct tp_age_link *age = pool.age;
  if (i == 0) age[2].older = 9;
  if (i == 1) age[2].newer = 9;
  if (i == 2) age[1].newer = 3;
  if (i == 3) age[3].older = 1;
}

static struct tp_generation second(void)
{
  return (struct tp_generation){2, pool.tag[2], ~0u};
}

// What takes slot 2 off the ring.
static void free_aged(void)
{
  tp_aged_free(&pool, taken[1]);
}

static void free_unlocked(void)
{
  tp_unlocked_free(&pool, taken[1]);
}

static void free_any(void)
{
  tp_pool_free_for(&pool, taken[1], NULL);
}

static void free_second(void)
{
  tp_generation_free(&pool, second(), NULL);
}

static void pin(void)
{
  tp_pool_pin(&pool, taken[1]);
}

static void (*const leave[])(void) = {free_aged, free_unlocked, free_any,
                                      free_second, pin};
enum { LEAVES = sizeof leave / sizeof leave[0] };

static void who_leaves_a_ring_finds_it_broken(void)
{
  for (uint32_t i = 0; i < 3 * LEAVES * DAMAGES; i++) {
    build(locks[i % 3], &tp_steal_oldest);
    fill();
    damage(i / 3 % DAMAGES);
    CHECK_FAULTS(TP_FAULT_INVARIANT, leave[i / 3 / DAMAGES]());
    CHECK_EQ(tp_fault_record.slot, 2);
  }
}

// What puts a slot on it.
static void alloc_aged(void)
{
  tp_aged_alloc(&pool);
}

static void alloc_unlocked(void)
{
  tp_unlocked_alloc(&pool);
}

static void alloc_any(void)
{
  tp_pool_alloc_for(&pool, NULL, NULL);
}

static void extend(void)
{
  tp_pool_extend(&pool, NULL, NULL);
}

static void (*const join[])(void) = {alloc_aged, alloc_unlocked, alloc_any,
                                     extend};
enum { JOINS = sizeof join / sizeof join[0] };

// Of a slot that was freed, and of one never issued.
static void who_joins_a_ring_finds_its_head_broken(void)
{
  for (uint32_t i = 0; i < 2 * 3 * JOINS; i++) {
    build(locks[i % 3], &tp_steal_oldest);
    if (i & 1) {
      fill();
      tp_pool_free_for(&pool, taken[1], NULL);
    }
    pool.age[0].older = 9;
    CHECK_FAULTS(TP_FAULT_INVARIANT, join[i / 6]());
    CHECK_EQ(tp_fault_record.slot, 0);
  }
}

// The head; and the oldest one's link, which leads to who is the oldest then.
static void who_steals_the_oldest_finds_the_ring_broken(void)
{
  for (uint32_t i = 0; i < 12; i++) {
    build(locks[i / 4], i & 1 ? &tp_steal_detached : &tp_steal_oldest);
    fill();
    *(i & 2 ? &pool.age[1].newer : &pool.age[0].older) = 9;
    CHECK_FAULTS(TP_FAULT_INVARIANT, tp_pool_alloc_for(&pool, NULL, NULL));
    CHECK_EQ(tp_fault_record.slot, 0);
  }
}

static void a_pin_of_any_lock_finds_what_is_wrong(void)
{
  for (uint32_t i = 0; i < 3; i++) {
    build(locks[i], &tp_steal_oldest);
    fill();
    tp_pool_pin(&pool, taken[1]);
    CHECK_FAULTS(TP_FAULT_PIN, tp_pool_pin(&pool, taken[1]));
    CHECK_FAULTS(TP_FAULT_PIN, tp_pool_unpin(&pool, taken[0]));
    pool.age[0].older = 9;
    CHECK_FAULTS(TP_FAULT_INVARIANT, tp_pool_unpin(&pool, taken[1]));
    CHECK_EQ(tp_fault_record.slot, 0);
  }
}

// The scan ends at slot 3, and slot 2 is the least: it is written over then.
static uint32_t visits, how;

static uint32_t score(const void *object)
{
  (void)object;
  if (++visits == SLOTS) damage(how);
  return visits == 2 ? 0 : 7;
}

static const struct tp_steal_least least = {
    {.overflow = tp_least_overflow}, score, 0};

static void what_is_written_over_behind_a_scan_is_found(void)
{
  for (uint32_t i = 0; i < 3 * DAMAGES; i++) {
    build(locks[i / DAMAGES], &least.policy);
    fill();
    visits = 0;
    how = i % DAMAGES;
    CHECK_FAULTS(TP_FAULT_INVARIANT, tp_least_alloc(&pool, 9));
    CHECK_EQ(tp_fault_record.slot, 2);
  }
}

static void a_scan_ends_where_a_link_leads_out_of_the_pool(void)
{
  for (uint32_t i = 0; i < 3; i++) {
    build(locks[i], &least.policy);
    fill();
    visits = 0;
    how = DAMAGES;  // None.
    pool.age[3].newer = 9;
    CHECK_FAULTS(TP_FAULT_INVARIANT, tp_least_alloc(&pool, 9));
    CHECK_EQ(tp_fault_record.slot, 3);
  }
}

static void break_head(void *victim)
{
  (void)victim;
  pool.age[0].older = 9;
}

// By who is told of the theft.
static void who_steals_the_least_finds_the_head_broken(void)
{
  for (uint32_t i = 0; i < 3; i++) {
    build(locks[i], &least.policy);
    fill();
    visits = 0;
    how = DAMAGES;  // None.
    pool.evict = break_head;
    CHECK_FAULTS(TP_FAULT_INVARIANT, tp_least_alloc(&pool, 9));
    CHECK_EQ(tp_fault_record.slot, 0);
  }
}

// Frees what it is asked about, so that this is issued, and breaks the head.
static uint32_t score_and_break(const void *object)
{
  tp_pool_free_for(&pool, (void *)(uintptr_t)object, NULL);
  pool.age[0].older = 9;
  return 1;
}

static const struct tp_steal_least disturbed = {
    {.overflow = tp_least_overflow}, score_and_break, 0};

static void what_a_scan_finds_freed_joins_no_broken_ring(void)
{
  for (uint32_t i = 0; i < 3; i++) {
    build(locks[i], &disturbed.policy);
    fill();
    CHECK_FAULTS(TP_FAULT_INVARIANT, tp_least_alloc(&pool, 9));
    CHECK_EQ(tp_fault_record.slot, 0);
  }
}

// A list whose link, or whose top, was written over.
static void each_call_that_makes_a_handle_finds_the_list_broken(void)
{
  tp_handle_t handle;
  tp_handle64_t wide;
  for (uint32_t i = 0; i < 2; i++) {
    build(TP_LOCK_PRIMASK, &tp_drop);
    fill();
    tp_pool_free_for(&pool, taken[1], NULL);
    if (i == 0) *(tp_word_t *)taken[1] ^= 0x10000u;
    if (i == 1) pool.tag[0] |= 0x7000u;
    CHECK_FAULTS(TP_FAULT_LINK, tp_handle_alloc(&pool, &handle));
    CHECK_FAULTS(TP_FAULT_LINK, tp_handle64_alloc(&pool, &wide));
    CHECK_FAULTS(TP_FAULT_LINK, tp_handle_alloc_aged(&pool, &handle));
    CHECK_FAULTS(TP_FAULT_LINK, tp_handle64_alloc_aged(&pool, &wide));
  }
}

static void each_call_that_makes_a_handle_finds_a_live_slot_on_the_list(void)
{
  tp_handle_t handle;
  tp_handle64_t wide;
  build(TP_LOCK_PRIMASK, &tp_drop);
  fill();
  tp_pool_free_for(&pool, taken[1], NULL);
  pool.tag[2] |= 0x80000000u;
  CHECK_FAULTS(TP_FAULT_TAG, tp_handle_alloc(&pool, &handle));
  CHECK_FAULTS(TP_FAULT_TAG, tp_handle64_alloc(&pool, &wide));
  CHECK_EQ(tp_fault_record.slot, 2);
}

#endif

// What says how many were ever issued was written over: no slot is made up.
static void a_pool_that_issued_more_than_it_has_is_full(void)
{
  for (uint8_t tagged = 0; tagged < 2; tagged++) {
    build_of(&pool, TP_LOCK_PRIMASK,
             (struct tp_build){.tagged = tagged, .policy = &tp_drop});
    pool.state->fresh = SLOTS + 1;
    CHECK(!tp_pool_alloc(&pool));
    CHECK_EQ(pool.state->overflows, 1);
  }
}

static void who_is_young_is_not_stolen_whatever_is_masked(void)
{
  for (uint32_t i = 0; i < 6; i++) {
    build_of(&pool, locks[i / 2],
             (struct tp_build){.aged = 1,
                               .timed = 1,
                               .tagged = i & 1,
                               .min_age = 5,
                               .policy = &tp_steal_oldest});
    fill();
    CHECK(!tp_pool_alloc_for(&pool, NULL, NULL));
    CHECK_EQ(pool.state->refused_by_rule, 1);
    tp_clock_now += 5;
    CHECK(tp_pool_alloc_for(&pool, NULL, NULL) == taken[0]);
  }
}

static void a_pool_that_quick_calls_do_not_see_makes_handles(void)
{
  for (uint32_t i = 0; i < 6; i++) {
    tp_handle_t handle;
    tp_handle64_t wide;
    build(locks[i / 2], i & 1 ? &tp_steal_oldest : &tp_drop);
    void *first = tp_handle_alloc(&pool, &handle);
    CHECK(first && tp_handle_get(&pool, handle) == first);
    void *second = tp_handle64_alloc(&pool, &wide);
    CHECK(second && tp_handle64_get(&pool, wide) == second);
    CHECK(tp_handle_free(&pool, handle) && tp_handle64_free(&pool, wide));
    CHECK(tp_handle_alloc(&pool, &handle) == second);
    CHECK(tp_handle64_alloc(&pool, &wide) == first);
    CHECK(tp_handle_alloc(&pool, &handle));
    CHECK((tp_handle_alloc(&pool, &handle) != NULL) == (i & 1));
    CHECK((tp_handle64_alloc(&pool, &wide) != NULL) == (i & 1));
  }
}

void suite_rings(void)
{
  RUN(verify_ends_where_a_ring_is_too_short);
  RUN(verify_ends_where_a_ring_does_not_lead_back);
#if TP_CHECKS >= TP_CHECKS_FAST
  RUN(who_leaves_a_ring_finds_it_broken);
  RUN(who_joins_a_ring_finds_its_head_broken);
  RUN(who_steals_the_oldest_finds_the_ring_broken);
  RUN(a_pin_of_any_lock_finds_what_is_wrong);
  RUN(a_scan_ends_where_a_link_leads_out_of_the_pool);
  RUN(what_is_written_over_behind_a_scan_is_found);
  RUN(who_steals_the_least_finds_the_head_broken);
  RUN(what_a_scan_finds_freed_joins_no_broken_ring);
  RUN(each_call_that_makes_a_handle_finds_the_list_broken);
  RUN(each_call_that_makes_a_handle_finds_a_live_slot_on_the_list);
#endif
  RUN(what_is_freed_twice_is_a_fault_of_each_call);
  RUN(a_pool_that_issued_more_than_it_has_is_full);
  RUN(who_is_young_is_not_stolen_whatever_is_masked);
  RUN(a_pool_that_quick_calls_do_not_see_makes_handles);
}
