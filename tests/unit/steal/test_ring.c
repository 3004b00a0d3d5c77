// SPDX-License-Identifier: MIT
// A ring of which a link was written over: who goes by that link says so,
// before it stores anything by way of it.
#include "steal.h"
#include "check/tp_level.h"
#include "core/tp_tag.h"
#include "tp_port.h"

enum { FEW = 4, NO_SLOT = FEW + 1 };

static struct voice *taken[FEW];
static tp_handle_t second;

// Slots 1 to 4 are live, oldest first. Returns the ring.
static struct tp_age_link *fill(void)
{
  steal_start();
  for (uint32_t i = 0; i < FEW; i++) {
    taken[i] = voices_alloc();
    *taken[i] = (struct voice){.loudness = i};
  }
  second = voices_handle(taken[1]);
  return voices_pool.age;
}

static struct tp_age_link *fill_echoes(void)
{
  steal_start();
  for (uint32_t i = 0; i < FEW; i++) taken[i] = echoes_alloc();
  tp_clock_now = 100;
  return echoes_pool.age;
}

static void free_second(void)
{
  voices_free(taken[1]);
}

static void free_second_by_handle(void)
{
  voices_free_handle(second);
}

static void pin_second(void)
{
  voices_pin(taken[1]);
}

static void (*const leaves[])(void) = {free_second, free_second_by_handle,
                                       pin_second};

// The four links that say where slot 2 stands.
static tp_slot_t *link_of_second(struct tp_age_link *age, uint32_t which)
{
  tp_slot_t *const links[] = {&age[2].older, &age[2].newer, &age[1].newer,
                              &age[3].older};
  return links[which];
}

static void nobody_leaves_a_ring_whose_links_at_it_were_written_over(void)
{
  for (uint32_t i = 0; i < 3 * 4 * 2; i++) {
    tp_slot_t *link = link_of_second(fill(), i / 2 % 4);
    tp_slot_t whole = *link;
    uint32_t list = voices_pool.tag[0];
    *link = i % 2 ? NO_SLOT : 4;
    CHECK_FAULTS(TP_FAULT_INVARIANT, leaves[i / 8]());
    CHECK(steal_tells_of(&voices_pool, 2));
    CHECK_EQ(voices_pool.tag[0], list);
    CHECK_EQ(*link, i % 2 ? NO_SLOT : 4);
    *link = whole;
    CHECK_EQ(voices_pool.age[1].newer, 2);
    CHECK_EQ(voices_pool.age[3].older, 2);
  }
}

// Slot 4 is the oldest, slot 2 the newest. By its own links the last slot of
// the pool is whole, and they lead to no slot past the second.
static void links_that_are_whole_do_not_speak_for_those_of_another_slot(void)
{
  for (uint32_t i = 0; i < 3; i++) {
    fill();
    voices_free(taken[0]);
    voices_free(taken[2]);
    voices_free(taken[1]);
    taken[1] = voices_alloc();
    second = voices_handle(taken[1]);
    CHECK_EQ(voices_pool.age[4].newer, 2);
    voices_pool.age[2].newer = 1;
    CHECK_FAULTS(TP_FAULT_INVARIANT, leaves[i]());
    CHECK(steal_tells_of(&voices_pool, 2));
    CHECK_EQ(voices_pool.age[4].newer, 2);
  }
}

// Slot 4, of the pool with one slot less, is none, though it leads back.
static void nobody_leaves_a_ring_by_way_of_what_is_no_slot_of_the_pool(void)
{
  struct tp_pool less = voices_pool;
  fill();
  less.capacity = 3;
  CHECK_FAULTS(TP_FAULT_INVARIANT, tp_aged_free(&less, taken[2]));
  CHECK(tp_fault_record.pool == &less);
  CHECK_EQ(voices_pool.age[4].older, 3);
}

static void no_choice_goes_on_to_what_is_no_slot_of_the_pool(void)
{
  struct tp_pool less = voices_pool;
  steal_start();
  less.capacity = 3;
  for (uint32_t i = 0; i < 3; i++) {
    taken[i] = tp_pool_alloc(&less);
    *taken[i] = (struct voice){.loudness = i};
  }
  voices_pool.age[3].newer = 4;
  voices_pool.age[4] = (struct tp_age_link){.older = 3};
  voices_pool.tag[4] = TP_LIVE | 1;
  CHECK_FAULTS(TP_FAULT_INVARIANT, tp_least_alloc(&less, 99));
  CHECK(steal_tells_of(&less, 3));
}

