// SPDX-License-Identifier: MIT
// second.c - pools that borrow from a second region: spilling, reserving and
// chunked. Two slots at home, two there, and to the model they are one pool.
#include "model.h"
#include "core/tp_slot.h"
#include "tp_by_hand.h"
#include "tp_declare.h"
#include "tp_test.h"
#include "policy/tp_spill.h"

TP_POOL_DECLARE(spilling, struct item);
TP_POOL_DEFINE(overflow, sizeof(struct item), 2, 4, .policy = &tp_drop,
               .refuses = 1);
TEST_CHUNK_OWNERS(overflow, 2);
TEST_CHUNK(overflow, .patience = 0, .owner = overflow_owner);
TEST_SPILL(spilling, &overflow_chunk, tp_drop);
TP_POOL_DEFINE(spilling, sizeof(struct item), 2, 4, TEST_SPILLS(spilling));

TP_POOL_DECLARE(reserving, struct item);
TP_RESERVE_DECLARE(reserving, struct item);
TEST_RESERVE(reserving, sizeof(struct item), 4, 2, 4, tp_drop,
             .lock = TP_LOCK_PRIMASK);

TP_POOL_DECLARE(chunked, struct item);
TP_POOL_DEFINE(annex, sizeof(struct item), 2, 4, .policy = &tp_drop,
               .refuses = 1);
TEST_CHUNK(annex, .patience = 0);
TEST_SPILL(chunked, NULL, tp_drop);
TP_POOL_DEFINE(chunked, sizeof(struct item), 2, 4, TEST_SPILLS(chunked));

static struct tp_spill_state *spill_state(void)
{
  return tp_spill_of(subject->pool)->state;
}

static void open_spill(void)
{
  *spill_state() = (struct tp_spill_state){0};
}

static uint32_t refused_beside;  // Of normal requests, the handler's.

static void open_reserving(void)
{
  open_spill();
  refused_beside = 0;
}

static void open_chunked(void)
{
  open_spill();
  tp_chunk_attach(subject->pool, subject->second);
}

static bool is_away(const struct item *item)
{
  const struct tp_pool *pool = subject->second->pool;
  uintptr_t offset = (uintptr_t)item - (uintptr_t)pool->storage;
  return offset < (uintptr_t)pool->capacity * pool->stride;
}

// Is it noted who has it, where that is noted?
static bool is_noted(const struct item *item)
{
  const struct tp_chunk *chunk = subject->second;
  if (!chunk->owner) return true;
  return chunk->owner[tp_slot_of(chunk->pool, item)] == spill_state();
}

static void close_spill(void)
{
  uint32_t away = 0;
  for (uint32_t i = 0; i < HOLDERS; i++) {
    if (!holdings[i].live || !is_away(holdings[i].item)) continue;
    away++;
    if (!is_noted(holdings[i].item)) complain("what is lent is another's");
  }
  if (spill_state()->live != away) complain("borrowed objects are miscounted");
  if (spill_state()->peak < away) complain("their peak is miscounted");
  if (subject->second->state->live != away) complain("so are lent ones");
  if (away > 0 && subject->second->state->phase != TP_CHUNK_OPEN) {
    complain("a region was given back with objects in it");
  }
}

// Who is not served there is not served at all.
static void close_spilling(void)
{
  struct tp_stats stats;
  close_spill();
  tp_pool_stats(subject->pool, &stats);
  if (!tp_tag_kept(subject->pool)) return;
  if (spill_state()->refused != stats.refused) {
    complain("what the second region refused is miscounted");
  }
}

static const struct subject spilling = {
    .name = "spilling",
    .pool = &spilling_pool,
    .second = &overflow_chunk,
    .open = open_spill,
    .close = close_spilling,
    .alloc = spilling_alloc,
    .free = spilling_free,
};
static const struct subject reserving = {
    .name = "reserving",
    .pool = &reserving_pool,
    .second = &reserving_reserve_chunk,
    .open = open_reserving,
    .close = close_spill,
    .alloc = reserving_alloc_urgent,
    .free = reserving_free,
};
static const struct subject chunked = {
    .name = "chunked",
    .pool = &chunked_pool,
    .second = &annex_chunk,
    .open = open_chunked,
    .close = close_spill,
    .alloc = chunked_alloc,
    .free = chunked_free,
};

static const struct subject roaming = {
    .name = "roaming",
    .pool = &roaming_pool,
    .second = &beyond_chunk,
    .open = open_spill,
    .close = close_spill,
    .alloc = roaming_alloc,
    .free = roaming_free,
};

// Its handles, seen as 64 bits wide.
static struct item *named_alloc_wide(uint64_t *handle)
{
  named_handle_t own;
  struct item *item = named_alloc_handle(&own);
  *handle = own.bits;
  return item;
}

static uint64_t named_wide(const struct item *item)
{
  return named_handle(item).bits;
}

static struct item *named_find(uint64_t handle)
{
  return named_get((named_handle_t){(tp_handle_t)handle});
}

static bool named_end(uint64_t handle)
{
  return named_free_handle((named_handle_t){(tp_handle_t)handle});
}

static const struct subject named = {
    .name = "named",
    .pool = &named_pool,
    .second = &afar_chunk,
    .open = open_spill,
    .close = close_spill,
    .alloc = named_alloc,
    .free = named_free,
    .alloc_handle = named_alloc_wide,
    .handle = named_wide,
    .get = named_find,
    .free_handle = named_end,
};

// A request that home cannot serve and the second has served before.
static void aim_borrow_again(struct armed_call *call)
{
  give_back(MINE);
  call->function = (void *)subject->alloc;
}

