// SPDX-License-Identifier: MIT
#include "policies.h"

#include "core/tp_totals.h"

enum { HOME = 3, AWAY = 4, ALL = HOME + AWAY };

static void start(void)
{
  forget_spill(&sparks_pool);
  forget_spill(&smoke_pool);
}

static void a_full_pool_s_request_is_served_by_the_second_pool(void)
{
  start();
  for (uint32_t i = 0; i < HOME; i++) {
    CHECK(is_of(&sparks_pool, sparks_alloc()));
  }

  for (uint32_t i = 0; i < AWAY; i++) {
    CHECK(is_of(&rubble_pool, sparks_alloc()));
  }

  CHECK_EQ(sparks_pool.state->spills, AWAY);
  CHECK_EQ(sparks_spill.state->live, AWAY);
}

static void when_the_second_is_full_too_the_next_policy_answers(void)
{
  start();
  for (uint32_t i = 0; i < ALL; i++) CHECK(sparks_alloc() != NULL);

  CHECK(sparks_alloc() == NULL);
  CHECK(smoke_alloc() != NULL);
  CHECK(smoke_alloc() != NULL);
  CHECK_FAULTS(TP_FAULT_FULL, smoke_alloc());

  CHECK(tp_fault_record.pool == &smoke_pool);
  CHECK_EQ(sparks_spill.state->refused, 1);
  CHECK_EQ(smoke_spill.state->refused, 1);
}

static void totals_add_up_what_was_spilled(void)
{
  static const struct tp_entry sparks = {
      .name = "sparks", .kind = &tp_pool_kind, .allocator = &sparks_pool};
  static const struct tp_entry *const entries[] = {&sparks};
  static const struct tp_registry registry = {.entries = entries, .count = 1};
  struct tp_totals_row row = {0};
  const struct tp_totals totals = {&registry, &row};
  start();
  for (uint32_t i = 0; i < HOME + 2; i++) sparks_alloc();
  tp_totals_update(&totals);
  CHECK_EQ(row.spills, 2);
  sparks_alloc();
  tp_totals_update(&totals);
  CHECK_EQ(row.spills, 3);
}

// Fisher and Yates.
static void shuffle(struct thing **things, uint32_t count)
{
  for (uint32_t i = count - 1; i > 0; i--) {
    uint32_t k = tp_test_random() % (i + 1);
    struct thing *other = things[k];
    things[k] = things[i];
    things[i] = other;
  }
}

// Frees all of [things]. Each time the next object must lie at home if any slot
// is free there, though the second pool has some too.
static bool each_prefers_base(struct thing **things)
{
  uint32_t home = 0;
  bool right = true;
  shuffle(things, ALL);
  for (uint32_t i = 0; i < ALL; i++) {
    home += is_of(&sparks_pool, things[i]);
    sparks_free(things[i]);
    struct thing *next = sparks_alloc();
    right &= is_of(&sparks_pool, next) == (home > 0);
    sparks_free(next);
    right &= sparks_spill.state->live == AWAY - (i + 1 - home);
  }
  return right;
}

static void pushed_to_base_and_beyond_allocation_after_each_free_prefers_base(
    void)
{
  struct thing *things[ALL];
  start();
  tp_test_seed(8);

  for (uint32_t round = 0; round < 200; round++) {
    for (uint32_t i = 0; i < ALL; i++) things[i] = sparks_alloc();
    CHECK(each_prefers_base(things));
  }

  CHECK_EQ(sparks_spill.state->live, 0);
  CHECK_EQ(rubble_chunk.state->live, 0);
}

static void the_overflow_drains_though_requests_go_on(void)
{
  struct thing *things[ALL];
  start();
  for (uint32_t i = 0; i < ALL; i++) things[i] = sparks_alloc();
  for (uint32_t i = 0; i < ALL - HOME; i++) sparks_free(things[i]);

  for (uint32_t i = ALL - HOME; i < ALL; i++) {
    CHECK(is_of(&sparks_pool, sparks_alloc()));
    sparks_free(things[i]);
  }

  CHECK_EQ(sparks_spill.state->live, 0);
  CHECK_EQ(sparks_spill.state->peak, AWAY);
}