// By those that know of the ring, and by those that do not.
static void the_calls_of_handles_serve_a_pool_with_a_ring_in_either_width(void)
{
  tp_handle_t handle[2];
  tp_handle64_t wide[2];
  steal_start();
  taken[0] = tp_handle_alloc(&voices_pool, &handle[0]);
  taken[1] = tp_handle_alloc_aged(&voices_pool, &handle[1]);
  taken[2] = tp_handle64_alloc(&voices_pool, &wide[0]);
  taken[3] = tp_handle64_alloc_aged(&voices_pool, &wide[1]);
  CHECK(tp_handle_get(&voices_pool, handle[0]) == taken[0]);
  CHECK(tp_handle_get(&voices_pool, handle[1]) == taken[1]);
  CHECK(tp_handle64_get(&voices_pool, wide[0]) == taken[2]);
  CHECK(tp_handle64_get(&voices_pool, wide[1]) == taken[3]);
  CHECK(tp_handle_free(&voices_pool, handle[0]));
  CHECK(!tp_handle_free_aged(&voices_pool, handle[0]));
  CHECK(tp_handle_free_aged(&voices_pool, handle[1]));
  CHECK(!tp_handle_free(&voices_pool, handle[1]));
  CHECK(tp_handle64_free(&voices_pool, wide[0]));
  CHECK(!tp_handle64_free_aged(&voices_pool, wide[0]));
  CHECK(tp_handle64_free_aged(&voices_pool, wide[1]));
  CHECK(!tp_handle64_free(&voices_pool, wide[1]));
  CHECK_EQ(tp_pool_live(&voices_pool), 0);
  CHECK(tp_pool_verify(&voices_pool, NULL));
}

static void a_handle_frees_with_a_ring_and_without_one(void)
{
  tp_handle_t handle;
  fill();
  CHECK(voices_free_handle(second));
  CHECK(tp_pool_verify(&voices_pool, NULL));
  CHECK(tp_handle_alloc(&pebbles_pool, &handle));
  CHECK(tp_handle_free(&pebbles_pool, handle));
  CHECK_EQ(tp_pool_live(&pebbles_pool), 0);
}

static void allocate_another(void)
{
  voices_alloc();
}

static void unpin_second(void)
{
  voices_unpin(taken[1]);
}

static void nobody_joins_a_ring_whose_newest_is_no_slot(void)
{
  steal_start();
  voices_pool.age[0].older = NO_SLOT;
  CHECK_FAULTS(TP_FAULT_INVARIANT, allocate_another());
  CHECK(steal_tells_of(&voices_pool, 0));

  fill();
  voices_free(taken[3]);
  voices_pool.age[0].older = NO_SLOT;
  CHECK_FAULTS(TP_FAULT_INVARIANT, allocate_another());
  CHECK(steal_tells_of(&voices_pool, 0));

  fill();
  voices_pin(taken[1]);
  voices_pool.age[0].older = NO_SLOT;
  CHECK_FAULTS(TP_FAULT_INVARIANT, unpin_second());
  CHECK(steal_tells_of(&voices_pool, 0));
}

static void the_oldest_is_not_stolen_where_the_ring_leads_to_no_slot(void)
{
  fill_echoes()[0].newer = NO_SLOT;
  CHECK_FAULTS(TP_FAULT_INVARIANT, echoes_alloc());
  CHECK(steal_tells_of(&echoes_pool, 0));

  fill_echoes()[1].newer = NO_SLOT;
  CHECK_FAULTS(TP_FAULT_INVARIANT, echoes_alloc());
  CHECK(steal_tells_of(&echoes_pool, 0));

  fill_echoes()[1].older = 3;
  CHECK_FAULTS(TP_FAULT_INVARIANT, echoes_alloc());
  CHECK(steal_tells_of(&echoes_pool, 0));
}

static void a_scan_for_the_least_ends_at_the_link_that_was_written_over(void)
{
  for (uint32_t slot = 0; slot <= FEW; slot++) {
    fill()[slot].newer = NO_SLOT;
    CHECK_FAULTS(TP_FAULT_INVARIANT, voices_alloc());
    CHECK(steal_tells_of(&voices_pool, slot));

    fill()[(slot + 1) % NO_SLOT].older = NO_SLOT;
    CHECK_FAULTS(TP_FAULT_INVARIANT, voices_alloc());
    CHECK(steal_tells_of(&voices_pool, slot));
  }
}

