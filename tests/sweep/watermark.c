// SPDX-License-Identifier: MIT
// watermark.c - a pool that tells when it runs low: each crossing exactly once,
// wherever it is interrupted and whoever tells.
#include "model.h"
#include "tp_by_hand.h"
#include "core/tp_slot.h"
#include "tp_port.h"
#include "policy/tp_watermark.h"
#include "tp_declare.h"

enum { LOW = 1, REFILL = 3 };

static uint32_t lows, refills;

// An interrupt may tell while the thread does.
static void count(uint32_t *told)
{
  uint32_t key = tp_port_lock();
  (*told)++;
  tp_port_unlock(key);
}

static void told_low(const struct tp_pool *pool, uint32_t free)
{
  (void)pool;
  count(&lows);
  if (free != LOW) complain("on_low is told another count");
}

static void told_refill(const struct tp_pool *pool, uint32_t free)
{
  (void)pool;
  count(&refills);
  if (free != REFILL) complain("on_refill is told another count");
}

TP_WATERMARK_DECLARE(watched, struct item);
TP_POOL_DEFINE(watched, sizeof(struct item), 4, 4, .policy = &tp_drop,
               .refuses = 1);
TEST_WATERMARK(watched, LOW, told_low, REFILL, told_refill);

static void open_watermark(void)
{
  *watched_watermark.state = (struct tp_watermark_state){0};
  lows = refills = 0;
}

static void close_watermark(void)
{
  bool low = tp_watermark_is_low(&watched_watermark);
  uint32_t free = 4 - model_live();
  if (lows - refills != low) complain("a crossing is told twice or never");
  if (watched_watermark.state->live != model_live()) complain("a count drifts");
  if (free <= LOW && !low) complain("low water is not known");
  if (free >= REFILL && low) complain("a refill is not known");
}

static const struct subject watched = {
    .name = "watched",
    .pool = &watched_pool,
    .open = open_watermark,
    .close = close_watermark,
    .alloc = watched_alloc,
    .free = watched_free,
};

// The slot that is one too many, and the one that is enough.
static void aim_fall(struct armed_call *call)
{
  call->function = (void *)watched_alloc;
}

static void settle_fall(const struct armed_call *call)
{
  model_issue(TAKEN, (struct item *)call->results[0]);
}

static void aim_recover(struct armed_call *call)
{
  give_back(SPARE);
  give_back(OTHER);
  call->function = (void *)watched_free;
  call->arguments[0] = (uintptr_t)holdings[MINE].item;
}

static void settle_recover(const struct armed_call *call)
{
  (void)call;
  model_return(MINE);
}

static const struct operation operations[] = {
    {"alloc_that_makes_it_low", LISTED, aim_fall, settle_fall},
    {"free_that_refills_it", FULL, aim_recover, settle_recover},
};

// What an interrupt reads is what is live, or one less for the call that it
// interrupted: never more.
static void make_look(void)
{
  uint32_t live = tp_pool_live(&watched_pool);
  if (!tp_tag_kept(&watched_pool)) return;  // At off nobody knows.
  if (live - watched_watermark.state->live > 1) {
    complain("an interrupt reads a count that is not so");
  }
}

static const struct move look = {"a_look_at_the_count", make_look};

void suite_watermark(void)
{
  sweep_common(&watched);
  for (uint32_t i = 0; i < LENGTH(operations); i++) {
    sweep_all_moves(&watched, &operations[i]);
    if (!sweep_traces) sweep_row(&watched, &operations[i], &look, SWEPT);
  }
}
