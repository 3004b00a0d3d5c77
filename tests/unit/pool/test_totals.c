// SPDX-License-Identifier: MIT
#include "unit.h"

#include "core/tp_totals.h"
#include "tp_port.h"

static const struct tp_entry crates = {
    .name = "crates", .kind = &tp_pool_kind, .allocator = &crates_pool};
static const struct tp_entry ticks = {
    .name = "ticks", .kind = &tp_pool_kind, .allocator = &ticks_pool};
static const struct tp_entry *const table[] = {&crates, &ticks};
static const struct tp_registry small = {.entries = table, .count = 2};
static struct tp_totals_row small_totals_rows[2];
static const struct tp_totals small_totals = {&small, small_totals_rows};

static const struct tp_totals_row *crates_row = &small_totals_rows[0];
static const struct tp_totals_row *ticks_row = &small_totals_rows[1];

static void start(void)
{
  tp_test_forget(&crates_pool);
  tp_test_forget(&ticks_pool);
  for (uint32_t i = 0; i < 2; i++) {
    small_totals_rows[i] = (struct tp_totals_row){0};
  }
}

static void a_pool_is_found_by_its_name(void)
{
  CHECK(tp_totals_find(&small_totals, "ticks") == ticks_row);
  CHECK(tp_totals_find(&small_totals, "crates") == crates_row);
  CHECK(tp_totals_find(&small_totals, "tick") == NULL);
  CHECK(tp_totals_find(&small_totals, "ticks_") == NULL);
}

static void totals_are_what_every_pool_did(void)
{
  start();
  for (uint32_t i = 0; i < 7; i++) ticks_alloc();
  ticks_free(ticks_alloc());
  tp_totals_update(&small_totals);
  tp_totals_update(&small_totals);
  CHECK_EQ(ticks_row->allocs, 8);
  CHECK_EQ(ticks_row->steals, 4);
  CHECK_EQ(ticks_row->frees, 1);
  CHECK_EQ(ticks_row->allocs,
           ticks_row->frees + ticks_row->steals + ticks_row->seen.live);
}

static void totals_go_on_when_the_counters_wrap(void)
{
  start();
  crates_free(crates_alloc());
  tp_test_set_tag(&crates_pool, 1, TP_POISON);  // A generation of many days.
  crates_pool.state->overflows = UINT32_MAX - 1;
  small_totals_rows[0].seen.refused = UINT32_MAX - 1;
  small_totals_rows[0].refused = UINT32_MAX - 1;
  tp_totals_update(&small_totals);
  uint64_t allocs = crates_row->allocs;
  uint64_t refused = crates_row->refused;
  for (uint32_t i = 0; i < 8; i++) crates_alloc();
  tp_totals_update(&small_totals);
  CHECK_EQ(crates_row->allocs - allocs, 5);
  CHECK_EQ(crates_row->refused - refused, 3);
  CHECK(crates_row->refused > UINT32_MAX);
}

#if !defined __arm__ && !defined __riscv

static void update(void)
{
  tp_totals_update(&small_totals);
}

// Until a full pool's policy has found a victim, the request is one of those
// that got nothing.
static void who_was_served_after_an_update_was_not_refused(void)
{
  for (uint32_t edge = 1; edge < 12; edge++) {
    start();
    for (uint32_t i = 0; i < TICKS_COUNT; i++) CHECK(ticks_alloc());
    tp_port_interrupt_after(edge, update);
    CHECK(ticks_alloc());
    tp_port_interrupt_after(0, NULL);
    update();
    CHECK(ticks_row->refused == 0);
    CHECK(ticks_row->steals == 1);
  }
}

#endif

static void each_total_goes_beyond_32_bits(void)
{
  struct tp_totals_row *row = &small_totals_rows[0];
  start();
  tp_totals_update(&small_totals);
  row->allocs = row->frees = row->steals = UINT32_MAX;
  row->spills = row->refused = UINT32_MAX;
  row->seen.allocs--, row->seen.frees--, row->seen.steals--;
  row->seen.spills--, row->seen.refused--;

  tp_totals_update(&small_totals);

  const uint64_t totals[] = {row->allocs, row->frees, row->steals, row->spills,
                             row->refused};
  for (uint32_t i = 0; i < 5; i++) CHECK(totals[i] == UINT64_C(1) << 32);
}

static void a_peak_can_start_again(void)
{
  struct crate *taken[4];
  start();
  for (uint32_t i = 0; i < 4; i++) taken[i] = crates_alloc();
  tp_totals_note(&small_totals);
  CHECK_EQ(crates_row->use.high, 4);

  for (uint32_t i = 1; i < 4; i++) crates_free(taken[i]);
  tp_totals_note(&small_totals);
  CHECK_EQ(crates_row->use.high, 4);
  ticks_alloc();
  tp_totals_restart(&small_totals);
  CHECK_EQ(crates_row->use.high, 1);
  CHECK_EQ(ticks_row->use.high, 1);
  crates_alloc();
  tp_totals_note(&small_totals);
  CHECK_EQ(crates_row->use.high, 2);
}

static void frames_at_full_are_counted(void)
{
  start();
  for (uint32_t i = 0; i < 4; i++) ticks_alloc();
  for (uint32_t i = 0; i < 3; i++) tp_totals_note(&small_totals);
  CHECK_EQ(ticks_row->use.full_frames, 3);
  CHECK_EQ(crates_row->use.full_frames, 0);
}

// As one that scenes cut is, in a scene without it.
static void a_pool_without_slots_is_never_full(void)
{
  struct tp_use use = {0, 0, 0};
  tp_use_note(&use, 0, 0);
  CHECK_EQ(use.full_frames, 0);
  tp_use_note(&use, 3, 3);
  tp_use_note(&use, 2, 3);
  CHECK_EQ(use.full_frames, 1);
  CHECK_EQ(use.high, 3);
  tp_use_restart(&use, 2);
  tp_use_note(&use, 1, 3);
  CHECK_EQ(use.low, 1);
  tp_use_note(&use, 2, 3);
  CHECK_EQ(use.low, 1);
  CHECK_EQ(use.high, 2);
}

void suite_totals(void)
{
  RUN(a_pool_is_found_by_its_name);
  RUN(totals_are_what_every_pool_did);
  RUN(frames_at_full_are_counted);
  RUN(a_pool_without_slots_is_never_full);
  RUN(each_total_goes_beyond_32_bits);
  if (TP_CHECKS < TP_CHECKS_FAST) return;
#if !defined __arm__ && !defined __riscv
  RUN(who_was_served_after_an_update_was_not_refused);
#endif
  RUN(totals_go_on_when_the_counters_wrap);
  RUN(a_peak_can_start_again);
}