static void the_counts_add_up_over_random_steps(void)
{
  struct thing *things[ALL];
  uint32_t count = 0, requests = 0, refused = 0;
  start();
  for (uint32_t step = 0; step < 200000; step++) {
    if (tp_test_random() & 1) {
      struct thing *thing = sparks_alloc();
      requests += count >= HOME;
      if (!thing) refused++;
      if (thing) things[count++] = thing;
    } else if (count > 0) {
      uint32_t i = tp_test_random() % count;
      sparks_free(things[i]);
      things[i] = things[--count];
    }
  }

  uint32_t overflows = sparks_pool.state->overflows;
  CHECK_EQ(overflows, sparks_pool.state->spills + refused);
  CHECK_EQ(sparks_spill.state->refused, refused);
  CHECK(requests >= overflows && refused > 0);
  while (count > 0) sparks_free(things[--count]);
  CHECK_EQ(sparks_spill.state->live, 0);
  CHECK_EQ(rubble_chunk.state->live, 0);
  CHECK(tp_pool_verify(&sparks_pool, NULL));
  CHECK(tp_pool_verify(&rubble_pool, NULL));
}

static void what_one_pool_borrowed_another_cannot_free(void)
{
  struct thing *thing = NULL;
  start();
  for (uint32_t i = 0; i <= HOME; i++) thing = sparks_alloc();
  for (uint32_t i = 0; i < 3; i++) smoke_alloc();

  CHECK_FAULTS(TP_FAULT_FOREIGN, smoke_free(thing));

  CHECK(tp_fault_record.pool == &smoke_pool);
  CHECK(tp_fault_record.address == thing);
  CHECK_EQ(sparks_spill.state->live, 1);
  CHECK_EQ(smoke_spill.state->live, 1);
}

// Its own double free would be one, but this is nobody's of that pool.
static void what_one_pool_borrowed_and_gave_back_another_cannot_free(void)
{
  struct thing *thing = NULL;
  start();
  for (uint32_t i = 0; i <= HOME; i++) thing = sparks_alloc();
  for (uint32_t i = 0; i < 3; i++) smoke_alloc();
  sparks_free(thing);

  CHECK_FAULTS(TP_FAULT_FOREIGN, smoke_free(thing));

  CHECK(tp_fault_record.pool == &smoke_pool);
  CHECK(tp_fault_record.address == thing);
  CHECK_EQ(smoke_spill.state->live, 1);
}

static void what_was_borrowed_once_and_is_the_lender_s_cannot_be_freed(void)
{
  struct thing *thing = NULL;
  start();
  for (uint32_t i = 0; i <= HOME; i++) thing = sparks_alloc();
  sparks_free(thing);
  CHECK(rubble_alloc() == thing);

  CHECK_FAULTS(TP_FAULT_FOREIGN, sparks_free(thing));

  CHECK(tp_fault_record.pool == &sparks_pool);
  CHECK_EQ(rubble_chunk.state->live, 0);
  CHECK_EQ(sparks_spill.state->live, 0);
  CHECK(sparks_alloc() != NULL);
  CHECK_FAULTS(TP_FAULT_FOREIGN, sparks_free(thing));
  CHECK_EQ(rubble_chunk.state->live, 1);
  CHECK_EQ(sparks_spill.state->live, 1);
}

static void without_owners_it_cannot_be_freed_while_nothing_is_lent(void)
{
  forget_spill(&boxes_pool);
  struct thing *thing = attic_alloc();

  CHECK_FAULTS(TP_FAULT_FOREIGN, boxes_free(thing));

  CHECK(tp_fault_record.pool == &boxes_pool);
  CHECK_EQ(boxes_spill.state->live, 0);
  CHECK_EQ(attic_chunk.state->live, 0);
}

static void what_neither_pool_has_is_foreign_at_every_level(void)
{
  struct thing foreign;
  start();
  sparks_alloc();

  CHECK_FAULTS(TP_FAULT_FOREIGN, sparks_free(&foreign));
  CHECK_FAULTS(TP_FAULT_FOREIGN, sparks_free(NULL));

  CHECK(tp_fault_record.pool == &sparks_pool);
}