// Behind the back of a scan that stands on slot 1.
static void write_over_the_head(void *object)
{
  (void)object;
  shy_pool.age[0].newer = 2;
}

static void a_victim_whose_links_were_written_over_meanwhile_is_not_taken(void)
{
  steal_start();
  for (uint32_t i = 0; i < FEW; i++) tp_pool_alloc(&shy_pool);
  tp_clock_now = 100;
  shy_does = write_over_the_head;
  CHECK_FAULTS(TP_FAULT_INVARIANT, tp_pool_alloc(&shy_pool));
  CHECK(tp_fault_record.pool == &shy_pool);
  CHECK_EQ(tp_fault_record.slot, 1);
}

// Slots 1 and 4 alone are on the ring: the links of the last slot are whole,
// and lead to no slot past the first.
static void a_victim_is_not_taken_by_the_links_of_another(void)
{
  void *shy[FEW];
  steal_start();
  for (uint32_t i = 0; i < FEW; i++) shy[i] = tp_pool_alloc(&shy_pool);
  tp_pool_pin(&shy_pool, shy[1]);
  tp_pool_pin(&shy_pool, shy[2]);
  tp_clock_now = 100;
  shy_does = write_over_the_head;
  CHECK_FAULTS(TP_FAULT_INVARIANT, tp_pool_alloc(&shy_pool));
  CHECK_EQ(tp_fault_record.slot, 1);
}

#if !defined __arm__ && !defined __riscv

// An interrupt that was at work on the ring ends.
static void end_its_work(void)
{
  voices_pool.age[1].newer = 2;
}

static void what_was_in_doubt_and_is_whole_once_it_is_masked_is_no_fault(void)
{
  fill()[1].newer = 3;
  tp_port_interrupt_after(1, end_its_work);
  voices_pin(taken[1]);
  CHECK_EQ(tp_port_due, 0);
  CHECK_EQ(voices_pool.age[1].newer, 3);
  CHECK_EQ(voices_pool.age[2].newer, 2);
  CHECK(tp_pool_verify(&voices_pool, NULL));
}

static struct voice *alone;

static void free_it(void)
{
  if (alone) single_free(alone);
  alone = NULL;
}

// The request is refused or served, wherever the interrupt comes; the next one
// is served. At full, where calls lock more often, it comes elsewhere.
static void who_is_freed_while_a_victim_is_looked_for_is_not_taken_at_once(void)
{
  uint32_t refused = 0;
  for (uint32_t edge = 1; edge < 8; edge++) {
    tp_test_forget(&single_pool);
    alone = single_alloc();
    tp_port_interrupt_after(edge, free_it);
    struct voice *next = single_alloc();
    tp_port_interrupt_after(0, NULL);
    CHECK(next || !alone);
    refused += !next;
    if (next) single_free(next);
    CHECK(single_alloc() != NULL);
  }
  CHECK(refused > 0 || TP_CHECKS == TP_CHECKS_FULL);
}

#endif

void suite_ring(void)
{
  if (TP_CHECKS < TP_CHECKS_FAST) return;
  RUN(nobody_leaves_a_ring_whose_links_at_it_were_written_over);
  RUN(links_that_are_whole_do_not_speak_for_those_of_another_slot);
  RUN(nobody_leaves_a_ring_by_way_of_what_is_no_slot_of_the_pool);
  RUN(no_choice_goes_on_to_what_is_no_slot_of_the_pool);
  RUN(the_calls_of_handles_serve_a_pool_with_a_ring_in_either_width);
  RUN(a_handle_frees_with_a_ring_and_without_one);
  RUN(nobody_joins_a_ring_whose_newest_is_no_slot);
  RUN(the_oldest_is_not_stolen_where_the_ring_leads_to_no_slot);
  RUN(a_scan_for_the_least_ends_at_the_link_that_was_written_over);
  RUN(a_victim_whose_links_were_written_over_meanwhile_is_not_taken);
  RUN(a_victim_is_not_taken_by_the_links_of_another);
#if !defined __arm__ && !defined __riscv
  RUN(what_was_in_doubt_and_is_whole_once_it_is_masked_is_no_fault);
  RUN(who_is_freed_while_a_victim_is_looked_for_is_not_taken_at_once);
#endif
}
