// SPDX-License-Identifier: MIT
// Dense pools whose handles of 64 bits outlast the generations of 32.
#include "compose.h"

// As if the number at [index] had been used until its generation wraps next.
static void wear(const struct tp_dense64 *dense, uint32_t index)
{
  const struct tp_dense *own = dense->dense;
  uint32_t *place = &own->place[own->entry[index]];
  uint32_t before = *place;
  *place |= ~((1u << own->bits) - 1);
  own->state->frees += (*place - before) >> own->bits;
}

static void a_handle_of_64_bits_refers_to_its_object(void)
{
  swarm_handle_t handle[3], found;
  compose_start();
  for (uint32_t i = 0; i < 3; i++) {
    struct spark *spark = swarm_alloc(&handle[i]);
    spark->number = i;
    CHECK(swarm_get(handle[i]) == spark);
    CHECK(swarm_same(swarm_handle(i), handle[i]));
  }
  CHECK(swarm_free(handle[0]));

  CHECK(!swarm_free(handle[0]));
  CHECK(!swarm_get(handle[0]));
  CHECK(swarm_get(handle[2])->number == 2);
  CHECK(hooks.moved == swarm_get(handle[2]) &&
        swarm_same(hooks.handle, handle[2]));
  uint32_t sum = 0;
  struct spark *spark = swarm_first(&found);
  for (; spark; spark = swarm_next(&found)) {
    CHECK(swarm_get(found) == spark);
    sum += spark->number;
  }
  CHECK_EQ(sum, 3);
  CHECK(swarm_same(found, SWARM_NO_HANDLE));
}

static void a_handle_is_stale_after_its_generation_wrapped(void)
{
  swarm_handle_t old, before, after;
  compose_start();
  swarm_alloc(&old);
  wear(&swarm_dense64, 0);
  before = swarm_handle(0);
  CHECK(swarm_get(before));
  CHECK(swarm_free(before));

  struct spark *spark = swarm_alloc(&after);

  CHECK((uint32_t)after.bits == (uint32_t)old.bits);
  CHECK(after.bits != old.bits);
  CHECK(swarm_get(after) == spark);
  CHECK(!swarm_get(old) && !swarm_get(before));
  CHECK(!swarm_free(old));
  CHECK_EQ(swarm_count(), 1);
}

static void a_free_counts_a_wrap_of_the_last_number_too(void)
{
  pair_handle_t old, after;
  compose_start();
  CHECK(pair_alloc(NULL) && pair_alloc(&old));
  wear(&pair_dense64, 1);
  CHECK(pair_free(pair_handle(1)));

  CHECK(pair_alloc(&after));

  CHECK((uint32_t)after.bits == (uint32_t)old.bits && after.bits != old.bits);
  CHECK(pair_get(after) && !pair_get(old));
  CHECK(pair_free(after));
}

static void a_reset_counts_wraps_too(void)
{
  pair_handle_t old, after;
  for (uint32_t more = 0; more < 2; more++) {
    compose_start();
    CHECK(pair_alloc(&old));
    if (more) CHECK(pair_alloc(NULL));
    wear(&pair_dense64, 0);
    pair_reset();

    CHECK(pair_alloc(&after));

    CHECK((uint32_t)after.bits == (uint32_t)old.bits && after.bits != old.bits);
    CHECK(!pair_get(old));
    CHECK(tp_dense_verify(&pair_dense));
  }
}

static void a_full_dense_pool_gives_no_handle_of_64_bits(void)
{
  swarm_handle_t handle = {1};
  compose_start();
  for (uint32_t i = 0; i < 100; i++) CHECK(swarm_alloc(&handle));
  CHECK(handle.bits != TP_NO_HANDLE);
  CHECK(!swarm_alloc(&handle));
  CHECK(handle.bits == TP_NO_HANDLE);
  CHECK(!swarm_get(SWARM_NO_HANDLE) && !swarm_free(SWARM_NO_HANDLE));
  CHECK(swarm_alloc(NULL) == NULL);
  CHECK(tp_dense64_of(&swarm_dense64, TP_NO_HANDLE) == TP_NO_HANDLE);
}

