// SPDX-License-Identifier: MIT
// Ways that levels and kinds of pools leave out one by one.
#include "allocator/tp_nest.h"
#include "allocator/tp_reloc.h"
#include "allocator/tp_frame.h"
#include "config/tp_define.h"
#include "core/tp_core.h"
#include "core/tp_registry.h"
#include "core/tp_totals.h"
#include "object/tp_build.h"
#include "object/tp_lent.h"
#include "ways.h"

static struct tp_pool pool;

static void build(uint8_t lock, const struct tp_policy *policy, bool tagged)
{
  build_of(&pool, lock,
           (struct tp_build){.aged = policy != &tp_drop,
                             .tagged = tagged,
                             .refuses = policy == &tp_drop,
                             .policy = policy});
}

// Each pair of calls, of pools without tags at off and with.
static void each_pair_of_calls_serves_each_kind_of_pool(void)
{
  for (uint32_t i = 0; i < 12; i++) {
    void *taken[SLOTS];
    bool tagged = i & 1;
    const struct tp_policy *policy = i & 2 ? &tp_steal_oldest : &tp_drop;
    build(locks[i / 4], policy, tagged);
    for (uint32_t slot = 0; slot < SLOTS; slot++) {
      taken[slot] = tp_aged_alloc(&pool);
    }
    CHECK((tp_aged_alloc(&pool) == NULL) == (policy == &tp_drop));
    CHECK((tp_unlocked_alloc(&pool) == NULL) == (policy == &tp_drop));
    CHECK((tp_pool_alloc(&pool) == NULL) == (policy == &tp_drop));
    CHECK((tp_pool_alloc_for(&pool, NULL, NULL) == NULL) ==
          (policy == &tp_drop));
    tp_aged_free(&pool, taken[0]);
    CHECK(tp_pool_alloc(&pool) == taken[0]);
    tp_pool_free(&pool, taken[0]);
    CHECK(tp_unlocked_alloc(&pool) == taken[0]);
    tp_unlocked_free(&pool, taken[1]);
    CHECK(tp_aged_alloc(&pool) == taken[1]);
    tp_pool_free_for(&pool, taken[1], NULL);
    CHECK(tp_quick_extend(&pool, NULL, NULL) == taken[1]);
    tp_aged_free(&pool, taken[1]);
    CHECK(tp_pool_extend(&pool, NULL, NULL) == taken[1]);
    struct tp_finding finding;
    CHECK(tp_pool_verify(&pool, &finding));
    tp_pool_reset(&pool);
  }
}

// A generation at its end, and a tag that says live on the list.
static void each_extension_begins_generations_anew(void)
{
  for (uint32_t i = 0; i < 6; i++) {
    build(locks[i / 2], &tp_drop, true);
    void *object = tp_pool_alloc_for(&pool, NULL, NULL);
    tp_pool_free_for(&pool, object, NULL);
    pool.tag[1] = 0x7fffffffu;
    tp_core_extender *extend = i & 1 ? tp_pool_extend : tp_quick_extend;
    CHECK(extend(&pool, NULL, NULL) == object);
    CHECK_EQ(pool.tag[1], 0x80000001u);
    pool.tag[2] = 0x7fffffffu;
    CHECK(extend(&pool, NULL, NULL));
    CHECK_EQ(pool.tag[2], 0x80000001u);
    pool.state->fresh = SLOTS;
    pool.tag[0] = TP_CHECKS >= TP_CHECKS_FAST ? SLOTS * 0x10000u : 0;
    CHECK(!extend(&pool, NULL, NULL));
    tp_pool_free_for(&pool, object, NULL);
    pool.tag[1] |= 0x80000000u;
    CHECK_FAULTS(TP_FAULT_TAG, extend(&pool, NULL, NULL));
  }
}

static void verify_finds_each_thing_that_can_be_wrong(void)
{
  struct tp_finding finding;
  build(TP_LOCK_PRIMASK, &tp_steal_oldest, true);
  void *object = tp_aged_alloc(&pool);
  (void)tp_aged_alloc(&pool);
  pool.tag[3] |= 0x80000000u;
  CHECK(!tp_pool_verify(&pool, &finding));
  pool.tag[3] = 0;
  pool.tag[2] &= 0x7fffffffu;
  CHECK(!tp_pool_verify(&pool, &finding));
  pool.tag[2] |= 0x80000000u;
  pool.age[0].newer = 9;
  CHECK(!tp_pool_verify(&pool, &finding));
  pool.age[0].newer = 2;
  CHECK(!tp_pool_verify(&pool, &finding));
  pool.age[2].older = 0;
  CHECK(!tp_pool_verify(&pool, &finding));
  pool.age[0].newer = 1;
  pool.age[2].older = 1;
  CHECK(tp_pool_verify(&pool, &finding));
  tp_aged_free(&pool, object);
  pool.state->fresh = 1;
  CHECK(!tp_pool_verify(&pool, &finding));
  pool.state->fresh = 3;
  CHECK(!tp_pool_verify(&pool, &finding));
  pool.state->fresh = 9;
  CHECK(!tp_pool_verify(&pool, &finding));
}

