// SPDX-License-Identifier: MIT
// A pool that masks nothing, where there is LDREX and STREX or the host's port.
#include "unit.h"

#include "tp_by_hand.h"

#if TP_PORT_HAS_EXCLUSIVE

enum { COUNT = 3 };

TP_POOL_DEFINE(sole, sizeof(struct crate), COUNT, 4, .policy = &tp_drop,
               .refuses = 1);
struct crate *sole_alloc(void);
void sole_free(struct crate *crate);
TEST_OWN_EXCLUSIVE(sole, struct crate);

static struct crate *taken[COUNT];

static void fill(void)
{
  tp_test_forget(&sole_pool);
  for (uint32_t i = 0; i < COUNT; i++) taken[i] = sole_alloc();
}

static void a_pool_that_masks_nothing_issues_each_slot_and_then_refuses(void)
{
  fill();
  for (uint32_t i = 0; i < COUNT; i++) {
    CHECK_EQ((char *)taken[i] - (char *)taken[0],
             (intptr_t)(i * sole_pool.stride));
  }
  CHECK(sole_alloc() == NULL);
  CHECK(tp_pool_verify(&sole_pool, NULL));
}

static void a_pool_that_masks_nothing_issues_what_was_freed_last_first(void)
{
  fill();
  sole_free(taken[0]);
  sole_free(taken[2]);
  sole_free(taken[1]);
  CHECK(tp_pool_verify(&sole_pool, NULL));
  CHECK(sole_alloc() == taken[1]);
  CHECK(sole_alloc() == taken[2]);
  CHECK(sole_alloc() == taken[0]);
  CHECK(sole_alloc() == NULL);
  CHECK(tp_pool_verify(&sole_pool, NULL));
}

static void a_pool_of_one_slot_that_masks_nothing_takes_it_back(void)
{
  struct tp_pool one = sole_pool;
  fill();
  one.capacity = 1;
  tp_test_forget(&one);
  void *crate = tp_exclusive_alloc(&one);
  CHECK(tp_exclusive_alloc(&one) == NULL);
  tp_exclusive_free(&one, crate);
  CHECK(tp_exclusive_alloc(&one) == crate);
}

#if !defined __arm__ && !defined __riscv
// An audit masks as much before and after either; what it adds up changes with
// the tag, in a window more.
static void what_was_issued_before_is_issued_and_taken_back_unmasked(void)
{
  fill();
  sole_free(taken[1]);
  uint32_t before = tp_port_windows;
  CHECK(sole_alloc() == taken[1]);
  uint32_t issued = tp_port_windows - before;
  sole_free(taken[1]);
  uint32_t freed = tp_port_windows - before - issued;
  if (!AUDITED) CHECK_EQ(freed, 0);
  CHECK_EQ(issued, freed + AUDITED);
}
#endif

// What lies behind the two words of the list is another's.
static void where_no_tags_are_kept_none_is_read_where_nothing_is_masked(void)
{
  static uint32_t tags[COUNT + 1];
  struct tp_pool bare = sole_pool;
  bare.tag = tags;
  tp_test_forget(&bare);
  for (uint32_t i = 2; i <= COUNT; i++) tags[i] = UINT32_MAX;
  for (uint32_t i = 0; i < COUNT; i++) {
    taken[i] = tp_exclusive_alloc(&bare);
    CHECK(taken[i] != NULL);
  }
  tp_exclusive_free(&bare, taken[1]);
  CHECK(tp_exclusive_alloc(&bare) == taken[1]);
  for (uint32_t i = 2; i <= COUNT; i++) CHECK_EQ(tags[i], UINT32_MAX);
}

static void a_pool_that_masks_nothing_counts_as_others_do(void)
{
  struct tp_stats stats;
  tp_test_forget(&sole_pool);
  for (uint32_t i = 0; i < 7; i++) sole_free(sole_alloc());
  sole_alloc();
  tp_pool_stats(&sole_pool, &stats);
  CHECK_EQ(stats.allocs, 8);
  CHECK_EQ(stats.frees, 7);
  CHECK_EQ(stats.live, 1);
  CHECK_EQ(stats.peak, 1);
}

static void a_pool_that_masks_nothing_faults_as_others_do(void)
{
  struct crate own;
  fill();
  CHECK_FAULTS(TP_FAULT_FOREIGN, sole_free(&own));
  CHECK_FAULTS(TP_FAULT_FOREIGN, sole_free(taken[2] + 1000));
  CHECK_FAULTS(TP_FAULT_INTERIOR, sole_free((void *)&taken[1]->word[1]));
  sole_free(taken[1]);
  CHECK_FAULTS(TP_FAULT_DOUBLE_FREE, sole_free(taken[1]));
  CHECK_EQ(tp_fault_record.slot, 2);
}