// Its low half has numbers that the pool has not.
static void of_a_handle_that_is_no_pool_s_no_wrap_is_read(void)
{
  static uint16_t wraps[128];
  const struct tp_dense64 own = {&swarm_dense, wraps};
  compose_start();
  swarm_alloc(NULL);
  for (uint32_t i = SWARM_COUNT + 1; i < 128; i++) wraps[i] = 0xffff;
  for (uint32_t i = SWARM_COUNT + 1; i < 128; i++) {
    CHECK(tp_dense64_of(&own, i) == i);
  }
}

static void a_dense_pool_that_must_never_be_full_faults_here_too(void)
{
  compose_start();
  CHECK(pair_alloc(NULL) && pair_alloc(NULL));
  CHECK_FAULTS(TP_FAULT_FULL, pair_alloc(NULL));
}

static void handles_never_given_fault_here_too(void)
{
  pair_handle_t handle;
  compose_start();
  pair_alloc(&handle);
  tp_handle64_t bits = handle.bits;
  CHECK_FAULTS(TP_FAULT_HANDLE_POOL, tp_dense64_free(&pair_dense64, bits + 3));
  CHECK_FAULTS(TP_FAULT_HANDLE_POOL, tp_dense64_free(&swarm_dense64, bits));
  CHECK_FAULTS(TP_FAULT_HANDLE_POOL, tp_dense64_free(&pair_dense64, 1003));
  tp_handle64_t next = (tp_handle64_t)77 << 32 | (pair_dense.capacity + 1u);
  CHECK_FAULTS(TP_FAULT_HANDLE_POOL, tp_dense64_free(&pair_dense64, next));
  CHECK_FAULTS(TP_FAULT_FOREIGN, pair_handle(1));
}

static void a_handle_whose_high_half_was_never_given_faults(void)
{
  const tp_handle64_t wrap = (tp_handle64_t)1 << 32;
  tp_handle64_t handle;
  compose_start();
  tp_dense64_alloc(&pair_dense64, &handle);
  CHECK_FAULTS(TP_FAULT_HANDLE_POOL,
               tp_dense64_free(&pair_dense64, handle + wrap));
  CHECK_RECORD(pair_dense.name, NULL, 1, 0);
  CHECK_FAULTS(TP_FAULT_HANDLE_POOL, tp_dense64_free(&pair_dense64, wrap));
  CHECK(!tp_dense64_get(&pair_dense64, handle + wrap));
  wear(&pair_dense64, 0);
  CHECK(tp_dense64_free(&pair_dense64, pair_handle(0).bits));
  CHECK(!tp_dense64_free(&pair_dense64, handle));
  tp_dense64_alloc(&pair_dense64, &handle);
  CHECK(handle >> 32 == 1);
  CHECK_FAULTS(TP_FAULT_HANDLE_POOL,
               tp_dense64_free(&pair_dense64, handle + wrap));
  CHECK(!tp_dense64_free(&pair_dense64, handle - wrap));
  CHECK(tp_dense64_free(&pair_dense64, handle));
}

static void a_reset_counts_no_wrap_of_what_was_written_over(void)
{
  pair_handle_t handle;
  compose_start();
  pair_alloc(&handle);
  uint32_t place = pair_dense.place[2], wraps = pair_dense64.wraps[2];
  pair_dense.place[2] |= ~((1u << pair_dense.bits) - 1);
  pair_dense.entry[0] = 2;
  CHECK_FAULTS(TP_FAULT_INVARIANT, pair_reset());
  CHECK(tp_fault_record.address == &pair_dense.entry[0]);
  CHECK_EQ(pair_dense64.wraps[2], wraps);
  pair_dense.place[2] = place;
  pair_dense.entry[0] = 1;
  for (uint32_t bit = 1; bit < 16; bit++) {
    pair_dense.state->count ^= (uint16_t)(1u << bit);
    CHECK_FAULTS(TP_FAULT_INVARIANT, pair_reset());
    pair_dense.state->count ^= (uint16_t)(1u << bit);
  }
  pair_reset();
  CHECK_EQ(pair_count(), 0);
}