// A ring that leads round without its head, and a list without its end.
static void verify_ends_where_links_lead_round(void)
{
  struct tp_finding finding;
  build(TP_LOCK_PRIMASK, &tp_steal_oldest, true);
  void *first = tp_aged_alloc(&pool);
  void *second = tp_aged_alloc(&pool);
  pool.age[1].newer = 1;
  CHECK(!tp_pool_verify(&pool, &finding));
  pool.age[1].newer = 2;
  tp_aged_free(&pool, second);
  tp_aged_free(&pool, first);
  *(tp_word_t *)second = pool.tag[0];
  CHECK(!tp_pool_verify(&pool, &finding));
}

static void a_pin_on_what_is_pinned_changes_nothing(void)
{
  build(TP_LOCK_PRIMASK, &tp_steal_oldest, true);
  tp_handle_t handle;
  void *object = tp_handle_alloc(&pool, &handle);
  CHECK(tp_handle_pin(&pool, handle) == object);
  if (TP_CHECKS >= TP_CHECKS_FAST) {
    CHECK_FAULTS(TP_FAULT_PIN, tp_pool_pin(&pool, object));
    return;
  }
  tp_pool_pin(&pool, object);
  tp_pool_unpin(&pool, object);
  tp_pool_unpin(&pool, object);
}

static void what_has_no_tag_has_no_handle(void)
{
  build(TP_LOCK_PRIMASK, &tp_drop, true);
  void *object = tp_pool_alloc_for(&pool, NULL, NULL);
  CHECK(!tp_handle_by_tag(&pool, object, 0));
  CHECK(!tp_handle64_by_tag(&pool, object, 0));
  CHECK(!tp_handle_by_tag(&pool, NULL, 1));
  CHECK(!tp_handle64_by_tag(&pool, NULL, 1));
}

TP_RELOC_DEFINE(heap, 256, 4, .moves = 1, .move_bytes = 64);

static void a_handle_of_no_block_moves_nothing(void)
{
  tp_handle_t block = tp_reloc_alloc(&heap_reloc, 16);
  CHECK(tp_reloc_lock(&heap_reloc, block));
  CHECK(tp_reloc_unlock(&heap_reloc, block));
  CHECK(tp_reloc_free(&heap_reloc, block));
  CHECK(!tp_reloc_free(&heap_reloc, block));
  CHECK(!tp_reloc_unlock(&heap_reloc, block));
  CHECK(!tp_reloc_free(&heap_reloc, 0));
  CHECK(!tp_reloc_unlock(&heap_reloc, 0));
  if (TP_CHECKS >= TP_CHECKS_FAST) return;
  CHECK(!tp_reloc_free(&heap_reloc, block | 7));
  CHECK(!tp_reloc_unlock(&heap_reloc, block | 7));
}

static void an_arena_with_a_count_that_is_wrong_is_not_verified(void)
{
  struct tp_reloc_state *state = heap_reloc.state;
  struct tp_reloc_state was = *state;
  CHECK(tp_reloc_verify(&heap_reloc));
  state->top = 0xffff;
  CHECK(!tp_reloc_verify(&heap_reloc));
  *state = was;
  state->fresh = 5;
  CHECK(!tp_reloc_verify(&heap_reloc));
  *state = was;
  state->touched = 0xffff;
  CHECK(!tp_reloc_verify(&heap_reloc));
  *state = was;
  state->free_index = 4;
  CHECK(!tp_reloc_verify(&heap_reloc));
  *state = was;
  CHECK(tp_reloc_verify(&heap_reloc));
}

TP_NEST_DEFINE(root, 256, .full = TP_FULL_DROP);

static const struct tp_bump wrong[] = {{.used = 2, .peak = 8},
                                       {.used = 260, .peak = 260},
                                       {.used = 8, .peak = 4},
                                       {.used = 8, .peak = 260}};

