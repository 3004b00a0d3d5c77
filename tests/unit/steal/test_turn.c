// SPDX-License-Identifier: MIT
// Where nobody is told and no clock is kept, the slot of the oldest becomes
// that of the newest where it stands.
#include "steal.h"
#include "check/tp_level.h"
#include "core/tp_core.h"
#include "policy/tp_steal.h"
#include "tp_port.h"

enum { FEW = 4, NO_SLOT = FEW + 1 };

static struct voice *taken[FEW];
static tp_handle_t handles[FEW];

// Slots 1 to 4 are live, oldest first. Returns the ring.
static struct tp_age_link *fill(void)
{
  steal_start();
  for (uint32_t i = 0; i < FEW; i++)
    taken[i] = rounds_alloc_handle(&handles[i]);
  return rounds_pool.age;
}

static struct tp_stats stats_of(const struct tp_pool *pool)
{
  struct tp_stats stats;
  tp_pool_stats(pool, &stats);
  return stats;
}

static void each_in_turn_makes_room_the_oldest_first(void)
{
  fill();
  for (uint32_t i = 0; i < 3 * FEW; i++) {
    CHECK(rounds_alloc() == taken[i % FEW]);
    CHECK(tp_pool_verify(&rounds_pool, NULL));
  }
  struct tp_stats stats = stats_of(&rounds_pool);
  CHECK_EQ(stats.steals, 3 * FEW);
  CHECK_EQ(rounds_pool.state->overflows, 3 * FEW);
  CHECK_EQ(stats.allocs, 4 * FEW);
  CHECK_EQ(stats.live, FEW);
}

static void so_does_who_is_asked_by_any_call(void)
{
  tp_handle_t narrow;
  tp_handle64_t wide;
  fill();
  CHECK(tp_pool_alloc(&rounds_pool) == taken[0]);
  CHECK(tp_aged_alloc(&rounds_pool) == taken[1]);
  CHECK(tp_handle_alloc_aged(&rounds_pool, &narrow) == taken[2]);
  CHECK(tp_handle64_alloc(&rounds_pool, &wide) == taken[3]);
  CHECK(tp_handle_get(&rounds_pool, narrow) == taken[2]);
  CHECK(tp_handle64_get(&rounds_pool, wide) == taken[3]);
}

static void who_made_room_is_stale_and_who_came_is_not(void)
{
  tp_handle_t newcomer;
  fill();
  CHECK(rounds_alloc_handle(&newcomer) == taken[0]);
  CHECK(rounds_get(handles[0]) == NULL);
  CHECK(!rounds_free_handle(handles[0]));
  CHECK(rounds_get(newcomer) == taken[0]);
  CHECK(rounds_free_handle(newcomer));
  CHECK(rounds_get(handles[1]) == taken[1]);
  CHECK(tp_pool_verify(&rounds_pool, NULL));
}

static void a_single_slot_makes_room_for_itself(void)
{
  steal_start();
  struct voice *object = single_alloc();
  for (uint32_t i = 0; i < 3; i++) {
    CHECK(single_alloc() == object);
    CHECK(tp_pool_verify(&single_pool, NULL));
  }
  CHECK_EQ(stats_of(&single_pool).steals, 3);
  single_free(object);
  CHECK(single_alloc() == object);
}

static void what_is_pinned_is_passed_over_and_if_all_are_nobody_comes(void)
{
  fill();
  rounds_pin(taken[0]);
  rounds_pin(taken[2]);
  CHECK(rounds_alloc() == taken[1]);
  CHECK(rounds_alloc() == taken[3]);
  rounds_pin(taken[1]);
  rounds_pin(taken[3]);
  CHECK(rounds_alloc() == NULL);
  CHECK_EQ(rounds_pool.state->refused_by_rule, 1);
  rounds_unpin(taken[2]);
  CHECK(rounds_alloc() == taken[2]);
  CHECK(tp_pool_verify(&rounds_pool, NULL));
}

// Slot 1 is issued under [tag], and the pool's sum says so, if it keeps one.
static void renumber(uint32_t tag)
{
  rounds_pool.tag[1] = tag;
  if (!tp_tag_summed(&rounds_pool)) return;
  rounds_pool.state->generations = tp_tag_sum(&rounds_pool, FEW);
}

static void a_generation_that_can_count_no_further_starts_again_at_one(void)
{
  tp_handle_t newcomer;
  fill();
  renumber(UINT32_MAX);
  CHECK(rounds_alloc_handle(&newcomer) == taken[0]);
  CHECK_EQ(rounds_pool.tag[1], TP_LIVE + 1);
  CHECK(rounds_get(newcomer) == taken[0]);
  CHECK(rounds_alloc() == taken[1]);
  CHECK(tp_pool_verify(&rounds_pool, NULL));
}

// The last generation but one counts on.
static void the_last_generation_is_issued_before_it_starts_again(void)
{
  fill();
  renumber(UINT32_MAX - 1);
  CHECK(rounds_alloc() == taken[0]);
  CHECK_EQ(rounds_pool.tag[1], UINT32_MAX);
  CHECK(tp_pool_verify(&rounds_pool, NULL));
}

// Code of its own, as tp_pools.c has it.
#define OWN(name)                                                             \
  static void *name##_extend(const struct tp_pool *pool, uint32_t *tag,       \
                             tp_site_t site)                                  \
  {                                                                           \
    return tp_core_extend(pool, false, TP_LOCK_PRIMASK, tp_steal_own, tag,    \
                          site);                                              \
  }                                                                           \
  static void *name##_alloc_own(void)                                         \
  {                                                                           \
    return tp_core_alloc(&name##_pool, false, TP_LOCK_PRIMASK, name##_extend, \
                         NULL, NULL, NULL);                                   \
  }