static void a_double_free_of_a_borrowed_object_names_the_second_pool(void)
{
  struct thing *thing = NULL;
  start();
  for (uint32_t i = 0; i <= HOME; i++) thing = sparks_alloc();
  sparks_free(thing);
  if (TP_CHECKS < TP_CHECKS_FAST) return;

  CHECK_FAULTS(TP_FAULT_DOUBLE_FREE, sparks_free(thing));

  CHECK(tp_fault_record.pool == &rubble_pool);
  CHECK_EQ(tp_fault_record.slot, 1);
  CHECK_EQ(sparks_spill.state->live, 0);
}

static void an_object_borrowed_has_the_alignment_of_its_home(void)
{
  start();
  for (uint32_t i = 0; i < ALL; i++) {
    CHECK_EQ((uintptr_t)sparks_alloc() % 8, 0);
  }
}

static void a_request_for_a_handle_is_never_spilled(void)
{
  tp_handle_t handle;
  forget_spill(&boxes_pool);
  for (uint32_t i = 0; i < BOXES; i++) {
    CHECK(tp_handle_alloc(&boxes_pool, &handle) != NULL);
  }

  CHECK(tp_handle_alloc(&boxes_pool, &handle) == NULL);

  CHECK_EQ(handle, TP_NO_HANDLE);
  CHECK_EQ(boxes_spill.state->refused, 0);
  struct thing *box = boxes_alloc();
  CHECK(box != NULL);
  CHECK_EQ(tp_handle_of(&boxes_pool, box), TP_NO_HANDLE);
}

static void an_overwritten_link_in_the_second_pool_faults_and_names_it(void)
{
  struct thing *thing = NULL;
  start();
  for (uint32_t i = 0; i <= HOME; i++) thing = tp_pool_alloc(&sparks_pool);
  tp_pool_free(&sparks_pool, thing);
  thing->word[0] = 0;

  CHECK_FAULTS(TP_FAULT_LINK, tp_pool_alloc(&sparks_pool));

  CHECK(tp_fault_record.pool == &rubble_pool);
}

// The first of both that is asked is its own.
static void a_pool_with_a_chunk_of_its_own_may_have_more_attached(void)
{
  enum { EACH = 3, MOST = BOXES + ATTIC + EACH };
  struct thing *things[MOST];
  forget_spill(&boxes_pool);
  forget_chunk(&field_a_chunk);
  tp_chunk_attach(&boxes_pool, &field_a_chunk);
  for (uint32_t i = 0; i < MOST; i++) {
    things[i] = boxes_alloc();
    CHECK(things[i]);
  }
  CHECK(boxes_alloc() == NULL);
  for (uint32_t i = 0; i < MOST; i++) boxes_free(things[i]);
  CHECK_EQ(boxes_spill.state->live, 0);
  CHECK(tp_chunk_detach(&boxes_pool, &field_a_chunk));
}

void suite_spill(void)
{
  RUN(a_full_pool_s_request_is_served_by_the_second_pool);
  RUN(when_the_second_is_full_too_the_next_policy_answers);
  RUN(pushed_to_base_and_beyond_allocation_after_each_free_prefers_base);
  RUN(the_overflow_drains_though_requests_go_on);
  RUN(the_counts_add_up_over_random_steps);
  RUN(totals_add_up_what_was_spilled);
  RUN(what_one_pool_borrowed_another_cannot_free);
  RUN(what_one_pool_borrowed_and_gave_back_another_cannot_free);
  RUN(what_was_borrowed_once_and_is_the_lender_s_cannot_be_freed);
  RUN(without_owners_it_cannot_be_freed_while_nothing_is_lent);
  RUN(what_neither_pool_has_is_foreign_at_every_level);
  RUN(a_double_free_of_a_borrowed_object_names_the_second_pool);
  if (TP_CHECKS >= TP_CHECKS_FAST)
    RUN(an_overwritten_link_in_the_second_pool_faults_and_names_it);
  RUN(an_object_borrowed_has_the_alignment_of_its_home);
  RUN(a_request_for_a_handle_is_never_spilled);
  RUN(a_pool_with_a_chunk_of_its_own_may_have_more_attached);
}
