// SPDX-License-Identifier: MIT
// Dense pools by the calls that others call for others: those of 64 bits, and
// those that are told no site.
#include "allocator/tp_dense64.h"
#include "allocator/tp_dense_state.h"
#include "config/tp_define.h"
#include "ways.h"

enum { FEW = 6, OLD = 4 };

TP_DENSE_DEFINE(few, 8, FEW, 8, .full = 0);
TP_DENSE_DEFINE(sure, 8, FEW, 8, .full = 1);

static uint16_t wraps[FEW + 1];
static const struct tp_dense64 wide = {&few_dense, wraps};
static tp_handle64_t handles[FEW];

static void empty(void)
{
  *few_dense.state = (struct tp_dense_state){0};
  few_dense.place[0] = 0;
  sure_dense.state->count = 0;
}

static void fill(uint32_t from, uint32_t to)
{
  for (uint32_t i = from; i < to; i++)
    CHECK(tp_dense64_alloc(&wide, &handles[i]));
}

// A walk has met [met] of OLD objects, and the rest came since.
static void walk(uint32_t met)
{
  tp_handle64_t handle;
  empty();
  fill(0, OLD);
  void *object = tp_dense64_first(&wide, &handle);
  for (uint32_t i = 1; i < met; i++) object = tp_dense64_next(&wide, &handle);
  CHECK(object);
  fill(OLD, FEW);
}

static void each_hole_is_filled_wherever_a_walk_is(void)
{
  for (uint32_t met = 1; met <= OLD; met++) {
    for (uint32_t hole = 0; hole < FEW; hole++) {
      walk(met);
      CHECK(tp_dense64_free(&wide, handles[hole]));
      walk(met);
      CHECK(tp_dense_free(&few_dense, (tp_handle_t)handles[hole]));
      CHECK_EQ(few_dense.state->count, FEW - 1);
      walk(met);
      CHECK(tp_dense_free_for(&few_dense, (tp_handle_t)handles[hole], NULL));
      CHECK(!tp_dense_free_for(&few_dense, (tp_handle_t)handles[hole], NULL));
      CHECK_EQ(few_dense.state->count, FEW - 1);
    }
  }
}

static void a_walk_of_nobody_ends_at_once(void)
{
  tp_handle64_t none = 1;
  tp_handle_t low = 1;
  empty();
  CHECK(!tp_dense64_first(&wide, &none));
  CHECK(none == TP_NO_HANDLE);
  CHECK(!tp_dense_first_for(&few_dense, &low, NULL));
  CHECK_EQ(low, TP_NO_HANDLE);
}

static void each_index_has_its_handle(void)
{
  walk(1);
  for (uint32_t i = 0; i < FEW; i++) {
    CHECK(tp_dense64_handle(&wide, i) == handles[i]);
    CHECK(tp_dense_handle_for(&few_dense, i, NULL) == (tp_handle_t)handles[i]);
    CHECK(tp_dense64_get(&wide, handles[i]) == tp_dense_at(&few_dense, i));
  }
}

static void what_is_full_refuses_each_call(void)
{
  walk(1);
  CHECK(!tp_dense64_alloc(&wide, &handles[0]));
  CHECK(!tp_dense_alloc_for(&few_dense, NULL, NULL));
  CHECK_EQ(few_dense.state->refused, 2);
  tp_dense64_reset(&wide);
  CHECK(tp_dense_alloc_for(&few_dense, NULL, NULL));
  empty();
  CHECK(tp_dense_alloc_for(&few_dense, NULL, NULL));
  while (sure_dense.state->count < FEW) {
    CHECK(tp_dense_alloc_for(&sure_dense, NULL, NULL));
  }
  CHECK_FAULTS(TP_FAULT_FULL, tp_dense_alloc_for(&sure_dense, NULL, NULL));
}

static void alloc(void)
{
  (void)tp_dense_alloc_for(&few_dense, NULL, NULL);
}

static void give(void)
{
  (void)tp_dense_free_for(&few_dense, (tp_handle_t)handles[1], NULL);
}

