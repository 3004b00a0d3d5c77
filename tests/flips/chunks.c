// SPDX-License-Identifier: MIT
// A pool that borrows: of a chunk that several may borrow from, and of one that
// is its own and comes and goes.
#include "pools.h"

#include <string.h>

#include "object/tp_lent.h"

FLIPS_PAGES(POOL_MEMORY(spilling); POOL_MEMORY(lender); POOL_MEMORY(more);
            POOL_MEMORY(lending); POOL_MEMORY(shared);
            const void *lender_owner[SLOTS + 1]; GAP(a);
            const void *shared_owner[SLOTS + 1]; GAP(b);
            struct tp_chunk_state lender_chunk; GAP(c);
            struct tp_chunk_state more_chunk; GAP(d);
            struct tp_chunk_state shared_chunk; GAP(e);
            struct tp_spill_state spill; GAP(f); struct tp_spill_state lent;
            GAP(g););

POOL(lender, 1, DROPS);
POOL(more, 1, DROPS);
POOL(shared, 0, DROPS, TAGGED);

static const struct tp_chunk lender_chunk = {
    &lender_pool, &pages.at.lender_chunk, pages.at.lender_owner, NULL, 2};
static const struct tp_chunk more_chunk = {&more_pool, &pages.at.more_chunk,
                                           NULL, NULL, 0};
static const struct tp_chunk shared_chunk = {
    &shared_pool, &pages.at.shared_chunk, pages.at.shared_owner, NULL, 1};

#define SPILLS_BY .overflow = tp_spill_overflow, .take_back = tp_spill_take_back
static const struct tp_spill spill = {
    {SPILLS_BY}, &lender_chunk, &tp_drop, &pages.at.spill, 0};
static const struct tp_spill lends = {
    {SPILLS_BY}, &shared_chunk, &tp_drop, &pages.at.lent, 1};
POOL(spilling, 0, .policy = &spill.policy, .takes_foreign = 1);
POOL(lending, 0, TAGGED, .policy = &lends.policy, .takes_foreign = 1);

static void *spilling_alloc(uint32_t score, tp_handle64_t *handle)
{
  (void)score;
  (void)handle;
  if (!knows.attached) {
    tp_chunk_attach(&spilling_pool, &more_chunk);
    knows.attached = 1;
  }
  return tp_pool_alloc(&spilling_pool);
}

static void spilling_free(void *object)
{
  tp_pool_free(&spilling_pool, object);
}

static bool more_is_empty(void)
{
  for (uint32_t i = 0; i < SLOTS; i++) {
    if (knows.objects[2][i].owners) return false;
  }
  return true;
}

static void come_and_go(void)
{
  bool is_empty = more_is_empty();
  tp_chunk_release(&lender_chunk);
  if (!knows.attached || flips_random(2)) return;
  bool gone = tp_chunk_detach(&spilling_pool, &more_chunk);
  flips_expect(gone == is_empty);
  if (gone) knows.attached = 0;
}

static void *lending_alloc(uint32_t score, tp_handle64_t *handle)
{
  return tp_lent64_alloc(&lending_pool, score, handle);
}

static void lending_free(void *object)
{
  tp_pool_free(&lending_pool, object);
}

static bool lending_free_handle(tp_handle64_t handle)
{
  return tp_lent64_free(&lending_pool, handle);
}

static void *lending_get(tp_handle64_t handle)
{
  return tp_lent64_get(&lending_pool, handle);
}

static void release(void)
{
  tp_chunk_release(&shared_chunk);
}

static const struct use spilling_use = {
    .homes = {&spilling_pool, &lender_pool, &more_pool},
    .chunks = {NULL, &lender_chunk, &more_chunk},
    .home_count = 3,
    .alloc = spilling_alloc,
    .free = spilling_free,
    .extra = come_and_go};
static const struct use lending_use = {.homes = {&lending_pool, &shared_pool},
                                       .chunks = {NULL, &shared_chunk},
                                       .home_count = 2,
                                       .alloc = lending_alloc,
                                       .free = lending_free,
                                       .free_handle = lending_free_handle,
                                       .get = lending_get,
                                       .extra = release};

POOL_SUBJECT(spilling, spilling_use, POOL_PARTS(spilling), POOL_PARTS(lender),
             POOL_PARTS(more), PART("owners", lender_owner),
             PART("chunk", lender_chunk), PART("chunk", more_chunk),
             PART("spill", spill));
POOL_SUBJECT(lending, lending_use, POOL_PARTS(lending), POOL_PARTS(shared),
             PART("owners", shared_owner), PART("chunk", shared_chunk),
             PART("spill", lent));
