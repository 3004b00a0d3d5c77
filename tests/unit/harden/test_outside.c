// SPDX-License-Identifier: MIT
// Pools whose links are outside: whatever is written to dead slots, nothing
// follows it.
#include "core/tp_slot.h"
#include "harden.h"
#include "object/tp_build.h"

static tp_word_t *objects[SLOTS];
static tp_handle_t handles[SLOTS];

// Pools of a table and those that are hardened, too.
static const struct kind *kind_of(uint32_t i)
{
  return i < KINDS ? &outside[i] : &both[i - KINDS];
}

static void fill(const struct kind *kind)
{
  for (uint32_t i = 0; i < SLOTS; i++) objects[i] = kind->alloc(&handles[i]);
}

// All but the first free, the last one first to be issued.
static void begin(const struct kind *kind)
{
  forget(kind);
  fill(kind);
  for (uint32_t i = 1; i < SLOTS; i++) kind->free(objects[i]);
}

// As who has no privilege may: any word.
static void write_over(uint32_t words)
{
  for (uint32_t i = 1; i < SLOTS; i++) {
    for (uint32_t word = 0; word < words; word++) {
      objects[i][word] = tp_test_random();
    }
  }
}

static tp_word_t *link_of(const struct tp_pool *pool, uint32_t slot)
{
  return (tp_word_t *)tp_slot_behind(pool) + slot - 1;
}

// Below poison, which looks at what is dead.
static void whatever_is_written_to_dead_slots_each_is_issued_once(void)
{
  if (TP_CHECKS >= TP_CHECKS_POISON) return;
  for (uint32_t i = 0; i < 2 * KINDS * 256; i++) {
    const struct kind *kind = kind_of(i % (2 * KINDS));
    tp_handle_t handle;
    begin(kind);
    write_over(BYTES / 4);
    CHECK(tp_pool_verify(kind->pool, NULL));
    for (uint32_t slot = SLOTS; slot > 1; slot--) {
      CHECK(kind->alloc(&handle) == objects[slot - 1]);
    }
    CHECK(kind->steals || !kind->alloc(&handle));
  }
}

static void of_a_plain_pool_the_same_is_a_fault(void)
{
  tp_handle_t handle;
  if (TP_CHECKS != TP_CHECKS_FAST) return;
  begin(&plain[DROPPING]);
  write_over(1);
  CHECK_FAULTS(TP_FAULT_LINK, plain[DROPPING].alloc(&handle));
}

static void each_word_of_a_dead_slot_is_poison(void)
{
  if (TP_CHECKS < TP_CHECKS_POISON) return;
  for (uint32_t i = 0; i < 2 * KINDS * (BYTES / 4); i++) {
    const struct kind *kind = kind_of(i % (2 * KINDS));
    uint32_t word = i / (2 * KINDS);
    struct tp_finding finding;
    tp_handle_t handle;
    begin(kind);
    CHECK_EQ(objects[3][word], TP_POISON);
    objects[3][word] ^= 0x100;
    CHECK(!tp_pool_verify(kind->pool, &finding));
    CHECK_EQ(finding.broken, TP_BROKEN_POISON);
    CHECK_EQ(finding.slot, SLOTS);
    CHECK_FAULTS(TP_FAULT_POISON, kind->alloc(&handle));
    CHECK_EQ(tp_fault_record.offset, word * 4);
    CHECK_EQ(tp_fault_record.found, TP_POISON ^ 0x100);
  }
}

static void a_scrub_looks_at_the_first_word_too(void)
{
  if (TP_CHECKS < TP_CHECKS_POISON) return;
  begin(&outside[DROPPING]);
  objects[1][0] = 0;
  CHECK_FAULTS(TP_FAULT_POISON, tp_pool_scrub(outside[DROPPING].pool, SLOTS));
  CHECK_EQ(tp_fault_record.slot, 2);
  CHECK_EQ(tp_fault_record.offset, 0);
}