// What it names is left for who looks at the memory.
static void an_overwritten_link_faults_where_nothing_is_masked(void)
{
  fill();
  sole_free(taken[1]);
  uint32_t list = sole_pool.tag[0];
  taken[1]->word[0] = 0x50005;
  CHECK_FAULTS(TP_FAULT_LINK, sole_alloc());
  CHECK_EQ(tp_fault_record.slot, 2);
  CHECK_EQ(tp_fault_record.found, 0x50005);
  CHECK_EQ(sole_pool.tag[0], list);
}

static void a_live_slot_on_the_list_faults_where_nothing_is_masked(void)
{
  for (uint32_t i = 0; i < 2; i++) {
    fill();
    sole_free(taken[1]);
    sole_pool.tag[2] = 0x80000001u - i;
    CHECK_FAULTS(TP_FAULT_TAG, sole_alloc());
    CHECK_EQ(tp_fault_record.slot, 2);
  }
}

// What lies behind the last slot, and a tag there that says live, is another's.
static void a_slot_past_the_last_is_foreign_where_nothing_is_masked(void)
{
  struct tp_pool less = sole_pool;
  fill();
  less.capacity = COUNT - 1;
  CHECK_FAULTS(AUDITED ? TP_FAULT_INVARIANT : TP_FAULT_FOREIGN,
               tp_exclusive_free(&less, taken[2]));
  CHECK(tp_fault_record.pool == &less);
  CHECK_EQ(sole_pool.tag[3], 0x80000001u);
}

static void the_live_bit_alone_frees_where_nothing_is_masked(void)
{
  fill();
  tp_test_set_tag(&sole_pool, 2, 0x80000000u);
  sole_free(taken[1]);
  CHECK_EQ(sole_pool.tag[2], 0);
}

static void a_worn_out_generation_begins_again_where_nothing_is_masked(void)
{
  fill();
  sole_free(taken[1]);
  tp_test_set_tag(&sole_pool, 2, 0x7fffffffu);
  CHECK(sole_alloc() == taken[1]);
  CHECK_EQ(sole_pool.tag[2], 0x80000001u);
}

static void damage_is_found_where_nothing_is_masked(void)
{
  fill();
  sole_free(taken[1]);
  taken[1]->word[2] ^= 1;
  CHECK_FAULTS(TP_FAULT_POISON, sole_alloc());
  CHECK_EQ(tp_fault_record.offset, 8);
}

TP_POOL_DEFINE_TAGGED(kept, sizeof(struct crate), COUNT, 4, .policy = &tp_drop,
                      .refuses = 1);
struct crate *kept_alloc(void);
void kept_free(struct crate *crate);
TEST_OWN_EXCLUSIVE(kept, struct crate);

static void tags_that_are_kept_are_looked_at_where_nothing_is_masked(void)
{
  tp_test_forget(&kept_pool);
  struct crate *crate = kept_alloc();
  kept_free(crate);
  CHECK_FAULTS(TP_FAULT_DOUBLE_FREE, kept_free(crate));
  CHECK(kept_alloc() == crate);
  kept_free(crate);
  kept_pool.tag[1] |= 0x80000000u;
  CHECK_FAULTS(TP_FAULT_TAG, kept_alloc());
}

static void damage_last(void)
{
  *(tp_word_t *)(taken[2] + 1) ^= 1;
}

static void free_first(void)
{
  sole_free(taken[0]);
}

static void allocate(void)
{
  sole_alloc();
}

static void damage_is_found_before_anything_changes_where_nothing_is_masked(
    void)
{
  fill();
  damage_last();
  CHECK_FAULTS(TP_FAULT_RED_ZONE, free_first());
  CHECK_EQ(sole_pool.tag[1], 0x80000001u);
  fill();
  sole_free(taken[0]);
  uint32_t list = sole_pool.tag[0];
  damage_last();
  CHECK_FAULTS(TP_FAULT_RED_ZONE, allocate());
  CHECK_EQ(sole_pool.tag[0], list);
}

#if !defined __arm__ && !defined __riscv

// The second edge is where the first look ends.
static void damage_during_a_call_is_found_where_nothing_is_masked(void)
{
  fill();
  tp_port_interrupt_after(2, damage_last);
  CHECK_FAULTS(TP_FAULT_RED_ZONE, free_first());
  fill();
  sole_free(taken[0]);
  tp_port_interrupt_after(2, damage_last);
  CHECK_FAULTS(TP_FAULT_RED_ZONE, allocate());
}

// An interrupt between LDREX and STREX loses the claim: all begins again.
static void a_claim_that_is_lost_is_made_again(void)
{
  for (uint32_t lost = 0; lost < 4; lost++) {
    fill();
    tp_port_lost = lost;
    sole_free(taken[1]);
    CHECK_EQ(tp_port_lost, 0);
    CHECK(tp_pool_verify(&sole_pool, NULL));
    tp_port_lost = lost;
    CHECK(sole_alloc() == taken[1]);
    CHECK_EQ(tp_port_lost, 0);
    CHECK(tp_pool_verify(&sole_pool, NULL));
  }
}