static void a_child_is_not_cut_from_what_was_written_over(void)
{
  struct tp_nest child = {0}, other = {0};
  struct tp_dstack_state *state = tp_nest_dstack(&root_nest)->state;
  for (uint32_t i = 0; TP_CHECKS >= TP_CHECKS_FAST && i < 16; i++) {
    enum tp_end end = i & 1 ? TP_HIGH : TP_LOW;
    state->bump[i >> 1 & 1] = wrong[i >> 2];
    CHECK_FAULTS(TP_FAULT_INVARIANT, tp_nest_open_stack(&child, &root_nest, end,
                                                        "a", 8, TP_FULL_DROP));
    state->bump[0] = state->bump[1] = (struct tp_bump){0};
  }
  if (TP_CHECKS >= TP_CHECKS_FAST) {
    CHECK_FAULTS(TP_FAULT_SIZE, tp_nest_open_stack(&child, &root_nest, TP_LOW,
                                                   "a", 0, TP_FULL_DROP));
  }
  for (uint32_t i = 0; i < 2; i++) {
    enum tp_end end = i & 1 ? TP_HIGH : TP_LOW;
    CHECK(tp_nest_open_stack(&child, &root_nest, end, "a", 200, TP_FULL_DROP));
    CHECK(!tp_nest_open_stack(&other, &root_nest, end, "b", 200, TP_FULL_DROP));
    tp_nest_close(&child);
  }
}

// Kinds of allocators --------------------------------------------------------

TP_DSTACK_DEFINE(ends, 64, .full = TP_FULL_DROP);
TP_FRAME_DEFINE(cycle, 64, 2, .full = TP_FULL_DROP);

static void what_a_registry_verifies_is_found_wrong(void)
{
  struct tp_finding finding;
  struct tp_reloc_state was = *heap_reloc.state;
  heap_reloc.state->top = 0xffff;
  CHECK(!tp_reloc_kind.verify(&heap_reloc, &finding));
  *heap_reloc.state = was;
  CHECK(tp_reloc_kind.verify(&heap_reloc, &finding));
  for (uint32_t i = 2; i < 4; i++) {
    for (uint32_t which = 0; which < 2; which++) {
      ends_dstack.state->bump[which] = wrong[i];
      CHECK(!tp_dstack_kind.verify(&ends_dstack, &finding));
      ends_dstack.state->bump[which] = (struct tp_bump){0};
      cycle_frame.bump[which] = wrong[i];
      CHECK(!tp_frame_kind.verify(&cycle_frame, &finding));
      cycle_frame.bump[which] = (struct tp_bump){0};
    }
  }
  CHECK(tp_dstack_kind.verify(&ends_dstack, &finding));
  CHECK(tp_frame_kind.verify(&cycle_frame, &finding));
}

static void figures_of_a_frame_out_of_its_buffers_are_none(void)
{
  struct tp_stats stats;
  cycle_frame.state->current = 9;
  tp_frame_stats(&cycle_frame, &stats);
  cycle_frame.state->current = 0;
  CHECK_EQ(stats.live, 0);
}

static uint32_t looked_at;

static void note_budget(const void *allocator, uint32_t budget, tp_site_t site)
{
  (void)allocator;
  (void)site;
  looked_at = budget;
}

static const struct tp_kind scrubbed = {.scrub = note_budget};

static void a_use_falls_and_begins_anew(void)
{
  static const struct tp_entry entry = {
      "built", &tp_pool_kind, &pool, "drop", NULL, SLOTS, 48, 16, 0, 0, NULL};
  static const struct tp_entry *const entries[] = {&entry};
  static const struct tp_registry registry = {entries, 1, 0};
  static struct tp_totals_row row;
  static const struct tp_totals totals = {&registry, &row};
  build(TP_LOCK_PRIMASK, &tp_drop, true);
  void *object = tp_pool_alloc_for(&pool, NULL, NULL);
  tp_totals_restart(&totals);
  CHECK_EQ(row.use.low, 1);
  tp_pool_free_for(&pool, object, NULL);
  tp_totals_note(&totals);
  CHECK_EQ(row.use.low, 0);
}

static void an_entry_without_a_capacity_has_the_most_it_can(void)
{
  static const struct tp_entry entry = {
      "all", &scrubbed, &pool, "drop", NULL, SLOTS, 48, 16, 0, 0, NULL};
  tp_entry_scrub(&entry, 0);
  CHECK_EQ(looked_at, SLOTS + 1);
}

// A pool whose policy knows what others lent.
static bool taken;