static void a_flipped_bit_of_a_link_is_named_before_it_is_followed(void)
{
  if (TP_CHECKS < TP_CHECKS_FAST) return;
  for (uint32_t i = 0; i < 2 * KINDS * 32; i++) {
    const struct kind *kind = kind_of(i % (2 * KINDS));
    const struct tp_pool *pool = kind->pool;
    uint32_t bit = i / (2 * KINDS);
    struct tp_finding finding;
    tp_handle_t handle;
    begin(kind);
    tp_word_t *link = link_of(pool, SLOTS), was = *link;
    *link ^= 1u << bit;
    if (bit < 3 && (*link & 0xffff) <= SLOTS) continue;  // To another slot.
    CHECK(!tp_pool_verify(pool, &finding));
    CHECK_EQ(finding.broken, TP_BROKEN_LINK);
    CHECK_EQ(finding.slot, SLOTS);
    CHECK_FAULTS(TP_FAULT_LINK, kind->alloc(&handle));
    CHECK_EQ(tp_fault_record.slot, SLOTS);
    CHECK_EQ(tp_fault_record.found, was ^ 1u << bit);
    CHECK_EQ(tp_fault_record.expected, 2u << 16);
  }
}

static void a_reset_takes_all_back_and_issues_them_in_order_again(void)
{
  for (uint32_t i = 0; i < 2 * KINDS; i++) {
    const struct kind *kind = kind_of(i);
    tp_word_t *first;
    begin(kind);
    first = objects[0];
    tp_pool_reset(kind->pool);
    CHECK_EQ(tp_pool_live(kind->pool), 0);
    fill(kind);
    CHECK(objects[0] == first && objects[1] > first && objects[2] > objects[1]);
    CHECK(tp_pool_verify(kind->pool, NULL));
  }
}

static void what_is_no_object_of_the_pool_is_named(void)
{
  if (TP_CHECKS < TP_CHECKS_FAST) return;
  for (uint32_t i = 0; i < 2 * KINDS; i++) {
    const struct kind *kind = kind_of(i);
    begin(kind);
    CHECK_FAULTS(TP_FAULT_DOUBLE_FREE, kind->free(objects[1]));
    CHECK_FAULTS(TP_FAULT_FOREIGN, kind->free(&objects));
    CHECK_FAULTS(TP_FAULT_INTERIOR, kind->free((char *)objects[0] + 4));
  }
}

static void the_calls_of_any_pool_know_one_whose_links_are_outside(void)
{
  for (uint32_t i = 0; i < 2 * KINDS; i++) {
    const struct kind *kind = kind_of(i);
    begin(kind);
    tp_pool_free(kind->pool, objects[0]);
    for (uint32_t slot = 0; slot < SLOTS; slot++) {
      CHECK(tp_pool_alloc(kind->pool) != NULL);
    }
    CHECK_EQ(tp_pool_alloc(kind->pool) != NULL, kind->steals);
    CHECK(tp_pool_verify(kind->pool, NULL));
  }
}

// Tags that are no code are none that a pool without one is asked for.
static void after_a_reset_what_lives_in_each_is_there(void)
{
  for (uint32_t i = 0; i < 2 * KINDS; i++) {
    const struct kind *kind = kind_of(i);
    uint32_t seal = 0;
    const struct tp_noinit kept = {kind->pool, &seal, 1, SLOTS + 1};
    tp_noinit_validate(&kept);
    begin(kind);

    CHECK(tp_noinit_validate(&kept));

    for (uint32_t slot = 1; slot < SLOTS; slot++) {
      CHECK(kind->alloc(&handles[slot]) != objects[0]);
    }
  }
}

void suite_outside(void)
{
  RUN(whatever_is_written_to_dead_slots_each_is_issued_once);
  RUN(of_a_plain_pool_the_same_is_a_fault);
  RUN(each_word_of_a_dead_slot_is_poison);
  RUN(a_scrub_looks_at_the_first_word_too);
  RUN(a_flipped_bit_of_a_link_is_named_before_it_is_followed);
  RUN(a_reset_takes_all_back_and_issues_them_in_order_again);
  RUN(what_is_no_object_of_the_pool_is_named);
  RUN(the_calls_of_any_pool_know_one_whose_links_are_outside);
  RUN(after_a_reset_what_lives_in_each_is_there);
}