static void *between;

static void claim(void)
{
  between = sole_alloc();
}

static void an_interrupt_before_a_claim_is_stored_takes_the_slot(void)
{
  fill();
  sole_free(taken[1]);
  sole_free(taken[0]);
  tp_port_interrupt_after(1, claim);
  CHECK(sole_alloc() == taken[1]);
  CHECK(between == taken[0]);
  CHECK(tp_pool_verify(&sole_pool, NULL));
}

static void free_other(void)
{
  sole_free(taken[0]);
}

// Of one that comes before the list word is claimed, it is claimed anew.
static void an_interrupt_at_any_edge_of_a_free_may_free_another(void)
{
  for (uint32_t edges = 1; edges <= 8; edges++) {
    fill();
    tp_port_interrupt_after(edges, free_other);
    sole_free(taken[1]);
    bool came = tp_port_due == 0;
    tp_port_interrupt_after(0, NULL);
    CHECK(came || edges > 1);
    if (!came) free_other();
    CHECK(tp_pool_verify(&sole_pool, NULL));
    CHECK(sole_alloc() != NULL && sole_alloc() != NULL);
    CHECK(sole_alloc() == NULL);
  }
}

static void free_same(void)
{
  sole_free(taken[1]);
}

// It comes where the call has looked at the tag, and not yet changed it.
static void of_two_frees_of_one_object_the_second_faults(void)
{
  fill();
  tp_port_interrupt_after(AUDITED ? 3 : 1, free_same);
  CHECK_FAULTS(TP_FAULT_DOUBLE_FREE, free_same());
  CHECK_EQ(tp_port_due, 0);
  CHECK_EQ(tp_fault_record.slot, 2);
  CHECK(tp_pool_verify(&sole_pool, NULL));
  CHECK(sole_alloc() == taken[1]);
  CHECK(sole_alloc() == NULL);
}

static uint32_t written;

static void write_back(void)
{
  taken[1]->word[0] = written;
}

// What is read while an interrupt works there need not fit together.
static void a_link_is_looked_at_again_if_an_interrupt_came_between(void)
{
  fill();
  sole_free(taken[1]);
  written = taken[1]->word[0];
  taken[1]->word[0] = 0x50005;
  tp_port_interrupt_after(1, write_back);
  CHECK(sole_alloc() == taken[1]);
  CHECK(tp_pool_verify(&sole_pool, NULL));
}

#endif

void suite_exclusive(void)
{
  RUN(a_pool_that_masks_nothing_issues_each_slot_and_then_refuses);
  RUN(a_pool_that_masks_nothing_issues_what_was_freed_last_first);
  RUN(a_pool_of_one_slot_that_masks_nothing_takes_it_back);
#if !defined __arm__ && !defined __riscv
  RUN(what_was_issued_before_is_issued_and_taken_back_unmasked);
  RUN(a_claim_that_is_lost_is_made_again);
  RUN(an_interrupt_before_a_claim_is_stored_takes_the_slot);
  RUN(an_interrupt_at_any_edge_of_a_free_may_free_another);
#endif
  if (TP_CHECKS < TP_CHECKS_FAST) {
    RUN(where_no_tags_are_kept_none_is_read_where_nothing_is_masked);
  }
  RUN(tags_that_are_kept_are_looked_at_where_nothing_is_masked);
  if (TP_CHECKS < TP_CHECKS_FAST) return;
  RUN(a_pool_that_masks_nothing_counts_as_others_do);
  RUN(a_pool_that_masks_nothing_faults_as_others_do);
  RUN(an_overwritten_link_faults_where_nothing_is_masked);
  RUN(a_live_slot_on_the_list_faults_where_nothing_is_masked);
  RUN(a_slot_past_the_last_is_foreign_where_nothing_is_masked);
  RUN(the_live_bit_alone_frees_where_nothing_is_masked);
  RUN(a_worn_out_generation_begins_again_where_nothing_is_masked);
#if !defined __arm__ && !defined __riscv
  RUN(of_two_frees_of_one_object_the_second_faults);
  if (!AUDITED) RUN(a_link_is_looked_at_again_if_an_interrupt_came_between);
#endif
  if (TP_CHECKS < TP_CHECKS_POISON) return;
  RUN(damage_is_found_where_nothing_is_masked);
  if (!AUDITED) return;
  RUN(damage_is_found_before_anything_changes_where_nothing_is_masked);
#if !defined __arm__ && !defined __riscv
  RUN(damage_during_a_call_is_found_where_nothing_is_masked);
#endif
}

#else

void suite_exclusive(void)
{
}

#endif
