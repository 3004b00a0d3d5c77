// SPDX-License-Identifier: MIT
// RAM that nobody zeroed before main(), as where start-up code leaves out .bss
// or a pool lies in memory of its own: its first call says so.
#include "check/tp_check.h"
#include "unit.h"

static const struct tp_pool *const pools[] = {
    &crates_pool, &vault_pool,  &lone_pool,  &bosses_pool, &notes_pool,
    &ticks_pool,  &single_pool, &crowd_pool, &heap_pool,   &wide_pool,
};
static const uint32_t fills[] = {0xffffffff, 0xa5a5a5a5, 0xdeadbeef, 0x55555555,
                                 TP_POISON};
enum {
  POOLS = sizeof pools / sizeof pools[0],
  FILLS = sizeof fills / sizeof fills[0],
  ROUNDS = 50
};

static uint32_t noise = 1;

// [word]; if it is 0, whatever the last reset left.
static void fill(void *memory, size_t bytes, uint32_t word)
{
  tp_word_t *words = (tp_word_t *)memory;
  for (size_t i = 0; i < bytes / 4; i++) {
    noise = noise * 1664525 + 1013904223;
    words[i] = word ? word : noise;
  }
}

static void fill_pool(const struct tp_pool *pool, uint32_t word)
{
  size_t slots = (size_t)pool->capacity * pool->stride;
  TP_PORT_UNPOISON(pool->storage, (uint32_t)slots);
  fill(pool->tag, (pool->capacity + 1u) * sizeof *pool->tag, word);
  fill(pool->state, sizeof *pool->state, word);
  fill(pool->storage, slots, word);
  if (pool->age) fill(pool->age, (pool->capacity + 1u) * 4u, word);
}

// Of whatever kind: it is named, with the pool.
static void a_pool_on_ram_that_was_not_zeroed_faults_at_its_first_call(void)
{
  for (uint32_t i = 0; i < POOLS; i++) {
    for (uint32_t j = 0; j < FILLS + ROUNDS; j++) {
      fill_pool(pools[i], j < FILLS ? fills[j] : 0);
      CHECK_FAULTS(tp_fault_record.kind, tp_pool_alloc(pools[i]));
      CHECK(tp_fault_record.pool == pools[i]);
      tp_test_forget(pools[i]);
    }
  }
}

static void so_does_one_with_code_of_its_own(void)
{
  for (uint32_t j = 0; j < FILLS + ROUNDS; j++) {
    uint32_t word = j < FILLS ? fills[j] : 0;
    fill_pool(&quick_pool, word);
    CHECK_FAULTS(tp_fault_record.kind, quick_alloc());
    CHECK(tp_fault_record.pool == &quick_pool);
    fill_pool(&brisk_pool, word);
    CHECK_FAULTS(tp_fault_record.kind, brisk_alloc());
    CHECK(tp_fault_record.pool == &brisk_pool);
  }
  tp_test_forget(&quick_pool);
  tp_test_forget(&brisk_pool);
}

static void a_handle_of_ram_that_was_not_zeroed_is_issued_by_none(void)
{
  for (uint32_t j = 0; j < FILLS + ROUNDS; j++) {
    fill_pool(&ticks_pool, j < FILLS ? fills[j] : 0);
    ticks_handle_t handle;
    CHECK_FAULTS(tp_fault_record.kind, ticks_alloc_handle(&handle));
    CHECK(tp_fault_record.pool == &ticks_pool);
  }
  tp_test_forget(&ticks_pool);
}

void suite_not_zeroed(void)
{
  if (TP_CHECKS < TP_CHECKS_FAST) return;
  RUN(a_pool_on_ram_that_was_not_zeroed_faults_at_its_first_call);
  RUN(so_does_one_with_code_of_its_own);
  RUN(a_handle_of_ram_that_was_not_zeroed_is_issued_by_none);
}
