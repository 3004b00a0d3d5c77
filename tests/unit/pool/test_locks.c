// SPDX-License-Identifier: MIT
// What a pool masks, and that it unmasks it: at the host all of it is counted.
#include "unit.h"

#include "core/tp_core.h"
#include "object/tp_build.h"

static tp_word_t memory[128];
static struct tp_pool built;
static uint32_t evicted_while_masked;

#if !defined __arm__ && !defined __riscv
#define COUNTED   true
#define WINDOWS() tp_port_windows
#define DEPTH()   tp_port_depth
#else
#define COUNTED   false
#define WINDOWS() 0u
#define DEPTH()   0u
#endif

static void told(void *victim)
{
  (void)victim;
  evicted_while_masked += DEPTH();
}

// A pool that steals, with handles, that masks what [lock] says.
static void build(uint8_t lock)
{
  tp_pool_build(&built, "built",
                &(struct tp_build){
                    .size = 16,
                    .count = 3,
                    .align = 8,
                    .aged = 1,
                    .tagged = 1,
                    .lock = lock,
                    .policy = &tp_steal_oldest,
                    .evict = told,
                },
                memory);
  evicted_while_masked = 0;
}

// All that a pool is asked for, whatever it masks.
static void use(void)
{
  tp_handle_t handle[5];
  for (uint32_t i = 0; i < 4; i++) tp_handle_alloc_aged(&built, &handle[i]);
  CHECK(tp_handle_get(&built, handle[0]) == NULL);
  CHECK(tp_handle_pin(&built, handle[1]));
  CHECK(tp_handle_unpin(&built, handle[1]));
  CHECK(!tp_handle_pin(&built, handle[0]));
  CHECK(tp_handle_free_aged(&built, handle[2]));
  CHECK(!tp_handle_free_aged(&built, handle[2]));
  CHECK(tp_handle_alloc_aged(&built, &handle[4]));
  tp_pool_reset(&built);
  CHECK_EQ(DEPTH(), 0);
  CHECK_EQ(evicted_while_masked, 0);
  CHECK(tp_pool_verify(&built, NULL));
}

static void every_call_gives_back_the_lock_it_took(void)
{
  build(TP_LOCK_PRIMASK);
  uint32_t before = WINDOWS();
  use();
  CHECK_EQ(WINDOWS() != before, COUNTED);
}

static void a_pool_of_one_context_masks_nothing(void)
{
  build(TP_LOCK_NONE);
  uint32_t before = WINDOWS();
  use();
  if (!AUDITED) CHECK_EQ(WINDOWS(), before);
}

static void a_row_without_a_lock_masks_nothing_though_its_code_is_shared(void)
{
  tp_test_forget(&wide_pool);
  uint32_t before = WINDOWS();
  void *first = wide_alloc();
  while (wide_alloc()) {
  }
  wide_free(first);
  CHECK(wide_alloc() == first);
  if (!AUDITED) CHECK_EQ(WINDOWS(), before);
}

static void a_pool_with_a_ring_is_used_without_a_lock_too(void)
{
  build(TP_LOCK_NONE);
  void *object = tp_unlocked_alloc(&built);
  tp_unlocked_free(&built, object);
  CHECK(tp_unlocked_alloc(&built) == object);
  for (uint32_t i = 0; i < 2; i++) tp_unlocked_alloc(&built);
  CHECK(tp_unlocked_alloc(&built) == object);
  CHECK(tp_pool_verify(&built, NULL));
}

static void a_pool_may_mask_by_priority(void)
{
  if (!TP_PORT_HAS_BASEPRI) return;
  build(0x40);
  uint32_t before = WINDOWS();
  use();
  CHECK_EQ(WINDOWS() != before, COUNTED);
}

#if !defined __arm__ && !defined __riscv

// Who masked already is left masked: what a call gives back is what it found.
static void every_call_leaves_what_was_masked_before_it_masked(void)
{
  tp_handle_t handle[4];
  build(TP_LOCK_PRIMASK);
  tp_port_lock();
  for (uint32_t i = 0; i < 4; i++) tp_handle_alloc_aged(&built, &handle[i]);
  CHECK_EQ(DEPTH(), 1);
  CHECK(tp_handle_pin(&built, handle[1]));
  CHECK(tp_handle_unpin(&built, handle[1]));
  CHECK(!tp_handle_pin(&built, handle[0]));
  CHECK_EQ(DEPTH(), 1);
  CHECK(tp_handle_free_aged(&built, handle[2]));
  CHECK(!tp_handle_free_aged(&built, handle[2]));
  CHECK_EQ(DEPTH(), 1);
  void *object = tp_pool_alloc(&built);
  tp_pool_free(&built, object);
  CHECK(tp_pool_extend(&built, NULL, NULL) == object);
  CHECK_EQ(DEPTH(), 1);
  tp_pool_free(&built, object);
  CHECK_FAULTS(TP_FAULT_DOUBLE_FREE, tp_pool_free(&built, object));
  CHECK_EQ(DEPTH(), 1);
  tp_pool_reset(&built);
  CHECK_EQ(DEPTH(), 1);
  tp_port_unlock(0);
}

