// SPDX-License-Identifier: MIT
// At full every call looks at the whole pool before it changes anything, and
// after: damage to a slot that no call was about is found by both.
#include "unit.h"

#include "tp_port.h"

enum { MOST = 5, DAMAGED = 3 };

static const struct tp_pool *pool;
static void *slots[MOST];
static tp_handle64_t first;

static void fill(const struct tp_pool *filled, uint32_t count)
{
  pool = filled;
  tp_test_forget(pool);
  for (uint32_t i = 0; i < count; i++) slots[i] = tp_pool_alloc(pool);
}

// Behind a live object that the call has nothing to do with.
static void damage(void)
{
  ((uint8_t *)slots[DAMAGED - 1])[pool->size] ^= 1;
}

static void fill_crates(void)
{
  fill(&crates_pool, 5);
}

static void fill_crates_but_one(void)
{
  fill(&crates_pool, 4);
}

static void free_a_crate(void)
{
  fill(&crates_pool, 5);
  tp_pool_free(pool, slots[0]);
}

static void fill_vault(void)
{
  fill(&vault_pool, 4);
  first = tp_handle64_of(pool, slots[0]);
}

static void fill_notes(void)
{
  fill(&notes_pool, 4);
}

static void alloc(void)
{
  tp_pool_alloc(pool);
}

static void free_first(void)
{
  tp_pool_free(pool, slots[0]);
}

static void free_first_by_handle(void)
{
  tp_handle64_free(pool, first);
}

static const struct {
  void (*prepare)(void);
  void (*call)(void);
} calls[] = {
    {free_a_crate, alloc},
    {fill_crates_but_one, alloc},
    {fill_notes, alloc},
    {fill_crates, free_first},
    {fill_notes, free_first},
    {fill_vault, free_first},
    {fill_vault, free_first_by_handle},
};

enum { CALLS = sizeof calls / sizeof *calls };

static void damage_anywhere_is_found_before_a_call_changes_anything(void)
{
  for (uint32_t i = 0; i < CALLS; i++) {
    calls[i].prepare();
    uint32_t list = pool->tag[0], tag = pool->tag[1];
    uint32_t fresh = pool->state->fresh;
    damage();
    CHECK_FAULTS(TP_FAULT_RED_ZONE, calls[i].call());
    CHECK_EQ(tp_fault_record.slot, DAMAGED);
    CHECK_EQ(pool->tag[0], list);
    CHECK_EQ(pool->tag[1], tag);
    CHECK_EQ(pool->state->fresh, fresh);
  }
}

#if !defined __arm__ && !defined __riscv

// The second edge is where the first look ends.
static void damage_that_is_done_during_a_call_is_found_before_it_returns(void)
{
  for (uint32_t i = 0; i < CALLS; i++) {
    calls[i].prepare();
    tp_port_interrupt_after(2, damage);
    CHECK_FAULTS(TP_FAULT_RED_ZONE, calls[i].call());
    CHECK_EQ(tp_port_due, 0);
    CHECK_EQ(tp_fault_record.slot, DAMAGED);
  }
}

#endif

void suite_looked_at(void)
{
  if (!AUDITED) return;
  RUN(damage_anywhere_is_found_before_a_call_changes_anything);
#if !defined __arm__ && !defined __riscv
  RUN(damage_that_is_done_during_a_call_is_found_before_it_returns);
#endif
}
