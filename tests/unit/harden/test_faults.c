// SPDX-License-Identifier: MIT
// What the record of a fault says of the word that was damaged.
#include "core/tp_code.h"
#include "core/tp_tag.h"
#include "harden.h"

#if TP_CHECKS >= TP_CHECKS_FAST

static void *objects[SLOTS];
static tp_handle_t handles[SLOTS];

// Two objects live, one slot on the list, one never issued.
static const struct tp_pool *begin(const struct kind *kind)
{
  forget(kind);
  for (uint32_t i = 0; i < 3; i++) objects[i] = kind->alloc(&handles[i]);
  kind->free(objects[2]);
  return kind->pool;
}

static void *alloc(const struct kind *kind)
{
  tp_handle_t handle;
  return kind->alloc(&handle);
}

static void a_damaged_tag_of_a_live_slot_is_named_with_what_it_was(void)
{
  const struct kind *kind = &hardened[DROPPING];
  const struct tp_pool *pool = begin(kind);
  uint32_t was = pool->tag[2];
  pool->tag[2] ^= 0x400;
  CHECK_FAULTS(AUDITED ? TP_FAULT_INVARIANT : TP_FAULT_TAG,
               kind->free(objects[1]));
  if (AUDITED) return;
  CHECK(tp_fault_record.pool == pool);
  CHECK_EQ(tp_fault_record.slot, 2);
  CHECK_EQ(tp_fault_record.found, was ^ 0x400);
  CHECK_EQ(tp_fault_record.expected, was);
}

static void of_a_tag_that_was_written_over_nothing_is_expected(void)
{
  const struct kind *kind = &hardened[DROPPING];
  const struct tp_pool *pool = begin(kind);
  pool->tag[3] = 0x12345678;
  CHECK_FAULTS(AUDITED ? TP_FAULT_INVARIANT : TP_FAULT_TAG, alloc(kind));
  if (AUDITED) return;
  CHECK_EQ(tp_fault_record.slot, 3);
  CHECK_EQ(tp_fault_record.found, 0x12345678);
  CHECK_EQ(tp_fault_record.expected, 0);
}

static void a_dead_tag_that_was_cleared_is_a_fault(void)
{
  for (uint32_t i = 0; i < KINDS; i++) {
    const struct kind *kind = &hardened[i];
    begin(kind)->tag[3] = 0;
    CHECK_FAULTS(AUDITED ? TP_FAULT_INVARIANT : TP_FAULT_TAG, alloc(kind));
  }
}

static void a_stale_handle_is_no_fault_and_one_of_a_damaged_tag_is(void)
{
  const struct kind *kind = &hardened[KEYED];
  const struct tp_pool *pool = begin(kind);
  CHECK(kind->get(handles[2]) == NULL);
  CHECK(!kind->free_handle(handles[2]));
  CHECK(kind->get(handles[0]) == objects[0]);
  pool->tag[1] ^= TP_LIVE;
  CHECK_FAULTS(TP_FAULT_TAG, kind->get(handles[0]));
  CHECK_EQ(tp_fault_record.slot, 1);
  pool->tag[1] ^= TP_LIVE | 1;
  CHECK_FAULTS(AUDITED ? TP_FAULT_INVARIANT : TP_FAULT_TAG,
               kind->free_handle(handles[0]));
}

static void an_object_freed_twice_is_still_freed_twice(void)
{
  for (uint32_t i = 0; i < KINDS; i++) {
    begin(&hardened[i]);
    CHECK_FAULTS(TP_FAULT_DOUBLE_FREE, hardened[i].free(objects[2]));
    CHECK_FAULTS(TP_FAULT_FOREIGN, hardened[i].free(&objects));
    CHECK_FAULTS(TP_FAULT_INTERIOR, hardened[i].free((char *)objects[0] + 4));
  }
}