static void settle_alloc(const struct armed_call *call)
{
  model_issue(TAKEN, (struct item *)call->results[0]);
}

// While one context gives the region back or takes it again, those that
// interrupt it find it full.
static void aim_give_back(struct armed_call *call)
{
  give_back(MINE);
  give_back(THEIRS);
  model_allow_refusals();
  call->function = (void *)tp_chunk_release;
  call->arguments[0] = (uintptr_t)subject->second;
}

static void settle_give_back(const struct armed_call *call)
{
  if (!call->results[0]) return;
  if (subject->second->state->releases != 1) complain("given back twice");
}

static void aim_take_again(struct armed_call *call)
{
  aim_give_back(call);
  if (!tp_chunk_release(subject->second)) complain("a region not idle");
  call->function = (void *)subject->alloc;
}

static const struct operation operations[] = {
    {"alloc_of_a_lent_slot", FULL, aim_borrow_again, settle_alloc},
    {"give_back_of_a_region", FULL, aim_give_back, settle_give_back},
    {"alloc_that_takes_a_region_again", FULL, aim_take_again, settle_alloc},
};

// The region is given back by the interrupt, if it can be.
static void make_give_back(void)
{
  tp_chunk_release(subject->second);
}

static const struct move give_back_move = {"a_give_back", make_give_back};

static void aim_free_of_the_last_lent(struct armed_call *call)
{
  give_back(THEIRS);
  call->function = (void *)subject->free;
  call->arguments[0] = (uintptr_t)holdings[MINE].item;
}

static void settle_free(const struct armed_call *call)
{
  (void)call;
  model_return(MINE);
}

// What interrupts it finds the region empty, until a slot of it is lent.
static void aim_borrow_first(struct armed_call *call)
{
  aim_borrow_again(call);
  give_back(THEIRS);
  model_allow_refusals();
}

static const struct operation at_the_brink[] = {
    {"alloc_of_the_first_lent_slot", FULL, aim_borrow_first, settle_alloc},
    {"free_of_the_last_lent_slot", FULL, aim_free_of_the_last_lent,
     settle_free},
    {"alloc_that_takes_what_is_given", FULL, aim_take_again, settle_alloc},
};

// Nobody has a slot left: the oldest at home, of all, makes room.
static void aim_theft(struct armed_call *call)
{
  call->function = (void *)subject->alloc;
}

static const struct operation theft = {"alloc_that_ends_in_theft", FULL,
                                       aim_theft, settle_alloc};

// Normal requests, with urgent ones all around: none may get a kept slot.
static void aim_normal(struct armed_call *call)
{
  call->function = (void *)reserving_alloc;
}

static void settle_normal(const struct armed_call *call)
{
  struct item *item = (struct item *)call->results[0];
  if (!item) {
    model_refuse_in_peace();
    return;
  }
  if (is_away(item)) complain("a normal request got a kept slot");
  model_issue(TAKEN, item);
}

static const struct operation normal[] = {
    {"normal_alloc_of_a_last_slot", LAST, aim_normal, settle_normal},
    {"normal_alloc_from_a_full_pool", HALF, aim_normal, settle_normal},
};

// Two of them at once, while the reserve is free: both are counted.
static void make_normal(void)
{
  if (reserving_alloc()) complain("a normal request got a kept slot");
  model_refuse_in_peace();
  refused_beside++;
}

static void settle_counted(const struct armed_call *call)
{
  settle_normal(call);
  if (reserving_pool.state->refused_by_rule != refused_beside + 1) {
    complain("what the rule refused is miscounted");
  }
}

static const struct move normal_move = {"a_normal_alloc", make_normal};
static const struct operation counted = {"normal_alloc_that_is_refused", HALF,
                                         aim_normal, settle_counted};

static void aim_detach(struct armed_call *call)
{
  model_allow_refusals();
  call->function = (void *)tp_chunk_detach;
  call->arguments[0] = (uintptr_t)subject->pool;
  call->arguments[1] = (uintptr_t)subject->second;
}

static void settle_detach(const struct armed_call *call)
{
  bool attached = spill_state()->attached.chunk == subject->second;
  if (attached == (bool)call->results[0]) complain("half a detachment");
  if (!attached && subject->second->state->live) complain("lent, and gone");
}

static void aim_attach(struct armed_call *call)
{
  aim_detach(call);
  if (!tp_chunk_detach(subject->pool, subject->second)) {
    complain("an empty chunk is not detached");
  }
  call->function = (void *)tp_chunk_attach;
}

static void settle_attach(const struct armed_call *call)
{
  (void)call;
  if (spill_state()->attached.chunk != subject->second)
    complain("not attached");
}

static const struct operation attachments[] = {
    {"detach_of_a_chunk", HALF, aim_detach, settle_detach},
    {"attach_of_a_chunk", HALF, aim_attach, settle_attach},
};

void suite_second(void)
{
  sweep_common(&spilling);
  for (uint32_t i = 0; i < LENGTH(operations); i++) {
    sweep_all_moves(&spilling, &operations[i]);
  }
  for (uint32_t i = 0; i < LENGTH(at_the_brink); i++) {
    sweep_row(&spilling, &at_the_brink[i], &give_back_move, SWEPT);
  }
  sweep_row(&roaming, &theft, &alloc_move, SWEPT);
  sweep_handles(&named);
  sweep_common(&reserving);
  for (uint32_t i = 0; i < LENGTH(normal); i++) {
    sweep_all_moves(&reserving, &normal[i]);
  }
  sweep_row(&reserving, &counted, &normal_move, SWEPT);
  for (uint32_t i = 0; i < LENGTH(attachments); i++) {
    sweep_all_moves(&chunked, &attachments[i]);
  }
}