OWN(rounds)
OWN(echoes)

static void code_of_its_own_steals_the_oldest_and_refuses_where_all_are_pinned(
    void)
{
  fill();
  CHECK(rounds_alloc_own() == taken[0]);
  CHECK(rounds_get(handles[0]) == NULL);
  for (uint32_t i = 0; i < FEW; i++) rounds_pin(taken[i]);
  CHECK(rounds_alloc_own() == NULL);
  CHECK_EQ(rounds_pool.state->refused_by_rule, 1);
}

static void code_of_its_own_tells_the_owner_if_there_is_one_to_tell(void)
{
  steal_start();
  for (uint32_t i = 0; i < FEW; i++) taken[i] = echoes_alloc_own();
  tp_clock_now = 100;
  CHECK(echoes_alloc_own() == taken[0]);
  CHECK(thefts.victim == taken[0]);
}

static void a_pool_that_keeps_births_alone_notes_that_of_who_came(void)
{
  uint32_t born[FEW + 1] = {0};
  struct tp_pool timed = rounds_pool;
  timed.born = born;
  fill();
  tp_clock_now = 9;
  CHECK(tp_aged_alloc(&timed) == taken[0]);
  CHECK_EQ(born[1], 9);
  CHECK_EQ(tp_pool_oldest_age(&timed), 9);
}

static void the_oldest_makes_room_under_any_lock(void)
{
  const uint8_t locks[] = {TP_LOCK_NONE, 0x40};
  for (uint32_t i = 0; i < 2; i++) {
    struct tp_pool other = rounds_pool;
    tp_handle_t newcomer;
    other.lock = locks[i];
    fill();
    CHECK(tp_handle_alloc(&other, &newcomer) == taken[0]);
    CHECK(rounds_get(handles[0]) == NULL);
    CHECK(rounds_get(newcomer) == taken[0]);
  }
}

#if !defined __arm__ && !defined __riscv

static void *steal_from(const struct tp_pool *pool)
{
  return pool->policy->overflow(pool, NULL, tp_site(NULL));
}

// And an audit its own.
static void who_steals_takes_the_lock_of_the_pool_and_no_other(void)
{
  struct tp_pool alone = rounds_pool;
  alone.lock = TP_LOCK_NONE;
  fill();
  uint32_t windows = tp_port_windows;
  CHECK(steal_from(&alone) == taken[0]);
  if (!AUDITED) CHECK_EQ(tp_port_windows, windows);
  CHECK(steal_from(&rounds_pool) == taken[1]);
  CHECK(tp_port_windows > windows);
}

#endif

// At off they are not kept.
static void without_tags_the_oldest_makes_room_too(void)
{
  struct tp_pool bare = rounds_pool;
  bare.tagged = 0;
  steal_start();
  for (uint32_t i = 0; i < FEW; i++) taken[i] = tp_aged_alloc(&bare);
  uint32_t before = bare.tag[1];
  CHECK(tp_aged_alloc(&bare) == taken[0]);
  CHECK(tp_aged_alloc(&bare) == taken[1]);
  CHECK_EQ(bare.tag[1] != before, TP_CHECKS >= TP_CHECKS_FAST);
}

static void allocate(void)
{
  rounds_alloc();
}

static void nobody_makes_room_where_the_ring_leads_to_no_slot(void)
{
  struct tp_age_link *age = fill();
  for (uint32_t i = 0; i < 3; i++) {
    tp_slot_t *link = i == 0   ? &age[0].newer
                      : i == 1 ? &age[1].newer
                               : &age[0].older;
    age = fill();
    *link = NO_SLOT;
    CHECK_FAULTS(TP_FAULT_INVARIANT, allocate());
    CHECK(steal_tells_of(&rounds_pool, 0));
    CHECK_EQ(*link, NO_SLOT);
    CHECK_EQ(age[NO_SLOT - 1].newer, 0);
  }
}

// Not one that goes on as if it had been live.
static void a_tag_that_is_none_of_a_live_slot_is_not_issued_as_it_is(void)
{
  fill();
  rounds_pool.tag[1] -= TP_LIVE;
  rounds_alloc();
  CHECK(rounds_pool.tag[1] >= TP_LIVE);
}

void suite_turn(void)
{
  RUN(each_in_turn_makes_room_the_oldest_first);
  RUN(so_does_who_is_asked_by_any_call);
  RUN(who_made_room_is_stale_and_who_came_is_not);
  RUN(a_single_slot_makes_room_for_itself);
  RUN(what_is_pinned_is_passed_over_and_if_all_are_nobody_comes);
  RUN(a_generation_that_can_count_no_further_starts_again_at_one);
  RUN(the_last_generation_is_issued_before_it_starts_again);
  RUN(code_of_its_own_steals_the_oldest_and_refuses_where_all_are_pinned);
  RUN(code_of_its_own_tells_the_owner_if_there_is_one_to_tell);
  RUN(a_pool_that_keeps_births_alone_notes_that_of_who_came);
  RUN(the_oldest_makes_room_under_any_lock);
#if !defined __arm__ && !defined __riscv
  RUN(who_steals_takes_the_lock_of_the_pool_and_no_other);
#endif
  RUN(without_tags_the_oldest_makes_room_too);
  if (TP_CHECKS < TP_CHECKS_FAST) return;
  RUN(nobody_makes_room_where_the_ring_leads_to_no_slot);
  if (TP_CHECKS == TP_CHECKS_FULL) return;  // It looks before.
  RUN(a_tag_that_is_none_of_a_live_slot_is_not_issued_as_it_is);
}