static void a_reset_counts_no_wrap_by_a_count_that_was_written_over(void)
{
  compose_start();
  for (uint32_t i = 0; i < 2; i++) pair_alloc(NULL);
  wear(&pair_dense64, 0);
  uint32_t wraps = pair_dense64.wraps[1];
  pair_dense.state->count ^= 0x100u;
  CHECK_FAULTS(TP_FAULT_INVARIANT, pair_reset());
  CHECK(tp_fault_record.address == &pair_dense.state->count);
  CHECK_EQ(pair_dense64.wraps[1], wraps);
  pair_dense.state->count ^= 0x100u;
}

static void a_reset_counts_no_wrap_of_an_entry_that_is_another_s(void)
{
  compose_start();
  for (uint32_t i = 0; i < 2; i++) pair_alloc(NULL);
  uint32_t place = pair_dense.place[2], wraps = pair_dense64.wraps[2];
  pair_dense.place[2] |= ~((1u << pair_dense.bits) - 1);
  pair_dense.entry[0] = 2;
  CHECK_FAULTS(TP_FAULT_INVARIANT, pair_reset());
  CHECK_EQ(pair_dense64.wraps[2], wraps);
  pair_dense.place[2] = place;
}

static void at_full_any_call_finds_a_wrap_that_was_written_over(void)
{
  tp_handle64_t handle;
  compose_start();
  tp_dense64_alloc(&swarm_dense64, &handle);
  for (uint32_t bit = 0; bit < 16; bit++) {
    swarm_dense64.wraps[1] ^= (uint16_t)(1u << bit);
    CHECK_FAULTS(TP_FAULT_INVARIANT, tp_dense64_handle(&swarm_dense64, 0));
    CHECK_FAULTS(TP_FAULT_INVARIANT, tp_dense64_get(&swarm_dense64, handle));
    CHECK_RECORD(swarm_dense.name, swarm_dense64.wraps, TP_BROKEN_OTHER,
                 TP_SOUND);
    swarm_dense64.wraps[1] ^= (uint16_t)(1u << bit);
  }
  CHECK(tp_dense64_free(&swarm_dense64, handle));
}

// Of what else is broken the pool's own calls say which, whatever wraps are.
static void at_full_a_broken_pool_is_the_fault_of_its_own_calls(void)
{
  tp_handle64_t handle;
  compose_start();
  tp_dense64_alloc(&swarm_dense64, &handle);
  swarm_dense.state->count++;
  for (uint32_t round = 0; round < 2; round++) {
    CHECK_FAULTS(TP_FAULT_INVARIANT, tp_dense64_free(&swarm_dense64, handle));
    CHECK(tp_fault_record.address == swarm_dense.state);
    swarm_dense64.wraps[0] ^= 1;
  }
  swarm_dense.state->count--;
  CHECK(tp_dense64_free(&swarm_dense64, handle));
}

void suite_dense64(void)
{
  RUN(a_handle_of_64_bits_refers_to_its_object);
  RUN(a_handle_is_stale_after_its_generation_wrapped);
  RUN(a_free_counts_a_wrap_of_the_last_number_too);
  RUN(a_reset_counts_wraps_too);
  RUN(a_full_dense_pool_gives_no_handle_of_64_bits);
  RUN(of_a_handle_that_is_no_pool_s_no_wrap_is_read);
  RUN(a_dense_pool_that_must_never_be_full_faults_here_too);
  if (TP_CHECKS >= TP_CHECKS_FAST) {
    RUN(handles_never_given_fault_here_too);
    RUN(a_handle_whose_high_half_was_never_given_faults);
    RUN(a_reset_counts_no_wrap_of_what_was_written_over);
    RUN(a_reset_counts_no_wrap_by_a_count_that_was_written_over);
    RUN(a_reset_counts_no_wrap_of_an_entry_that_is_another_s);
  }
  if (!AUDITED) return;
  RUN(at_full_any_call_finds_a_wrap_that_was_written_over);
  RUN(at_full_a_broken_pool_is_the_fault_of_its_own_calls);
}