static void handle(void)
{
  (void)tp_dense_handle_for(&few_dense, 1, NULL);
}

static void next(void)
{
  tp_handle_t low;
  (void)tp_dense_next_for(&few_dense, &low, NULL);
}

static void first(void)
{
  tp_handle_t low;
  (void)tp_dense_first_for(&few_dense, &low, NULL);
}

static void (*const calls[])(void) = {alloc, give, handle, next, first};

// Each but the last more than the one before: never issued, live, of a walk,
// and met.
static void each_call_finds_each_count_wrong(void)
{
  static const struct tp_dense_state wrong[] = {
      {.fresh = FEW + 1, .count = FEW},
      {.fresh = OLD, .count = FEW},
      {.fresh = FEW, .count = OLD, .old = FEW},
      {.fresh = FEW, .count = FEW, .old = 1, .seen = 2},
  };
  for (volatile uint32_t i = 0; i < 20; i++) {
    walk(1);
    *few_dense.state = wrong[i % 4];
    CHECK_FAULTS(TP_FAULT_INVARIANT, calls[i / 4]());
  }
}

static void an_entry_that_does_not_lead_back_is_found_as_a_walk_begins(void)
{
  tp_slot_t was = few_dense.entry[0];
  walk(1);
  few_dense.entry[0] = FEW + 1;
  CHECK_FAULTS(TP_FAULT_INVARIANT, first());
  few_dense.entry[0] = was;
}

// An entry that leads elsewhere, and one that none is.
static void each_call_finds_an_entry_that_does_not_lead_back(void)
{
  for (volatile uint32_t i = 0; i < 8; i++) {
    tp_slot_t was = few_dense.entry[1];
    walk(2);
    few_dense.state->seen = 1;
    if (i / 2 == 0) few_dense.state->count = few_dense.state->old = 1;
    few_dense.entry[1] = i % 2 ? 1 : FEW + 1;
    CHECK_FAULTS(TP_FAULT_INVARIANT, calls[i / 2]());
    few_dense.entry[1] = was;
  }
  walk(1);
  tp_slot_t was = few_dense.entry[1];
  few_dense.entry[1] = 1;
  CHECK_FAULTS(TP_FAULT_INVARIANT,
               tp_dense_get_for(&few_dense, (tp_handle_t)handles[1], NULL));
  few_dense.entry[1] = was;
}

static void what_is_no_handle_and_no_index_is_a_fault_of_each_call(void)
{
  tp_handle_t none = (tp_handle_t)handles[0] + 1 + (3u << few_dense.bits);
  walk(1);
  CHECK(!tp_dense_get_for(&few_dense, TP_NO_HANDLE, NULL));
  CHECK(!tp_dense_free_for(&few_dense, TP_NO_HANDLE, NULL));
  if (TP_CHECKS < TP_CHECKS_FAST) return;
  CHECK_FAULTS(TP_FAULT_HANDLE_POOL, tp_dense_free_for(&few_dense, none, NULL));
  CHECK_FAULTS(TP_FAULT_HANDLE_POOL, tp_dense64_free(&wide, none));
  CHECK_FAULTS(TP_FAULT_FOREIGN, tp_dense_handle_for(&few_dense, FEW, NULL));
  CHECK_FAULTS(TP_FAULT_FOREIGN, tp_dense64_handle(&wide, FEW));
}

void suite_denses(void)
{
  RUN(each_hole_is_filled_wherever_a_walk_is);
  RUN(a_walk_of_nobody_ends_at_once);
  RUN(each_index_has_its_handle);
  RUN(what_is_full_refuses_each_call);
  RUN(what_is_no_handle_and_no_index_is_a_fault_of_each_call);
  if (TP_CHECKS < TP_CHECKS_FAST) return;
  RUN(an_entry_that_does_not_lead_back_is_found_as_a_walk_begins);
  RUN(each_call_finds_each_count_wrong);
  RUN(each_call_finds_an_entry_that_does_not_lead_back);
}