static void a_wrong_count_of_slots_issued_is_named(void)
{
  for (uint32_t i = 0; i < KINDS; i++) {
    const struct tp_pool *pool = begin(&hardened[i]);
    pool->state->fresh = 4;
    if (!AUDITED) CHECK(alloc(&hardened[i]) == objects[2]);
    CHECK_FAULTS(TP_FAULT_INVARIANT, alloc(&hardened[i]));
    if (AUDITED) continue;
    CHECK_EQ(tp_fault_record.found, 4);
    CHECK_EQ(tp_fault_record.expected, 3);
  }
}

static void a_list_word_that_says_full_too_early_is_named(void)
{
  for (uint32_t i = 0; i < KINDS; i++) {
    const struct tp_pool *pool = begin(&hardened[i]);
    pool->tag[0] = SLOTS << 16;
    CHECK_FAULTS(TP_FAULT_INVARIANT, alloc(&hardened[i]));
    pool->tag[0] = SLOTS << 16 | 3;
    CHECK_FAULTS(TP_FAULT_LINK, alloc(&hardened[i]));
  }
}

static void a_list_word_written_over_is_found_below_what_was_freed_since(void)
{
  for (uint32_t i = 0; i < KINDS && !AUDITED; i++) {
    const struct tp_pool *pool = begin(&hardened[i]);
    pool->tag[0] = 2u << 16 | 1;  // Slot 1 is live.
    hardened[i].free(objects[1]);
    CHECK(alloc(&hardened[i]) == objects[1]);
    CHECK_FAULTS(TP_FAULT_TAG, alloc(&hardened[i]));
    CHECK_EQ(tp_fault_record.slot, 1);
  }
}

static void a_victim_of_a_damaged_tag_is_not_stolen(void)
{
  const struct kind *kind = &hardened[STEALING];
  const struct tp_pool *pool = begin(kind);
  alloc(kind);
  alloc(kind);
  pool->tag[1] ^= 2;
  CHECK_FAULTS(AUDITED ? TP_FAULT_INVARIANT : TP_FAULT_TAG, alloc(kind));
}

static void a_reset_looks_at_the_whole_pool_first(void)
{
  for (uint32_t i = 0; i < KINDS; i++) {
    begin(&hardened[i])->state->fresh = 2;
    CHECK_FAULTS(TP_FAULT_INVARIANT, tp_pool_reset(hardened[i].pool));
    uint32_t *tag = begin(&hardened[i])->tag;
    tag[1] ^= 8;
    CHECK_FAULTS(
        TP_CHECKS >= TP_CHECKS_POISON ? TP_FAULT_INVARIANT : TP_FAULT_TAG,
        tp_pool_reset(hardened[i].pool));
  }
}

static void a_call_that_changes_tags_of_other_pools_leaves_what_is_named(void)
{
  const struct kind *kind = &hardened[KEYED];
  tp_handle_t handle;
  begin(kind);
  if (AUDITED) return;
  void *object = tp_handle_alloc(kind->pool, &handle);
  CHECK_FAULTS(TP_FAULT_TAG, kind->free(object));
}

void suite_faults(void)
{
  RUN(a_damaged_tag_of_a_live_slot_is_named_with_what_it_was);
  RUN(of_a_tag_that_was_written_over_nothing_is_expected);
  RUN(a_dead_tag_that_was_cleared_is_a_fault);
  RUN(a_stale_handle_is_no_fault_and_one_of_a_damaged_tag_is);
  RUN(an_object_freed_twice_is_still_freed_twice);
  RUN(a_wrong_count_of_slots_issued_is_named);
  RUN(a_list_word_that_says_full_too_early_is_named);
  RUN(a_list_word_written_over_is_found_below_what_was_freed_since);
  RUN(a_victim_of_a_damaged_tag_is_not_stolen);
  RUN(a_reset_looks_at_the_whole_pool_first);
  RUN(a_call_that_changes_tags_of_other_pools_leaves_what_is_named);
}

#else

void suite_faults(void)
{
}

#endif