static void a_pool_of_one_context_leaves_what_was_masked_masked(void)
{
  build(TP_LOCK_NONE);
  tp_port_lock();
  tp_pool_free(&built, tp_pool_alloc(&built));
  CHECK_EQ(DEPTH(), 1);
  tp_port_unlock(0);
}

static void who_asks_for_the_oldest_is_left_masked(void)
{
  uint32_t born[3];
  struct tp_pool timed;
  build(TP_LOCK_PRIMASK);
  timed = built;
  timed.born = born;
  tp_pool_alloc(&timed);
  tp_port_lock();
  tp_pool_oldest_age(&timed);
  CHECK_EQ(DEPTH(), 1);
  tp_port_unlock(0);
}

// In between its bytes are cleaned.
static void a_handle_is_freed_in_two_windows(void)
{
  tp_handle_t handle;
  build(TP_LOCK_PRIMASK);
  tp_handle_alloc_aged(&built, &handle);
  uint32_t before = WINDOWS();
  CHECK(tp_handle_free_aged(&built, handle));
  if (!AUDITED) CHECK_EQ(WINDOWS() - before, 2);
}

// The list is empty, then the slot is taken; and where generations are added up
// its tag changes with the sum.
static void a_first_issue_locks_once_more_where_generations_are_added_up(void)
{
  tp_handle64_t handle;
  bool summed = TP_CHECKS >= TP_CHECKS_POISON;
  tp_test_forget(&crates_pool);
  tp_test_forget(&vault_pool);
  uint32_t before = WINDOWS();
  CHECK(tp_pool_alloc(&crates_pool) != NULL);
  if (!AUDITED) CHECK_EQ(WINDOWS() - before, 2);
  before = WINDOWS();
  CHECK(tp_handle64_alloc(&vault_pool, &handle) != NULL);
  if (!AUDITED) CHECK_EQ(WINDOWS() - before, 2u + summed);
}

static uint32_t came;
static void *taken;

static void interrupt(void)
{
  came++;
  CHECK_EQ(DEPTH(), 0);
  taken = tp_pool_alloc(&built);
}

// So on the host an interrupt's every place between two windows can be tried.
static void an_interrupt_that_is_asked_for_comes_at_that_edge_of_a_window(void)
{
  for (uint32_t edges = 1; edges <= 4; edges++) {
    build(TP_LOCK_PRIMASK);
    came = 0;
    tp_port_interrupt_after(edges, interrupt);
    void *first = tp_pool_alloc(&built);
    if (edges == 1) CHECK(taken < first);
    void *second = tp_pool_alloc(&built);
    CHECK_EQ(came, 1);
    CHECK_EQ(tp_port_due, 0);
    CHECK(first != second && first != taken && second != taken);
    CHECK(tp_pool_verify(&built, NULL));
  }
}

static void again(void)
{
  tp_port_interrupt_after(1, again);
  interrupt();
}

static void no_interrupt_comes_during_another_or_once_it_was_taken_back(void)
{
  build(TP_LOCK_PRIMASK);
  came = 0;
  tp_port_interrupt_after(1, again);
  tp_port_unlock(tp_port_lock());
  CHECK_EQ(came, 2);
  tp_port_interrupt_after(0, again);
  tp_port_unlock(tp_port_lock());
  CHECK_EQ(came, 2);
}

static void an_interrupt_waits_until_no_lock_is_held(void)
{
  build(TP_LOCK_PRIMASK);
  came = 0;
  uint32_t outer = tp_port_lock();
  tp_port_interrupt_after(1, interrupt);
  tp_port_unlock(tp_port_lock());
  CHECK_EQ(came, 0);
  tp_port_unlock(outer);
  CHECK_EQ(came, 1);
}

#endif

void suite_locks(void)
{
  RUN(every_call_gives_back_the_lock_it_took);
  RUN(a_pool_of_one_context_masks_nothing);
  RUN(a_row_without_a_lock_masks_nothing_though_its_code_is_shared);
  RUN(a_pool_with_a_ring_is_used_without_a_lock_too);
  RUN(a_pool_may_mask_by_priority);
#if !defined __arm__ && !defined __riscv
  RUN(every_call_leaves_what_was_masked_before_it_masked);
  RUN(a_pool_of_one_context_leaves_what_was_masked_masked);
  RUN(who_asks_for_the_oldest_is_left_masked);
  RUN(a_handle_is_freed_in_two_windows);
  RUN(a_first_issue_locks_once_more_where_generations_are_added_up);
  RUN(an_interrupt_that_is_asked_for_comes_at_that_edge_of_a_window);
  RUN(no_interrupt_comes_during_another_or_once_it_was_taken_back);
  RUN(an_interrupt_waits_until_no_lock_is_held);
#endif
}