static bool take_back(const struct tp_pool *of, void *object, tp_site_t site)
{
  (void)of;
  (void)object;
  (void)site;
  taken = true;
  return true;
}

static void what_a_policy_knows_is_no_fault(void)
{
  struct tp_policy knows = tp_drop;
  knows.take_back = take_back;
  for (uint32_t i = 0; i < 6; i++) {
    build(locks[i % 3], &tp_drop, i >= 3);
    pool.policy = &knows;
    pool.takes_foreign = 1;
    taken = false;
    tp_unlocked_free(&pool, &pool);
    CHECK(taken);
    taken = false;
    tp_aged_free(&pool, &pool);
    CHECK(taken);
    taken = false;
    tp_pool_free_for(&pool, &pool, NULL);
    CHECK(taken);
    void *object = tp_unlocked_alloc(&pool);
    tp_unlocked_free(&pool, object);
    object = tp_aged_alloc(&pool);
    tp_aged_free(&pool, object);
  }
}

static struct tp_nest outer, inner;

static void open_both(void)
{
  const struct tp_build row = {
      .size = 16, .count = 2, .align = 8, .tagged = 1, .policy = &tp_drop};
  CHECK(tp_nest_open_dstack(&outer, &root_nest, TP_LOW, "outer", 200,
                            TP_FULL_DROP));
  CHECK(tp_nest_open_pool(&inner, &outer, TP_LOW, "inner", &row));
}

// Nothing else is cut from the root once this has run.
static void a_child_that_is_closed_or_lived_in_is_not_closed(void)
{
  open_both();
  tp_nest_close(&inner);
  if (TP_CHECKS < TP_CHECKS_FAST) return;
  CHECK_FAULTS(TP_FAULT_CLOSED, tp_nest_close(&inner));
  tp_nest_close(&outer);
  open_both();
  CHECK_FAULTS(TP_FAULT_CHILD, tp_nest_close(&outer));
  (void)tp_pool_alloc_for(tp_nest_pool(&inner), NULL, NULL);
  CHECK_FAULTS(TP_FAULT_CHILD, tp_nest_close(&inner));
}

static void who_steals_finds_all_pinned_whatever_it_masks(void)
{
  for (uint32_t i = 0; i < 3; i++) {
    build(locks[i], &tp_steal_oldest, true);
    for (uint32_t slot = 0; slot < SLOTS; slot++) {
      tp_pool_pin(&pool, tp_aged_alloc(&pool));
    }
    CHECK(!tp_pool_alloc_for(&pool, NULL, NULL));
  }
}

// A policy of the application that asks tp_assert in the end.
static TP_NOINLINE void *assert_here(const struct tp_pool *of)
{
  void *object = tp_assert.overflow(of, NULL, TP_SITE);
  TP_BARRIER();
  return object;
}

static TP_NOINLINE void who_asserts_may_tell_where_it_was_called(void)
{
  uintptr_t here = (uintptr_t)who_asserts_may_tell_where_it_was_called;
  build(TP_LOCK_PRIMASK, &tp_drop, true);
  CHECK_FAULTS(TP_FAULT_FULL, assert_here(&pool));
  CHECK((uintptr_t)tp_fault_record.caller - here < 256);
  tp_test_nobody_calls = true;
  CHECK_FAULTS(TP_FAULT_FULL, tp_assert.overflow(&pool, NULL, NULL));
  CHECK(!tp_fault_record.caller);
}

void suite_more(void)
{
  RUN(each_pair_of_calls_serves_each_kind_of_pool);
  RUN(each_extension_begins_generations_anew);
  RUN(verify_finds_each_thing_that_can_be_wrong);
  RUN(verify_ends_where_links_lead_round);
  RUN(a_pin_on_what_is_pinned_changes_nothing);
  RUN(what_has_no_tag_has_no_handle);
  RUN(a_handle_of_no_block_moves_nothing);
  RUN(an_arena_with_a_count_that_is_wrong_is_not_verified);
  RUN(a_child_is_not_cut_from_what_was_written_over);
  RUN(what_a_registry_verifies_is_found_wrong);
  RUN(figures_of_a_frame_out_of_its_buffers_are_none);
  RUN(a_use_falls_and_begins_anew);
  RUN(an_entry_without_a_capacity_has_the_most_it_can);
  RUN(what_a_policy_knows_is_no_fault);
  RUN(a_child_that_is_closed_or_lived_in_is_not_closed);
  RUN(who_steals_finds_all_pinned_whatever_it_masks);
  RUN(who_asserts_may_tell_where_it_was_called);
}
