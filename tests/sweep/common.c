// SPDX-License-Identifier: MIT
// common.c - what any pool allows, and the same without the lock.
#include "model.h"
#include "core/tp_slot.h"
#include "tp_test.h"

static struct tp_stats seen;

static void aim_alloc(struct armed_call *call)
{
  call->function = (void *)subject->alloc;
}

static void settle_alloc(const struct armed_call *call)
{
  model_issue(TAKEN, (struct item *)call->results[0]);
}

// What an interrupt may steal is freed by handle, all else by address.
static void aim_free(struct armed_call *call)
{
  if (!subject->free_handle) {
    call->function = (void *)subject->free;
    call->arguments[0] = (uintptr_t)holdings[MINE].item;
    return;
  }
  call->function = (void *)subject->free_handle;
  call->arguments[0] = (uint32_t)holdings[MINE].handle;
  call->arguments[1] = (uint32_t)(holdings[MINE].handle >> 32);
}

static void settle_free(const struct armed_call *call)
{
  model_return(MINE);
  if (!subject->free_handle) return;
  if (!call->results[0]) complain("a handle was stale before its time");
}

static void aim_stats(struct armed_call *call)
{
  call->function = (void *)tp_pool_stats;
  call->arguments[0] = (uintptr_t)subject->pool;
  call->arguments[1] = (uintptr_t)&seen;
}

static void settle_stats(const struct armed_call *call)
{
  (void)call;
  struct tp_stats now;
  tp_pool_stats(subject->pool, &now);
  if (seen.refused > now.refused) complain("what was served was refused");
  if (seen.peak > subject->pool->capacity) complain("a peak above capacity");
  if (!tp_tag_kept(subject->pool)) return;
  if (seen.allocs != seen.frees + seen.steals + seen.live) {
    complain("the invariant of the counters does not hold");
  }
}

#if SWEEP_CLOSED
// No more came since the sum than the handler makes.
static void settle_worn_stats(const struct armed_call *call)
{
  struct tp_stats now;
  settle_stats(call);
  tp_pool_stats(subject->pool, &now);
  if (now.allocs - seen.allocs > HOLDERS) complain("a life is counted wrong");
}
#endif

static void aim_oldest_age(struct armed_call *call)
{
  call->function = (void *)tp_pool_oldest_age;
  call->arguments[0] = (uintptr_t)subject->pool;
}

static void settle_oldest_age(const struct armed_call *call)
{
  if (call->results[0] > tp_clock_now) complain("an object older than time");
}

static void aim_scrub(struct armed_call *call)
{
  call->function = (void *)tp_pool_scrub;
  call->arguments[0] = (uintptr_t)subject->pool;
  call->arguments[1] = subject->pool->capacity;
}

// What it finds it reports as a fault.
static void settle_scrub(const struct armed_call *call)
{
  (void)call;
}

static const struct operation operations[] = {
    {"alloc_of_a_first_slot", HALF, aim_alloc, settle_alloc},
    {"alloc_of_a_freed_slot", LISTED, aim_alloc, settle_alloc},
    {"alloc_of_the_last_slot", LAST, aim_alloc, settle_alloc},
    {"alloc_of_a_worn_slot", WORN, aim_alloc, settle_alloc},
    {"alloc_from_a_full_pool", FULL, aim_alloc, settle_alloc},
    {"free", FULL, aim_free, settle_free},
    {"stats", LAST, aim_stats, settle_stats},
    {"stats_of_half", HALF, aim_stats, settle_stats},
    {"oldest_age", FULL, aim_oldest_age, settle_oldest_age},
    {"scrub", LAST, aim_scrub, settle_scrub},
};

static void free_mine(void)
{
  subject->free(holdings[MINE].item);
}

static void sweep_double_free(const struct subject *of)
{
  static const struct operation free_first = {"double_free", FULL, aim_free,
                                              settle_free};
  static const struct move free_again = {"a_free_of_the_same", free_mine};
  if (TP_CHECKS < TP_CHECKS_FAST) return;
  sweep_row(of, &free_first, &free_again, DOUBLE);
}

void sweep_another_free(const struct subject *of)
{
  static const struct operation another_free = {"another_free", LAST, aim_free,
                                                settle_free};
  sweep_all_moves(of, &another_free);
}

void sweep_common(const struct subject *of)
{
  if (!of->handle) sweep_double_free(of);
  for (uint32_t i = 0; i < LENGTH(operations); i++) {
    sweep_all_moves(of, &operations[i]);
  }
}

#if SWEEP_CLOSED
static void sweep_hardened(void)
{
  static const struct operation worn_stats = {"stats_of_a_worn_slot", WORN,
                                              aim_stats, settle_worn_stats};
  sweep_common(&drop_hardened);
  sweep_all_moves(&drop_hardened, &worn_stats);
}
#endif

void suite_pools(void)
{
  sweep_common(&drop_shared);
  sweep_common(&drop_own);
#if SWEEP_CLOSED
  sweep_common(&drop_outside);
  sweep_hardened();
#endif
  sweep_common(&steal_shared);
  sweep_common(&steal_own);
}

static const struct subject *bare;

static void a_pool_without_its_lock_breaks(void)
{
  uint32_t broken = 0;
  for (uint32_t k = 0; k < LENGTH(operations); k++) {
    broken += sweep_row(bare, &operations[k], &alloc_move, CONTROL);
  }
  CHECK(broken > 0 || sweep_traces);
}

void suite_controls(void)
{
  static const struct subject *const all[] = {&bare_drop, &bare_steal,
                                              &bare_keyed};
  for (uint32_t i = 0; i < LENGTH(all); i++) {
    bare = all[i];
    RUN(a_pool_without_its_lock_breaks);
  }
}
