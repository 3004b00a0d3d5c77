// SPDX-License-Identifier: MIT
#include "policies.h"

#include "tp_by_hand.h"

TP_POOL_DEFINE(rubble, 24, 4, 8, .policy = &tp_drop, .refuses = 1);
TEST_CHUNK_OWNERS(rubble, 4);
TEST_CHUNK(rubble, .patience = 0, .owner = rubble_owner);
TEST_SPILL(sparks, &rubble_chunk, tp_drop);
TP_POOL_DEFINE(sparks, sizeof(struct thing), 3, 8, TEST_SPILLS(sparks));
TEST_SPILL(smoke, &rubble_chunk, tp_assert);
TP_POOL_DEFINE(smoke, sizeof(struct thing), 2, 4, TEST_SPILLS(smoke));

TEST_SPILL(yard, &rubble_chunk, tp_drop);
TP_POOL_DEFINE(yard, 24, 1, 8, TEST_SPILLS(yard));
TEST_CHUNK_OWNERS(yard, 1);
TEST_CHUNK(yard, .patience = 0, .owner = yard_owner);
TEST_SPILL(porch, &yard_chunk, tp_drop, .tagged = 1);
TP_POOL_DEFINE(porch, sizeof(struct thing), 1, 8, TEST_SPILLS(porch));

TP_POOL_DEFINE(attic, sizeof(struct thing), ATTIC, 4, .policy = &tp_drop,
               .refuses = 1);
TEST_CHUNK(attic, .patience = 10);
TEST_SPILL(boxes, &attic_chunk, tp_drop);
TP_POOL_DEFINE_TAGGED(boxes, sizeof(struct thing), BOXES, 4,
                      TEST_SPILLS(boxes));

static bool ask_for_barn(const struct tp_chunk *chunk)
{
  void (*then)(void) = when_barn_is_asked_for;
  when_barn_is_asked_for = NULL;
  if (then) then();
  return chunk == &barn_chunk && lend_barn;
}

bool lend_barn;
void (*when_barn_is_asked_for)(void);

TP_POOL_DEFINE(barn, sizeof(struct thing), BARN, 4, .policy = &tp_drop,
               .refuses = 1);
TEST_CHUNK(barn, .patience = 0, .reclaim = ask_for_barn);
TEST_SPILL(hay, &barn_chunk, tp_drop);
TP_POOL_DEFINE(hay, sizeof(struct thing), HAY, 4, TEST_SPILLS(hay));
TEST_OWN(hay, struct thing);

TP_POOL_DEFINE(sea, 32, 2, 16, .policy = &tp_drop, .refuses = 1);
TEST_CHUNK(sea, .patience = 0);
TEST_SPILL(lake, &sea_chunk, tp_drop);
TP_POOL_DEFINE(lake, 24, 2, 8, TEST_SPILLS(lake));
TEST_CHUNK(lake, .patience = 0);
TEST_SPILL(pond, &lake_chunk, tp_drop);
TP_POOL_DEFINE(pond, 24, 2, 8, TEST_SPILLS(pond));
TEST_CHUNK(pond, .patience = 0);
TEST_SPILL(drops, &pond_chunk, tp_drop);
TP_POOL_DEFINE(drops, sizeof(struct thing), 2, 4, TEST_SPILLS(drops));

TEST_SPILL(herd, NULL, tp_drop);
TP_POOL_DEFINE_TAGGED(herd, sizeof(struct thing), 3, 4, TEST_SPILLS(herd));
TEST_SPILL(flock, NULL, tp_drop);
TP_POOL_DEFINE_TAGGED(flock, sizeof(struct thing), 1, 4, TEST_SPILLS(flock));

TP_POOL_DEFINE(field_a, sizeof(struct thing), 3, 4, .policy = &tp_drop,
               .refuses = 1);
TP_POOL_DEFINE(field_b, sizeof(struct thing), 3, 4, .policy = &tp_drop,
               .refuses = 1);
TP_POOL_DEFINE(field_c, sizeof(struct thing), 3, 4, .policy = &tp_drop,
               .refuses = 1);
TEST_CHUNK(field_a, .patience = 0);
TEST_CHUNK(field_b, .patience = 0);
TEST_CHUNK(field_c, .patience = 0);
TP_POOL_DEFINE(wide, 32, 1, 4, .policy = &tp_drop, .refuses = 1);
TEST_CHUNK(wide, .patience = 0);

static void bell_evicted(void *bell)
{
  rung = bell;
}

const struct thing *rung;

TEST_RESERVE(voices, sizeof(struct thing), 6, 2, 4, tp_drop,
             .lock = TP_LOCK_PRIMASK);
static struct tp_age_link bells_age[4 + 1];
TEST_RESERVE(bells, sizeof(struct thing), 6, 2, 4, tp_steal_oldest,
             .age = bells_age, .evict = bell_evicted);
TEST_RESERVE(guards, sizeof(struct thing), 2, 1, 4, tp_assert,
             .lock = TP_LOCK_PRIMASK);

uint32_t lows, refills, free_told;
void (*when_told)(void);

static void told(uint32_t *count, uint32_t free)
{
  void (*then)(void) = when_told;
  (*count)++;
  free_told = free;
  when_told = NULL;
  if (then) then();
}

static void told_low(const struct tp_pool *pool, uint32_t free)
{
  (void)pool;
  told(&lows, free);
}

static void told_refill(const struct tp_pool *pool, uint32_t free)
{
  (void)pool;
  told(&refills, free);
}

TP_POOL_DEFINE(packets, sizeof(struct thing), 8, 4, .policy = &tp_drop,
               .refuses = 1);
TEST_WATERMARK(packets, 2, told_low, 5, told_refill);
TP_POOL_DEFINE(dry, sizeof(struct thing), 1, 4, .policy = &tp_drop,
               .refuses = 1);
TEST_WATERMARK(dry, 0, NULL, 1, told_refill);
TP_POOL_DEFINE(mute, sizeof(struct thing), 1, 4, .policy = &tp_drop,
               .refuses = 1);
TEST_WATERMARK(mute, 0, told_low, 1, NULL);

bool is_of(const struct tp_pool *pool, const void *object)
{
  uintptr_t offset = (uintptr_t)object - (uintptr_t)pool->storage;
  return offset < (uintptr_t)pool->capacity * pool->stride;
}

void forget_watermark(const struct tp_watermark *watermark)
{
  tp_test_forget(watermark->pool);
  *watermark->state = (struct tp_watermark_state){0};
  lows = refills = free_told = 0;
  when_told = NULL;
}

void forget_chunk(const struct tp_chunk *chunk)
{
  tp_test_forget(chunk->pool);
  *chunk->state = (struct tp_chunk_state){0};
}

void forget_spill(const struct tp_pool *pool)
{
  const struct tp_spill *spill = tp_spill_of(pool);
  tp_test_forget(pool);
  *spill->state = (struct tp_spill_state){0};
  if (spill->into) forget_chunk(spill->into);
}
