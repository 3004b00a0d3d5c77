// SPDX-License-Identifier: MIT
// Chunks that pools spill into: released, taken away, or written over.
#include "config/tp_define.h"
#include "core/tp_core.h"
#include "policy/tp_spill.h"
#include "ways.h"

enum { EACH = 2 };

TP_POOL_DEFINE_TAGGED(well, 16, EACH, 8, .policy = &tp_drop, .refuses = 1);
TP_POOL_DEFINE_TAGGED(spring, 16, EACH, 8, .policy = &tp_drop, .refuses = 1);
static struct tp_chunk_state well_chunk_state, spring_chunk_state;
static const struct tp_chunk well = {.pool = &well_pool,
                                     .state = &well_chunk_state};
static const struct tp_chunk spring = {
    .pool = &spring_pool, .state = &spring_chunk_state, .patience = 5};

static struct tp_spill_state bucket_spill_state;
static const struct tp_spill bucket_spill = {
    .policy = {.overflow = tp_spill_overflow, .take_back = tp_spill_take_back},
    .then = &tp_drop,
    .state = &bucket_spill_state};
TP_POOL_DEFINE_TAGGED(bucket, 16, 1, 8, .policy = &bucket_spill.policy,
                      .takes_foreign = 1);

// The one slot at home is taken.
static void begin(void)
{
  tp_test_forget(&well_pool);
  tp_test_forget(&spring_pool);
  tp_test_forget(&bucket_pool);
  well_chunk_state = spring_chunk_state = (struct tp_chunk_state){0};
  bucket_spill_state = (struct tp_spill_state){0};
  tp_chunk_attach(&bucket_pool, &well);
  CHECK(tp_pool_alloc(&bucket_pool));
}

static void a_chunk_is_released_while_nothing_lives_in_it(void)
{
  begin();
  void *lent = tp_pool_alloc(&bucket_pool);
  CHECK(lent && !tp_chunk_release(&well));
  tp_pool_free(&bucket_pool, lent);
  void *own = tp_pool_alloc(&well_pool);
  CHECK(own == lent && !tp_chunk_release(&well));
  tp_pool_free(&well_pool, own);
  CHECK(tp_chunk_release(&well) && tp_chunk_release(&well));
  CHECK_EQ(well_chunk_state.releases, 1);
  CHECK(tp_pool_alloc(&bucket_pool) && !tp_chunk_release(&well));
  CHECK_EQ(well_chunk_state.reopens, 1);
  well_chunk_state.phase = TP_CHUNK_BUSY;
  CHECK(!tp_chunk_release(&well));
  CHECK(!tp_pool_alloc(&bucket_pool));
}

static void a_chunk_is_not_released_before_its_patience_ends(void)
{
  begin();
  spring_chunk_state.emptied = tp_clock_now;
  CHECK(!tp_chunk_release(&spring));
  tp_clock_now += spring.patience;
  CHECK(tp_chunk_release(&spring));
}

static void a_pool_lets_go_of_each_chunk_in_which_nothing_lives(void)
{
  void *lent[2 * EACH];
  begin();
  tp_chunk_attach(&bucket_pool, &spring);
  for (uint32_t i = 0; i < 2 * EACH; i++) {
    lent[i] = tp_pool_alloc(&bucket_pool);
    CHECK(lent[i]);
  }
  CHECK(!tp_pool_alloc(&bucket_pool));
  CHECK_EQ(tp_spill_release(&bucket_pool), 2);
  for (uint32_t i = 1; i < 2 * EACH; i++) tp_pool_free(&bucket_pool, lent[i]);
  CHECK_EQ(tp_spill_release(&bucket_pool), 1);
  CHECK_EQ(well_chunk_state.attached + spring_chunk_state.attached, 1);
  tp_pool_free(&bucket_pool, lent[0]);
  CHECK_EQ(tp_spill_release(&bucket_pool), 0);
  CHECK_EQ(well_chunk_state.attached + spring_chunk_state.attached, 0);
  CHECK_EQ(tp_spill_release(&bucket_pool), 0);
}

// At off it is taken away from where it is not.
static void a_chunk_that_is_not_attached_is_not_detached(void)
{
  begin();
  if (TP_CHECKS >= TP_CHECKS_FAST) {
    CHECK_FAULTS(TP_FAULT_CHUNK, tp_chunk_detach(&bucket_pool, &spring));
    return;
  }
  CHECK(tp_chunk_detach(&bucket_pool, &spring));
  CHECK(tp_chunk_detach(&bucket_pool, &well));
  CHECK(tp_chunk_detach(&bucket_pool, &well));
  CHECK_EQ(well_chunk_state.attached, 0);
}

// At off it is taken for that of an open one.
static void a_phase_that_was_written_over_is_found_by_each_call(void)
{
  begin();
  well_chunk_state.phase = 1;
  if (TP_CHECKS < TP_CHECKS_FAST) {
    CHECK(tp_pool_alloc(&bucket_pool));
    return;
  }
  CHECK_FAULTS(TP_FAULT_INVARIANT, tp_chunk_release(&well));
  CHECK(tp_fault_record.address == &well_chunk_state);
  CHECK_FAULTS(TP_FAULT_INVARIANT, tp_pool_alloc(&bucket_pool));
  CHECK(tp_fault_record.address == &well_chunk_state);
  CHECK_FAULTS(TP_FAULT_INVARIANT, tp_chunk_detach(&bucket_pool, &well));
  CHECK_FAULTS(TP_FAULT_INVARIANT, tp_spill_release(&bucket_pool));
  CHECK_FAULTS(TP_FAULT_INVARIANT, tp_spill_reset(&bucket_pool));
  spring_chunk_state.phase = 1;
  CHECK_FAULTS(TP_FAULT_INVARIANT, tp_chunk_attach(&bucket_pool, &spring));
  CHECK(tp_fault_record.address == &spring_chunk_state);
}

void suite_chunks(void)
{
  RUN(a_chunk_is_released_while_nothing_lives_in_it);
  RUN(a_chunk_is_not_released_before_its_patience_ends);
  RUN(a_pool_lets_go_of_each_chunk_in_which_nothing_lives);
  RUN(a_chunk_that_is_not_attached_is_not_detached);
  RUN(a_phase_that_was_written_over_is_found_by_each_call);
}
